"""What becomes of a signed transaction: the retry matrix of the specification, and its final outcome."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from . import models
from .errors import ClientError, OutcomeUnknown, Problem, VenueError, is_unanswered
from .network import Network
from .nonces import LaneKey, NonceLane
from .outbox import Outbox, OutboxEntry
from .transport import Transport

T = TypeVar("T")

#: Seconds of one request that waits for a confirmation.
POLL = 10.0

#: What to do after an attempt.
CONFIRM, RESEND, RESOLVE, STOP = "confirm", "resend", "resolve", "stop"


@dataclass(frozen=True)
class SubmitOptions:
    """What differs from the client's defaults for one transaction.

    Attributes:
        owner: Acting account. Default: the one for whom the client acts.
        subaccount: Default: the client's.
        authorization: Grant under which an agent signs. Default: the client's.
        nonce_domain: Lane, for actions that may count in several.
        valid_from: First block that may include it. Default: the venue's height.
        valid_until: Last block that may include it. Default: the client's validity from now.
        client_tx_id: Own name for the transaction.
        replaces: Pending transaction, as (id, nonce), that it replaces.
        unchecked: Checks that are left to the venue, which then rejects a fault and uses the nonce.
    """

    owner: str | None = None
    subaccount: int | None = None
    authorization: str | None = None
    nonce_domain: str | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    client_tx_id: str = ""
    replaces: tuple[str, int] | None = None
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The final outcome of a transaction.

    Attributes:
        tx_id: Id of the transaction.
        status: applied, rejected, expired, replaced or dropped. The last three never commit, and used no nonce.
        height: Block that includes it; None if none does.
        code: Why it was rejected or dropped; None otherwise.
        numbers: The numbers that the code compared, as decimal text in the units of traders.
        orders: Results of its orders, in their order.
        confirmation: The venue's confirmation; None for a transaction that the venue never knew.
    """

    tx_id: str
    status: str
    height: int | None = None
    code: str | None = None
    numbers: Mapping[str, str] = field(default_factory=dict)
    orders: tuple[models.ActionResult, ...] = ()
    confirmation: models.Confirmation | None = None

    @property
    def order(self) -> models.ActionResult | None:
        """Result of its order, or of the first of several."""
        return self.orders[0] if self.orders else None


def read_outcome(tx_id: str, confirmation: models.Confirmation) -> Outcome | None:
    """The outcome that a confirmation reports; None while the transaction waits."""
    if confirmation.status == "pending":
        return None
    status = confirmation.status
    if status == "committed":
        status = "rejected" if confirmation.outcome == "rejected" else "applied"
    return Outcome(
        tx_id,
        status,
        None if confirmation.position is None else confirmation.position.height,
        confirmation.code,
        confirmation.numbers or {},
        tuple(confirmation.results),
        confirmation,
    )


def decide(error: Exception | None) -> tuple[str, bool]:
    """The retry matrix: what to do after an attempt, and whether it may have been carried out.

    | situation | step |
    |---|---|
    | connection failed before any response | resend, then confirm by id |
    | timeout | resolve by id |
    | 202 | confirm |
    | 409, 422, other 4xx | stop |
    | 429 | resend; stop where the problem says that it is not retryable |
    | 503 | resolve by id where it may have been submitted, else resend, or stop as for 429 |
    | 500, and answers of proxies | as a 503 that may have been submitted |
    """
    if error is None:
        return CONFIRM, True
    if isinstance(error, VenueError):
        return decide_problem(error.problem)
    if isinstance(error, ClientError) and error.code == "RESPONSE_INVALID":
        status = error.details.get("status", 0)
        # The status alone shows that it was accepted.
        if status in {0, 202}:
            return CONFIRM, True
        return (RESOLVE, True) if status >= 500 else (STOP, False)
    if isinstance(error, ClientError) and error.code == "TIMEOUT":
        return RESOLVE, True
    return RESEND, True


def decide_problem(problem: Problem) -> tuple[str, bool]:
    """The next step after an error answer of the venue."""
    # Waiting does not help: for example, if an earlier nonce is missing.
    if not problem.retryable and (problem.status == 429 or problem.maybe_submitted is False):
        return STOP, False
    if problem.status == 429 or (problem.status == 503 and problem.maybe_submitted is False):
        return RESEND, False
    if problem.status >= 500:
        return RESOLVE, True
    return STOP, False


@dataclass(frozen=True)
class Parts:
    """Parts of a client that a submission needs."""

    transport: Transport
    network: Network
    outbox: Outbox
    read_nonce: Callable[[LaneKey], Awaitable[models.NonceState]]


