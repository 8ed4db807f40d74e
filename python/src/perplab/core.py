"""What a client of a venue holds: its connections, the network that it signs for, its lanes and its outbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx

from . import models
from ._operations import ReadMethods
from .actions import invalid
from .errors import ClientError
from .network import Network, NetworkChange
from .nonces import LaneKey, NonceLane
from .outbox import MemoryOutbox, Outbox
from .retry import RetryPolicy
from .signing import LocalSigner, Signer, read_address
from .streams import StreamClient, StreamEvents
from .submission import Submission
from .transport import Transport, origin_of, socket_url_of, write_json

T = TypeVar("T")

#: Seconds for which `/status` counts as known when the client signs.
STATUS_AGE = 1.0


class ClientCore(ReadMethods):
    """Connections and state of a client, and its reads."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        signer: Signer | None = None,
        subaccount: int = 0,
        agent_of: tuple[str, str] | None = None,
        network: str | None = None,
        outbox: Outbox | None = None,
        validity_blocks: int = 300,
        timeout: float = 10.0,
        retry: RetryPolicy | None = None,
        on_network_change: Callable[[NetworkChange], None] | None = None,
        http: httpx.AsyncClient | None = None,
        socket_url: str | None = None,
    ) -> None:
        if key is not None and signer is not None:
            raise invalid("signer", "is given next to a key", "give one of them")
        origin = origin_of(url)
        policy = retry or RetryPolicy()
        self.signer = LocalSigner(key) if key is not None else signer
        self._subaccount = subaccount
        self._agent_of = None if agent_of is None else (read_address(agent_of[0]), agent_of[1].lower())
        self._validity_blocks = validity_blocks
        self._transport = Transport(origin, timeout=timeout, retry=policy, http=http)
        self._outbox: Outbox = outbox if outbox is not None else MemoryOutbox()
        self._on_network_change = on_network_change
        self._lanes: dict[LaneKey, NonceLane] = {}
        self._pursued: dict[str, Submission] = {}
        self._markets: dict[str, models.Market] | None = None
        self._markets_at = 0.0
        self._recovered = False
        self._recovering = asyncio.Lock()
        #: The network that the client signs for.
        self.network = Network(self._read_status, expected=network, most_age=STATUS_AGE, on_change=self._drop_state)
        self._transport.on_height = self.network.note_height
        self._streams = StreamClient(
            socket_url or socket_url_of(origin),
            policy,
            StreamEvents(lambda: self._transport.token, self.network.note_stream, self.network.note_other_block),
        )

    async def close(self) -> None:
        """Closes connections and stops looking for outcomes; what is open stays in the outbox."""
        pending = list(self._pursued.values())
        for submission in pending:
            submission.cancel()
        await self._streams.close()
        await self._transport.close()
        self._outbox.close()

    @property
    def address(self) -> str:
        """The account for which the client acts, in lower case.

        Raises:
            ClientError: ACCOUNT_MISSING
        """
        return self._agent_of[0] if self._agent_of is not None else self._require_signer("this call").address

    async def _read(self, path: str, query: Mapping[str, Any], kind: type[T]) -> T:
        return await self._transport.read(path, query, kind)

    async def each(
        self, read: Callable[..., Awaitable[models.Listed[T]]], *arguments: Any, **query: Any
    ) -> AsyncIterator[T]:
        """All items of a list, page by page; all belong to the height of the first page.

        async for fill in client.each(client.list_fills, client.address): ...
        """
        cursor: str | None = None
        while True:
            page = await read(*arguments, **query, **({} if cursor is None else {"cursor": cursor}))
            for item in page.data:
                yield item
            if page.page is None or not page.page.has_more:
                return
            cursor = page.page.next

    async def _post(self, path: str, body: Mapping[str, Any], kind: type[T]) -> T:
        return self._transport.decode(await self._transport.request("POST", path, body=write_json(body)), kind, path)

    async def _read_status(self) -> models.Status:
        return (await self.get_status()).data

    async def _read_nonce(self, key: LaneKey) -> models.NonceState:
        answer = await self.get_nonce(
            key.account,
            signer=key.signer,
            subaccount=key.subaccount,
            domain=key.domain,  # type: ignore[arg-type]
        )
        return answer.data

    def _require_signer(self, action: str) -> Signer:
        if self.signer is None:
            raise ClientError(
                "ACCOUNT_MISSING", f"{action} has to be signed", hint="make the client with a key or a signer"
            )
        return self.signer

    def _lane(self, key: LaneKey) -> NonceLane:
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = NonceLane(key, lambda: self._read_nonce(key))
        return lane

    def _drop_state(self, change: NetworkChange) -> None:
        """Drops all that was read from the network before its change."""
        self._markets = None
        self._recovered = False
        for lane in self._lanes.values():
            lane.forget()
        if change.field == "genesis_hash":
            self._transport.token = None
        if self._on_network_change is not None:
            self._on_network_change(change)
