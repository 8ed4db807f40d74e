"""Which network the client signs for, and how it notices that the network is another one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from . import models
from .errors import ClientError, NetworkChanged

#: Version of this package, and what it can sign.
VERSION = "0.1.0"
SUPPORTED_API = 1
SUPPORTED_PROTOCOL = (1,)
SUPPORTED_ENVELOPE = (1,)


@dataclass(frozen=True)
class NetworkIdentity:
    """A network: what signatures are bound to, and the epoch of its chain, which rises when it is replaced."""

    name: str
    chain_id: int
    genesis_hash: str
    epoch: int


@dataclass(frozen=True)
class NetworkChange:
    """How the network differs from the one that the client knew.

    Attributes:
        field: name, chain_id, genesis_hash, epoch, or block if the chain lacks a block that it had.
        before: What the client knew.
        now: What the venue answered.
    """

    field: str
    before: str
    now: str


@dataclass(frozen=True)
class CheckedNetwork:
    """A network that was checked a moment ago and may be signed for."""

    identity: NetworkIdentity
    protocol_version: int
    envelope_version: int
    status: models.Status
    height: int


class Network:
    """Guards every signature: reads `/status`, refuses unknown versions, and pins the network that answers first.

    A change is reported once, whether a read, a signature or a stream finds it. Until `accept` nothing is signed.
    """

    def __init__(
        self,
        read_status: Callable[[], Awaitable[models.Status]],
        *,
        expected: str | None,
        most_age: float,
        on_change: Callable[[NetworkChange], None],
    ) -> None:
        self._read_status = read_status
        self._expected = expected
        self._most_age = most_age
        self._on_change = on_change
        self._pinned: NetworkIdentity | None = None
        self._streamed: tuple[str, str, int] | None = None
        self._change: NetworkChange | None = None
        self._checked: CheckedNetwork | None = None
        self._checked_at = float("-inf")
        self._reading = asyncio.Lock()

    @property
    def pinned(self) -> NetworkIdentity | None:
        """The network as the client knows it; None before the first answer."""
        return self._pinned

    @property
    def change(self) -> NetworkChange | None:
        """The change that was not accepted yet."""
        return self._change

    def accept(self) -> None:
        """Signs for the changed network from now on: the next answer is pinned."""
        self._pinned = self._streamed = self._change = self._checked = None

    async def check(self, *, fresh: bool = False) -> CheckedNetwork:
        """The network, not older than the greatest age.

        Raises:
            ClientError: NETWORK_MISMATCH, NETWORK_CHANGED, VERSION_UNSUPPORTED
        """
        self.require_unchanged()
        asked_at = time.monotonic()
        if not fresh and self._checked is not None and asked_at - self._checked_at <= self._most_age:
            return self._checked
        async with self._reading:
            # Another call may have read it while this one waited.
            if self._checked is not None and self._checked_at >= asked_at:
                return self._checked
            return await self._read()

    def require_unchanged(self) -> None:
        """
        Raises:
            NetworkChanged: until the change is accepted
        """
        if self._change is not None:
            raise changed(self._change)

    def note_height(self, height: int) -> None:
        """The venue has reached this height: the next transaction is valid from there."""
        checked = self._checked
        if checked is not None and height > checked.height:
            self._checked = CheckedNetwork(
                checked.identity, checked.protocol_version, checked.envelope_version, checked.status, height
            )

    def note_stream(self, name: str, genesis_hash: str, epoch: int) -> None:
        """A stream named its network, with each connection and each epoch."""
        known = self._pinned
        before = (known.name, known.genesis_hash, known.epoch) if known is not None else self._streamed
        now = (name, genesis_hash, epoch)
        self._streamed = now
        if before is None:
            return
        for field, was, is_ in zip(("name", "genesis_hash", "epoch"), before, now, strict=True):
            if was != is_:
                self._report(NetworkChange(field, str(was), str(is_)))
                return

    def note_other_block(self, before: str, now: str) -> None:
        """The chain lacks a block that it had."""
        self._report(NetworkChange("block", before, now))

    def _report(self, change: NetworkChange) -> None:
        if self._change is not None and (self._change.field, self._change.now) == (change.field, change.now):
            return
        self._change = change
        self._on_change(change)

    async def _read(self) -> CheckedNetwork:
        started = time.monotonic()
        status = await self._read_status()
        seen = status.network
        identity = NetworkIdentity(seen.name, seen.chain_id, seen.genesis_hash, seen.epoch)
        if self._expected is not None and self._expected != identity.name:
            raise ClientError(
                "NETWORK_MISMATCH",
                f"the venue's network is {identity.name}; this client is for {self._expected}",
                details={"expected": self._expected, "observed": identity.name},
            )
        if self._pinned is not None:
            for field in ("name", "chain_id", "genesis_hash", "epoch"):
                before, now = getattr(self._pinned, field), getattr(identity, field)
                if before != now:
                    change = NetworkChange(field, str(before), str(now))
                    self._report(change)
                    raise changed(change)
        protocol, envelope = check_versions(status)
        self._pinned = identity
        self._checked = CheckedNetwork(identity, protocol, envelope, status, status.head.height)
        self._checked_at = started
        return self._checked


def changed(change: NetworkChange) -> NetworkChanged:
    """The error of every call that would sign."""
    if change.field == "block":
        words = f"the venue's chain no longer has block {change.before}"
    else:
        words = f"the venue's {change.field} was {change.before} and is {change.now}"
    return NetworkChanged(
        "NETWORK_CHANGED",
        words,
        hint="read everything again, then call network.accept()",
        details={"field": change.field, "before": change.before, "now": change.now},
    )


def check_versions(status: models.Status) -> tuple[int, int]:
    """The newest versions of rules and envelope that venue and client share.

    Raises:
        ClientError: VERSION_UNSUPPORTED
    """
    versions = status.versions
    if numbers_of(VERSION) < numbers_of(versions.sdk.python.minimum):
        raise unsupported("client", f"from {versions.sdk.python.minimum}", VERSION)
    if numbers_of(versions.api)[0] != SUPPORTED_API:
        raise unsupported("interface", versions.api, f"{SUPPORTED_API}.x")
    return (
        newest("protocol", versions.protocol, SUPPORTED_PROTOCOL),
        newest("envelope", versions.envelope, SUPPORTED_ENVELOPE),
    )


def newest(of: str, venue: list[int], client: tuple[int, ...]) -> int:
    common = [version for version in client if version in venue]
    if not common:
        raise unsupported(of, ", ".join(map(str, venue)), ", ".join(map(str, client)))
    return max(common)


def numbers_of(version: str) -> tuple[int, ...]:
    """A version as numbers that compare."""
    return tuple(int(part) for part in version.split("-")[0].split("."))


def unsupported(of: str, venue: str, client: str) -> ClientError:
    return ClientError(
        "VERSION_UNSUPPORTED",
        f"the venue takes {of} {venue}, this client speaks {client}",
        hint="update perplab, or the venue",
        details={"of": of, "venue": venue, "client": client},
    )
