"""The client for programs without asyncio: scripts and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, TypeVar

from . import models
from ._sync import SyncMethods
from .actions import Number
from .book import LiveBook
from .client import AsyncClient, Channel, Session
from .network import Network
from .preflight import PreflightFailure
from .streams import FollowedBook, StreamMessage
from .submission import SubmitOptions
from .sync_base import LoopThread, SyncSubmission

T = TypeVar("T")


class SyncBook:
    """A book that follows the venue's in the background; see `FollowedBook`."""

    def __init__(self, followed: FollowedBook, thread: LoopThread) -> None:
        self._followed = followed
        self._thread = thread

    @property
    def height(self) -> int:
        """Height of the last change."""
        return self._followed.height

    def ready(self) -> LiveBook:
        """The book, once it is the venue's."""
        return self._thread.wait(self._followed.ready())

    def close(self) -> None:
        """Leaves the stream."""

        async def close() -> None:
            self._followed.close()

        self._thread.wait(close())


class Client(SyncMethods):
    """A client of one venue.

    It has the calls of `AsyncClient` without `async`: each returns its result.

        client = Client("http://127.0.0.1:8645", key="0x…")
        order = client.place_order(market="BTC-PERP", side="buy", size="0.1", price="50000")
        print(order.wait().status)

    Args:
        url: Address of the venue, or of its REST interface.
        options: As for `AsyncClient`.
    """

    def __init__(self, url: str, **options: Any) -> None:
        self._thread = LoopThread()
        try:
            self._client = self._wait(make_client(url, options))
        except BaseException:
            self._thread.close()
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes connections and the thread of the client; what is open stays in the outbox."""
        if self._thread.loop.is_closed():
            return
        self._wait(self._client.close())
        self._thread.close()

    @property
    def address(self) -> str:
        """The account for which the client acts, in lower case."""
        return self._client.address

    @property
    def network(self) -> Network:
        """The network that the client signs for; `network.accept()` after a change."""
        return self._client.network

    def each(self, read: Callable[..., models.Listed[T]], *arguments: Any, **query: Any) -> Iterator[T]:
        """All items of a list, page by page; all belong to the height of the first page."""
        cursor: str | None = None
        while True:
            page = read(*arguments, **query, **({} if cursor is None else {"cursor": cursor}))
            yield from page.data
            if page.page is None or not page.page.has_more:
                return
            cursor = page.page.next

    def preview_action(
        self, action: str, payload: Mapping[str, Any], *, address: str | None = None, subaccount: int = 0
    ) -> models.Answer[models.Preview]:
        """What an action would do in the next block, without a signature."""
        return self._wait(self._client.preview_action(action, payload, address=address, subaccount=subaccount))

    def claim_faucet(self, amount: Number | None = None, *, subaccount: int = 0) -> models.Claim:
        """Claims simulated collateral for the account."""
        return self._wait(self._client.claim_faucet(amount, subaccount=subaccount))

    def submit(self, action: str, payload: Mapping[str, Any], options: SubmitOptions | None = None) -> SyncSubmission:
        """Signs an action, records it, and sends it until its outcome is known. Returns once it is recorded."""
        return self._submission(self._client.submit(action, payload, options))

    def preflight(
        self, action: str, payload: Mapping[str, Any], options: SubmitOptions | None = None
    ) -> list[PreflightFailure]:
        """Runs the six checks without signing; empty if all pass."""
        return self._wait(self._client.preflight(action, payload, options))

    def recover(self, *, again: bool = False) -> list[SyncSubmission]:
        """Looks for the outcomes of transactions that an earlier run left in the outbox."""
        return [SyncSubmission(one, self._thread) for one in self._wait(self._client.recover(again=again))]

    def grant_agent(
        self, agent: str, *, scopes: Sequence[str] | Literal["*"], expires_at_ms: int, **limits: Any
    ) -> tuple[str, SyncSubmission]:
        """Lets another key act within limits; see `AsyncClient.grant_agent`."""
        grant, submission = self._wait(
            self._client.grant_agent(agent, scopes=scopes, expires_at_ms=expires_at_ms, **limits)
        )
        return grant, SyncSubmission(submission, self._thread)

    def revoke_agent(
        self, authorization: str, *, cancel_orders: bool = False, options: SubmitOptions | None = None
    ) -> SyncSubmission:
        """Ends a grant for ever; the owner may, and the agent itself."""
        return self._submission(self._client.revoke_agent(authorization, cancel_orders=cancel_orders, options=options))

    def sign_in(self) -> Session:
        """Opens a wallet session."""
        return self._wait(self._client.sign_in())

    def sign_out(self) -> None:
        """Ends the session."""
        self._wait(self._client.sign_out())

    def follow(
        self,
        channel: Channel,
        *,
        market: str | None = None,
        address: str | None = None,
        depth: int | Literal["full"] | None = None,
    ) -> Iterator[StreamMessage[Any]]:
        """The messages of a stream, without a gap: a snapshot, then every change. Leaving the loop ends it."""
        return self._iterate(self._client.follow(channel, market=market, address=address, depth=depth))

    def follow_book(self, market: str, depth: int | Literal["full"] = 50) -> SyncBook:
        """A book that follows the venue's in the background, verified with its checksum."""

        async def follow() -> FollowedBook:
            return self._client.follow_book(market, depth)

        return SyncBook(self._wait(follow()), self._thread)


async def make_client(url: str, options: Mapping[str, Any]) -> AsyncClient:
    """Made inside the loop that runs it."""
    return AsyncClient(url, **options)