class Submission:
    """A signed, unconfirmed transaction.

    It follows the retry matrix until its outcome is final, whether a caller waits or not. Every attempt sends the same
    bytes with the same key, and the outbox stores them until then.

    Attributes:
        tx_id: Id of the transaction.
        key: Idempotency key.
        nonce: Nonce in its lane.
    """

    def __init__(self, entry: OutboxEntry, lane: NonceLane, parts: Parts, *, resumed: bool = False) -> None:
        self.tx_id = entry.tx_id
        self.key = entry.key
        self.nonce = entry.nonce
        self._entry = entry
        self._lane = lane
        self._parts = parts
        self._accepted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._pursue(resumed), name=f"perplab {entry.tx_id}")
        # A caller that does not wait gets no warning about an error that nothing reads.
        self._accepted.add_done_callback(lambda future: future.cancelled() or future.exception())
        self._task.add_done_callback(self._finish)

    def __repr__(self) -> str:
        return f"Submission({self.tx_id})"

    @property
    def done(self) -> bool:
        """Whether its outcome is known, or the client has stopped looking for it."""
        return self._task.done()

    async def accepted(self) -> None:
        """Returns when the venue has it.

        Raises:
            VenueError: the venue never accepted it
        """
        await asyncio.shield(self._accepted)

    async def wait(self, timeout: float | None = None) -> Outcome:
        """The final outcome.

        Args:
            timeout: Seconds. Default: as long as it takes.

        Raises:
            VenueError: the venue never accepted it: malformed, rejected, or in conflict with another submission
            OutcomeUnknown: no outcome within the time, or none so far; it stays in the outbox
        """
        try:
            return await asyncio.wait_for(asyncio.shield(self._task), timeout)
        except asyncio.TimeoutError:
            if self._task.done():
                raise
            raise unknown(self.tx_id, f"has no outcome after {timeout:g} s; the client keeps looking for it") from None

    def on_end(self, call: Callable[[], object]) -> None:
        """Calls a function once the submission has ended."""
        self._task.add_done_callback(lambda _task: call())

    def cancel(self) -> None:
        """Stops looking for the outcome; the entry stays in the outbox."""
        self._task.cancel()

    def _finish(self, task: asyncio.Task[Outcome]) -> None:
        if task.cancelled():
            self._accepted.cancel()
            return
        error = task.exception()
        if error is not None and not self._accepted.done():
            self._accepted.set_exception(error)

    async def _pursue(self, resumed: bool) -> Outcome:
        lane, outbox = self._lane, self._parts.outbox
        try:
            outcome = await self._deliver(resumed)
            lane.arrived(self.nonce)
            lane.settle(self.tx_id)
            if not self._accepted.done():
                self._accepted.set_result(None)
            if outcome is None:
                outcome = await self._confirm()
            if outcome.status in {"expired", "dropped"}:
                lane.ended(self.nonce)
            outbox.remove(self.tx_id)
            return outcome
        except Exception as error:
            if is_final(error):
                lane.ended(self.nonce)
                lane.settle(self.tx_id)
                outbox.remove(self.tx_id)
            else:
                lane.give_up(self.tx_id)
            raise

    async def _deliver(self, resumed: bool) -> Outcome | None:
        """Sends until the venue has it; returns its outcome if that is already known."""
        deadline = time.monotonic() + self._parts.transport.retry.submission
        may_have_arrived = resumed
        if resumed:
            known, lapsed = await self._resolve(deadline)
            if known is not None:
                return read_outcome(self.tx_id, known)
            if lapsed is not None:
                return lapsed
        attempts = 0
        while True:
            attempts += 1
            error = await self._send()
            step, may = decide(error)
            if step == CONFIRM:
                return None
            assert error is not None
            may_have_arrived = may_have_arrived or may
            if may_have_arrived:
                self._lane.mark_uncertain(self.tx_id)
            if step == STOP and not may_have_arrived:
                raise error
            if step != STOP:
                if time.monotonic() >= deadline:
                    raise unknown(self.tx_id, "got no clear answer", error) if may_have_arrived else error
                await self._pause(attempts, error)
            if step == RESEND:
                continue
            known, lapsed = await self._resolve(deadline, find_lapse=step != STOP)
            if known is not None:
                return read_outcome(self.tx_id, known)
            if step == STOP:
                raise error
            if lapsed is not None:
                return lapsed

    async def _send(self) -> Exception | None:
        try:
            await self._parts.transport.request(
                "POST",
                "/transactions",
                body=self._entry.body.encode(),
                headers={"idempotency-key": self.key},
            )
        except (VenueError, ClientError) as error:
            return error
        return None

    async def _resolve(
        self, deadline: float, *, find_lapse: bool = True
    ) -> tuple[models.Confirmation | None, Outcome | None]:
        """What the venue knows of it; for an unknown one, its outcome if no block can include it any more."""
        known = await self._ask(deadline, lambda: self._read_confirmation(0.0))
        if known is not None or not find_lapse:
            return known, None
        return None, await self._ask(deadline, self._find_lapse)

    async def _find_lapse(self) -> Outcome | None:
        checked = await self._parts.network.check(fresh=True)
        if checked.status.head.height < self._entry.valid_until:
            return None
        state = await self._parts.read_nonce(self._lane.key)
        if int(state.committed_next) <= self.nonce:
            return Outcome(self.tx_id, "expired")
        raise lost(self.tx_id, "is no longer known and its nonce is used: read orders, balances and positions")

    async def _confirm(self) -> Outcome:
        """Waits for the block."""
        transport = self._parts.transport
        deadline = time.monotonic() + transport.retry.submission
        attempts = 0
        while True:
            attempts += 1
            started = time.monotonic()
            try:
                confirmation = await self._read_confirmation(POLL)
                if confirmation is None:
                    await self._parts.network.check(fresh=True)
                    raise lost(self.tx_id, "was accepted by the venue, which no longer knows it")
                outcome = read_outcome(self.tx_id, confirmation)
                if outcome is not None:
                    return outcome
            except (VenueError, ClientError) as error:
                if not is_passing(error) or time.monotonic() >= deadline:
                    raise self._describe(error, "was accepted, and its outcome could not be read") from error
                await self._pause(attempts, error)
                continue
            attempts = 0
            deadline = time.monotonic() + transport.retry.submission
            # A pause between requests if the venue does not wait.
            if time.monotonic() - started < POLL / 2:
                await asyncio.sleep(transport.retry.base)

    async def _read_confirmation(self, wait: float) -> models.Confirmation | None:
        path = f"/transactions/{self.tx_id}/confirmation"
        transport = self._parts.transport
        try:
            body = await transport.request("GET", path, query={"waitMs": int(wait * 1000)} if wait else None, wait=wait)
        except VenueError as error:
            if error.code == "NOT_FOUND":
                return None
            raise
        return transport.decode(body, models.Answer[models.Confirmation], path).data

    async def _ask(self, deadline: float, question: Callable[[], Awaitable[T]]) -> T:
        """Asks until there is an answer: a failed request shows nothing about the transaction."""
        attempts = 0
        while True:
            attempts += 1
            try:
                return await question()
            except (VenueError, ClientError) as error:
                if not is_passing(error) or time.monotonic() >= deadline:
                    raise self._describe(error, "could not be asked for") from error
                await self._pause(attempts, error)

    async def _pause(self, attempts: int, error: Exception) -> None:
        asked = error.problem.retry_after_ms if isinstance(error, VenueError) else None
        await asyncio.sleep(self._parts.transport.retry.wait(attempts, asked))

    def _describe(self, error: Exception, words: str) -> Exception:
        """The error to raise for a failed request. Errors that the client makes itself stay as they are."""
        is_own = isinstance(error, ClientError) and not is_unanswered(error) and error.code != "RESPONSE_INVALID"
        return error if is_own else unknown(self.tx_id, words, error)


