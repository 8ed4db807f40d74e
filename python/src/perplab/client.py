"""The asynchronous client of a venue."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Literal, TypeVar

import httpx

from . import models
from ._actions import ACTIONS, HEADER, ActionMethods
from ._operations import ReadMethods, quote
from .actions import Number, encode_fields, invalid, write_decimal
from .errors import ClientError, PreflightFailed, VenueError
from .network import CheckedNetwork, Network, NetworkChange
from .nonces import LaneKey, NonceLane
from .outbox import MemoryOutbox, Outbox, OutboxEntry
from .preflight import ZERO_ID, PreflightFacts, PreflightFailure, preflight
from .retry import RetryPolicy
from .session import find_fault
from .signing import LocalSigner, Signer, digest_of, read_address, sign, typed_data_of
from .streams import FollowedBook, StreamClient, StreamEvents, StreamKey, StreamMessage, messages_of
from .submission import Parts, Submission, SubmitOptions
from .transport import Transport, origin_of, socket_url_of, write_json

T = TypeVar("T")

#: Seconds for which the definitions of markets count as known.
MARKETS_AGE = 60.0
#: Seconds for which `/status` counts as known when the client signs.
STATUS_AGE = 1.0
#: No limit of a grant.
UNLIMITED = "*"

Channel = Literal[
    "blocks",
    "events",
    "markets",
    "prices",
    "trades",
    "funding",
    "liquidations",
    "insurance",
    "orders",
    "fills",
    "positions",
    "balances",
    "risk",
    "transactions",
    "intents",
    "accountLiquidations",
    "authorizations",
    "book",
]


@dataclass(frozen=True)
class Session:
    """A wallet session: it may read the account's own resources, and signs nothing."""

    session_id: str
    address: str
    expires_at_ms: int


