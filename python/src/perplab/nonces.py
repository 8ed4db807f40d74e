"""Nonces of one lane, each assigned to one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from . import models
from .errors import OutcomeUnknown

T = TypeVar("T")


@dataclass(frozen=True)
class LaneKey:
    """A nonce counts for one account, subaccount, signer and domain (NON-1)."""

    account: str
    subaccount: int
    signer: str
    domain: str


class NonceLane:
    """Assigns the nonces of a lane.

    A task holds the lane until its transaction is signed and recorded; if it fails before, its nonce is free again.
    While it is unknown whether the venue has a transaction of the lane, no nonce is assigned.
    """

    def __init__(self, key: LaneKey, read_state: Callable[[], Awaitable[models.NonceState]]) -> None:
        self.key = key
        self._read_state = read_state
        self._next: int | None = None
        self._pending: set[int] = set()
        self._on_the_way: set[int] = set()
        self._uncertain: set[str] = set()
        self._given_up: dict[str, None] = {}
        self._lock = asyncio.Lock()
        self._certain = asyncio.Event()
        self._certain.set()

    async def take(self, task: Callable[[int], Awaitable[T]]) -> T:
        """Runs a task with the next nonce, alone in the lane.

        Raises:
            OutcomeUnknown: while the client has stopped looking for the outcome of a transaction of the lane
        """
        async with self._lock:
            await self._certain.wait()
            for tx_id in self._given_up:
                raise OutcomeUnknown(
                    "OUTCOME_UNKNOWN",
                    f"{tx_id} may still commit: no nonce before its outcome is known",
                    hint="call recover()",
                    details={"tx_id": tx_id},
                )
            nonce = await self._find()
            self._on_the_way.add(nonce)
            try:
                result = await task(nonce)
            except BaseException:
                self._on_the_way.discard(nonce)
                raise
            if self._next == nonce:
                self._next = nonce + 1
            return result

    def arrived(self, nonce: int) -> None:
        """The venue has the transaction with this nonce."""
        self._on_the_way.discard(nonce)

    def ended(self, nonce: int) -> None:
        """The transaction will never commit: its nonce may be free again, and the venue is asked."""
        self._on_the_way.discard(nonce)
        self._next = None

    def adopt(self, nonce: int) -> None:
        """A nonce that was assigned before this client was made."""
        self._on_the_way.add(nonce)

    def mark_uncertain(self, tx_id: str) -> None:
        """It is not known whether the venue has the transaction."""
        self._given_up.pop(tx_id, None)
        self._uncertain.add(tx_id)
        self._certain.clear()

    def give_up(self, tx_id: str) -> None:
        """The outcome is unknown, and no submission looks for it any more."""
        self._given_up[tx_id] = None
        self.settle(tx_id)

    def settle(self, tx_id: str) -> None:
        """The outcome is known again."""
        self._uncertain.discard(tx_id)
        if not self._uncertain:
            self._certain.set()

    def forget(self) -> None:
        """The network may have changed: the venue is asked again."""
        self._next = None
        self._pending = set()
        self._on_the_way.clear()
        self._given_up.clear()

    async def _find(self) -> int:
        if self._next is None:
            state = await self._read_state()
            self._pending = {int(one.nonce) for one in state.pending}
            self._next = int(state.pending_next)
        following = self._next
        while following in self._pending or following in self._on_the_way:
            following += 1
        self._next = following
        return following