def is_final(error: Exception) -> bool:
    """Whether the outcome cannot be found any more; any other error leaves the transaction in the outbox."""
    if isinstance(error, VenueError):
        return True
    return isinstance(error, ClientError) and error.code in {"TRANSACTION_LOST", "RESPONSE_INVALID"}


def is_passing(error: Exception) -> bool:
    """Whether the same request may get an answer later."""
    if isinstance(error, ClientError) and error.code == "RESPONSE_INVALID":
        return bool(error.details.get("status", 0) >= 500)
    return is_unanswered(error) or (isinstance(error, VenueError) and error.problem.retryable)


def unknown(tx_id: str, words: str, cause: Exception | None = None) -> OutcomeUnknown:
    hint = None
    if isinstance(cause, VenueError) and cause.code == "SESSION_REQUIRED":
        hint = "the venue shows outcomes only with a session; call sign_in(), which looks for this one again"
    text = f"{tx_id} {words}" + (f": {cause}" if cause is not None else "")
    return OutcomeUnknown("OUTCOME_UNKNOWN", text, hint=hint, details={"tx_id": tx_id})


def lost(tx_id: str, words: str) -> ClientError:
    return ClientError("TRANSACTION_LOST", f"{tx_id} {words}", details={"tx_id": tx_id})