class AsyncClient(ReadMethods, ActionMethods):
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

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes connections and stops looking for outcomes; what is open stays in the outbox."""
        pending = list(self._pursued.values())
        for submission in pending:
            submission.cancel()
        await self._streams.close()
        await self._transport.close()
        self._outbox.close()

    # Reads

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

    # Transactions

    async def submit(self, action: str, payload: Mapping[str, Any], options: SubmitOptions | None = None) -> Submission:
        """Signs an action, records it, and sends it until its outcome is known. Returns once it is recorded.

        Raises:
            PreflightFailed: one of the six checks failed; nothing was signed, and no nonce was used
            NetworkChanged: the venue's chain was replaced
            ClientError: ARGUMENT_INVALID, ACCOUNT_MISSING, NETWORK_MISMATCH, VERSION_UNSUPPORTED, SIGNATURE_INVALID
        """
        name = find_action(action)
        choices = options or SubmitOptions()
        encoded = ACTIONS[name].encode(payload)
        signer = self._require_signer(name)
        # Entries of an earlier run come before any new nonce.
        await self.recover()
        lane = self._lane(self._lane_key(name, choices, signer))

        async def record(nonce: int) -> OutboxEntry:
            network = await self.network.check()
            transaction = self._build(name, encoded, choices, lane.key, network, nonce)
            failures = await self._find_failures(transaction, name, encoded, lane.key, network, None)
            kept = [failure for failure in failures if failure.check not in choices.unchecked]
            if kept:
                raise failed(kept)
            entry = await self._sign(transaction, lane.key, network, signer)
            self._outbox.put(entry)
            return entry

        # A replacement takes the nonce of the transaction that it replaces.
        entry = await (lane.take(record) if choices.replaces is None else record(choices.replaces[1]))
        return self._pursue(entry, lane)

    async def preflight(
        self, action: str, payload: Mapping[str, Any], options: SubmitOptions | None = None
    ) -> list[PreflightFailure]:
        """Runs the six checks without signing; empty if all pass."""
        name = find_action(action)
        choices = options or SubmitOptions()
        encoded = ACTIONS[name].encode(payload)
        key = self._lane_key(name, choices, self._require_signer(name))
        network = await self.network.check()
        state = await self._read_nonce(key)
        transaction = self._build(name, encoded, choices, key, network, int(state.pending_next))
        return await self._find_failures(transaction, name, encoded, key, network, int(state.committed_next))

    async def recover(self, *, again: bool = False) -> list[Submission]:
        """Looks for the outcomes of transactions that an earlier run left in the outbox.

        Each is looked up by its id; it is sent again only if the venue does not know it. Runs by itself before the
        first transaction.

        Args:
            again: Repeat it even if it ran before.
        """
        async with self._recovering:
            if self._recovered and not again:
                return []
            entries = self._outbox.entries()
            found = []
            if entries:
                identity = (await self.network.check(fresh=True)).identity
                for entry in entries:
                    # An entry signed for another network cannot commit here.
                    if (entry.chain_id, entry.genesis_hash) == (identity.chain_id, identity.genesis_hash):
                        found.append(self._resume(entry))
            self._recovered = True
            return found

    async def grant_agent(
        self,
        agent: str,
        *,
        scopes: Sequence[str] | Literal["*"],
        expires_at_ms: int,
        markets: Sequence[str] | Literal["*"] = "*",
        subaccounts: Sequence[int] | Literal["*"] = (0,),
        max_order_notional: Number | None = None,
        max_position_notional: Number | None = None,
        max_daily_notional: Number | None = None,
        max_open_orders: int | None = None,
        valid_from_ms: int = 0,
        label: str = "",
        options: SubmitOptions | None = None,
    ) -> tuple[str, Submission]:
        """Lets another key act within limits. Returns the id of the grant, known before it commits.

        Args:
            agent: Address of the key.
            scopes: trade, reduce, cancel, margin, transfer; `"*"` for all.
            expires_at_ms: Block time at which the grant ends, milliseconds.
            markets: Markets, or `"*"`.
            subaccounts: Subaccounts, or `"*"`.
            max_order_notional: Largest order, USD. Default: no limit.
            max_position_notional: Largest value of position and resting orders in a market, USD. Default: no limit.
            max_daily_notional: Value of the orders of a UTC day, USD. Default: no limit.
            max_open_orders: Most resting orders. Default: no limit.
            valid_from_ms: Block time from which it holds, milliseconds; 0 for now.
            label: Own name for it.
            options: Account, lane, validity and names that differ from the client's.
        """

        def limit(value: Number | None, place: str) -> str:
            return UNLIMITED if value is None else write_decimal(value, place)

        payload = {
            "agent": read_address(agent),
            "label": label,
            "scopes": words_of(scopes),
            "markets": words_of(markets),
            "subaccounts": words_of(subaccounts),
            "maxOrderNotional": limit(max_order_notional, "max_order_notional"),
            "maxPositionNotional": limit(max_position_notional, "max_position_notional"),
            "maxDailyNotional": limit(max_daily_notional, "max_daily_notional"),
            "maxOpenOrders": UNLIMITED if max_open_orders is None else str(max_open_orders),
            "validFrom": valid_from_ms,
            "expiresAt": expires_at_ms,
        }
        submission = await self.submit("grantAuthorization", payload, options)
        return submission.tx_id, submission

    async def revoke_agent(
        self, authorization: str, *, cancel_orders: bool = False, options: SubmitOptions | None = None
    ) -> Submission:
        """Ends a grant for ever; the owner may, and the agent itself."""
        choices = options or SubmitOptions()
        if choices.nonce_domain is None:
            choices = replace(choices, nonce_domain="admin")
        payload = {"authorization": authorization, "cancelOrders": cancel_orders}
        return await self.submit("revokeAuthorization", payload, choices)

    # Sessions

    async def sign_in(self) -> Session:
        """Opens a wallet session: later reads and streams may see the account where the venue asks for one.

        Raises:
            ClientError: SIGNATURE_INVALID if the challenge is not for this account and network
            VenueError: UNAUTHORIZED
        """
        signer = self._require_signer("a session")
        checked = await self.network.check()
        challenge = await self._post("/session/challenges", {"address": signer.address}, models.Challenge)
        fault = find_fault(challenge.message, signer.address, checked.identity.chain_id)
        if fault is not None:
            raise ClientError(
                "SIGNATURE_INVALID",
                f"the challenge is not for this account and network: {fault}",
                details={"signer": signer.address, "fault": fault},
            )
        signed = signer.sign_message(challenge.message)
        signature = signed if isinstance(signed, str) else await signed
        body = {"challengeId": challenge.challenge_id, "signature": signature}
        opened = await self._post("/session/verifications", body, models.OpenedSession)
        self._transport.token = opened.token
        self._streams.authenticate()
        await self.recover(again=True)
        return Session(opened.session_id, opened.address, opened.expires_at_ms)

    async def sign_out(self) -> None:
        """Ends the session."""
        if self._transport.token is not None:
            await self._transport.request("DELETE", "/session")
            self._transport.token = None

    # Streams

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

    # Parts

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

    def _lane_key(self, action: str, options: SubmitOptions, signer: Signer) -> LaneKey:
        owner = self._agent_of[0] if self._agent_of is not None else signer.address
        subaccount = self._subaccount if options.subaccount is None else options.subaccount
        domain = options.nonce_domain or ACTIONS[action].domains[0]
        return LaneKey(read_address(options.owner or owner), subaccount, signer.address, domain)

    def _build(
        self,
        action: str,
        payload: Mapping[str, Any],
        options: SubmitOptions,
        lane: LaneKey,
        network: CheckedNetwork,
        nonce: int,
    ) -> dict[str, Any]:
        authorization = options.authorization or (self._agent_of[1] if self._agent_of is not None else ZERO_ID)
        first = network.height if options.valid_from is None else options.valid_from
        validity = min(self._validity_blocks, network.status.limits.validity_blocks_most)
        last = max(network.height, first) + validity if options.valid_until is None else options.valid_until
        header = {
            "network": network.identity.name,
            "protocolVersion": network.protocol_version,
            "envelopeVersion": network.envelope_version,
            "account": lane.account,
            "subaccount": lane.subaccount,
            "signer": lane.signer,
            "authorization": authorization,
            "nonceDomain": lane.domain,
            "nonce": nonce,
            "validFrom": first,
            "validUntil": last,
            "replaces": ZERO_ID if options.replaces is None else options.replaces[0],
            "clientTxId": options.client_tx_id,
        }
        return {"action": action, "header": encode_fields(HEADER, header, "header"), "payload": dict(payload)}

    async def _find_failures(
        self,
        transaction: Mapping[str, Any],
        action: str,
        payload: Mapping[str, Any],
        lane: LaneKey,
        network: CheckedNetwork,
        committed_next: int | None,
    ) -> list[PreflightFailure]:
        authorization = transaction["header"]["authorization"]
        grant = None if authorization == ZERO_ID else await self._read_grant(authorization)
        markets = await self._read_markets()
        facts = PreflightFacts(action, payload, network, lane.signer, lane, committed_next, grant, markets)
        return preflight(transaction, facts)

    async def _read_grant(self, authorization: str) -> models.Authorization | None:
        try:
            return (await self.get_authorization(authorization)).data
        except VenueError as error:
            if error.code == "NOT_FOUND":
                return None
            raise

    async def _read_markets(self) -> dict[str, models.Market]:
        if self._markets is None or time.monotonic() - self._markets_at > MARKETS_AGE:
            self._markets = {market.market: market for market in (await self.list_markets()).data}
            self._markets_at = time.monotonic()
        return self._markets

    async def _sign(
        self, transaction: dict[str, Any], lane: LaneKey, network: CheckedNetwork, signer: Signer
    ) -> OutboxEntry:
        identity, header = network.identity, transaction["header"]
        domain = {"chainId": identity.chain_id, "salt": identity.genesis_hash}
        data = typed_data_of(transaction["action"], header, transaction["payload"], domain)
        digest = digest_of(data)
        signature = await sign(signer, data, digest)
        tx_id = "0x" + digest.hex()
        return OutboxEntry(
            tx_id=tx_id,
            # The id without 0x has exactly the characters that a key may have, and can be computed again if lost.
            key=tx_id[2:],
            chain_id=identity.chain_id,
            genesis_hash=identity.genesis_hash,
            account=lane.account,
            subaccount=lane.subaccount,
            signer=lane.signer,
            domain=lane.domain,
            nonce=int(header["nonce"]),
            valid_until=header["validUntil"],
            body=write_json({**transaction, "signature": signature}).decode(),
        )

    def _pursue(self, entry: OutboxEntry, lane: NonceLane, *, resumed: bool = False) -> Submission:
        parts = Parts(self._transport, self.network, self._outbox, self._read_nonce)
        submission = Submission(entry, lane, parts, resumed=resumed)
        self._pursued[entry.tx_id] = submission
        submission.on_end(lambda: self._pursued.pop(entry.tx_id, None))
        return submission

    def _resume(self, entry: OutboxEntry) -> Submission:
        pursued = self._pursued.get(entry.tx_id)
        if pursued is not None:
            return pursued
        lane = self._lane(LaneKey(entry.account, entry.subaccount, entry.signer, entry.domain))
        lane.adopt(entry.nonce)
        lane.mark_uncertain(entry.tx_id)
        return self._pursue(entry, lane, resumed=True)

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


def find_action(name: str) -> str:
    """Name of an action in JSON, from that in Python.

    Raises:
        ClientError: ARGUMENT_INVALID
    """
    first, *rest = name.split("_")
    found = first + "".join(word.capitalize() for word in rest)
    if found in ACTIONS:
        return found
    raise invalid("action", f"there is no action {name!r}", f"actions are {', '.join(sorted(ACTIONS))}")


def words_of(values: Sequence[str | int] | str) -> str:
    """A list as a grant has it: words with spaces between."""
    return values if isinstance(values, str) else " ".join(map(str, values))


def failed(failures: list[PreflightFailure]) -> PreflightFailed:
    """The error of a transaction that must not be signed."""
    return PreflightFailed(
        "PREFLIGHT_FAILED",
        f"not signed: {'; '.join(map(str, failures))}",
        hint="correct the call; no nonce was used",
        details={"failures": failures},
    )
