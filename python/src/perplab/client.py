"""The asynchronous client of a venue."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Literal, TypeVar

from . import models
from ._actions import ACTIONS, ActionMethods
from ._operations import quote
from .actions import Number, write_decimal
from .grants import GrantMethods
from .sessions import Session, SessionMethods
from .streams import Channel, FollowedBook, StreamKey, StreamMessage, messages_of
from .transactions import find_action
from .transport import write_json

T = TypeVar("T")

__all__ = ["AsyncClient", "Channel", "Session"]


class AsyncClient(SessionMethods, GrantMethods, ActionMethods):
    """A client of one venue, for asyncio.

    Every read of the REST interface and every action of an account is a method. An answer names the height
    that it belongs to. Decimals are `Decimal`, never float. Times end with `_ms`: milliseconds since 1970.

        async with AsyncClient("http://127.0.0.1:8645", key="0x…") as client:
            order = await client.place_order(market="BTC-PERP", side="buy", size="0.1", price="50000")
            print((await order.wait()).status)

    Args:
        url: Address of the venue, or of its REST interface.
        key: Private key that signs. Without key and signer the client only reads.
        signer: Anything else that signs; see `Signer`.
        subaccount: Acting subaccount.
        agent_of: Owner for whom the key acts as an agent, and the id of the grant that allows it.
        network: Name of the expected network. Default: the client pins the first network that answers.
        outbox: Storage of unconfirmed transactions. Default: in memory.
        validity_blocks: Blocks for which a transaction is valid.
        timeout: Seconds that an answer may take.
        retry: Waits between attempts.
        on_network_change: Called once for each change of the network.
        http: Client of httpx to use, for a proxy or certificates of your own; it is not closed.
        socket_url: Address of the streams. Default: next to the REST interface.

    Raises:
        ClientError: ARGUMENT_INVALID, SIGNATURE_INVALID
    """

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def preview_action(
        self, action: str, payload: Mapping[str, Any], *, address: str | None = None, subaccount: int = 0
    ) -> models.Answer[models.Preview]:
        """What an action would do in the next block, without a signature.

        Args:
            action: Name of the action, as `place_order` or `placeOrder`.
            payload: Its fields.
            address: Account. Default: the client's.
            subaccount: Its subaccount.
        """
        known = find_action(action)
        body = {"action": known, "payload": ACTIONS[known].encode(payload), "subaccount": subaccount}
        path = f"/accounts/{quote(address or self.address)}/preview"
        answer = await self._transport.request("POST", path, body=write_json(body))
        return self._transport.decode(answer, models.Answer[models.Preview], path)

    async def claim_faucet(self, amount: Number | None = None, *, subaccount: int = 0) -> models.Claim:
        """Claims simulated collateral for the account.

        Args:
            amount: USD. Default: the most of a claim.
            subaccount: Receiving subaccount.
        """
        body: dict[str, Any] = {"address": self.address, "subaccount": subaccount}
        if amount is not None:
            body["amount"] = write_decimal(amount, "amount")
        return await self._post("/faucet/claims", body, models.Claim)

    def follow(
        self,
        channel: Channel,
        *,
        market: str | None = None,
        address: str | None = None,
        depth: int | Literal["full"] | None = None,
    ) -> AsyncIterator[StreamMessage[Any]]:
        """The messages of a stream, without a gap: a snapshot, then every change.

        Another snapshot follows whenever the stream restarts. Leaving the loop ends the subscription.

            async for message in client.follow("trades", market="BTC-PERP"): ...
        """
        return messages_of(self._streams, StreamKey(channel, market, address, depth))

    def follow_book(self, market: str, depth: int | Literal["full"] = 50) -> FollowedBook:
        """A book that follows the venue's, verified with its checksum.

        book = client.follow_book("BTC-PERP")
        best_bid = (await book.ready()).bids[0]
        """
        return FollowedBook(self._streams, market, depth)

    @property
    def stream_gaps(self) -> int:
        """Gaps of streams that were found and filled."""
        return self._streams.gaps
