"""The six checks before a signature, in the words of the specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import models
from ._actions import ACTIONS
from .actions import Action
from .network import CheckedNetwork
from .nonces import LaneKey

ZERO_ID = "0x" + "0" * 64

#: Statuses in which a market takes no order, as far as a client can say.
CLOSED = {"initializing", "cancelOnly", "halted", "settling", "settled"}


@dataclass(frozen=True)
class PreflightFailure:
    """A reason not to sign.

    Attributes:
        check: network, signer, intent, nonce, validity or numbers.
        code: Stable code.
        place: Place in the transaction: `header.nonce`, `payload.size`.
        message: What is wrong, and what to do.
    """

    check: str
    code: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message} ({self.code})"


@dataclass(frozen=True)
class PreflightFacts:
    """What a transaction is checked against.

    Attributes:
        action: The action that was asked for.
        payload: The payload that was asked for, as JSON has it.
        network: The venue's network.
        signer: Address that will sign.
        lane: Lane for which the nonce was read.
        committed_next: First nonce of the lane that has not committed; None if unknown.
        grant: The grant that the header names; None if there is none with that id.
        markets: Markets by name.
    """

    action: str
    payload: Mapping[str, Any]
    network: CheckedNetwork
    signer: str
    lane: LaneKey
    committed_next: int | None
    grant: models.Authorization | None
    markets: Mapping[str, models.Market]


def preflight(transaction: Mapping[str, Any], facts: PreflightFacts) -> list[PreflightFailure]:
    """Every reason not to sign the transaction; empty if all six checks pass."""
    return [
        *check_network(transaction["header"], facts.network),
        *check_signer(transaction, facts),
        *check_intent(transaction, facts),
        *check_nonce(transaction, facts),
        *check_validity(transaction["header"], facts.network),
        *check_markets(transaction, facts.markets),
    ]


def check_network(header: Mapping[str, Any], network: CheckedNetwork) -> Iterator[PreflightFailure]:
    if header["network"] != network.identity.name:
        message = f"the venue is {network.identity.name}, the transaction is for {header['network']}"
        yield PreflightFailure("network", "WRONG_NETWORK", "header.network", message)
    versions = network.status.versions
    for place, taken in (("protocolVersion", versions.protocol), ("envelopeVersion", versions.envelope)):
        if header[place] not in taken:
            message = f"the venue takes {', '.join(map(str, taken))}"
            yield PreflightFailure("network", "WRONG_VERSION", f"header.{place}", message)


def check_signer(transaction: Mapping[str, Any], facts: PreflightFacts) -> Iterator[PreflightFailure]:
    header = transaction["header"]
    fault = find_signer_fault(transaction, facts)
    if fault is not None:
        code, place, message = fault
        yield PreflightFailure("signer", code, place, message)
    elif header["authorization"] != ZERO_ID and facts.grant is not None:
        yield from check_scope(transaction, facts.grant)


def find_signer_fault(transaction: Mapping[str, Any], facts: PreflightFacts) -> tuple[str, str, str] | None:
    header, grant = transaction["header"], facts.grant
    if header["signer"] != facts.signer:
        return "WRONG_SIGNER", "header.signer", f"the account that signs is {facts.signer}"
    place = "header.authorization"
    is_owner = header["signer"] == header["account"]
    if header["authorization"] == ZERO_ID:
        if is_owner:
            return None
        words = "the signer is not the owner: name the grant, or act for the account itself"
        return "AUTHORIZATION_MISSING", place, words
    if is_owner:
        return "AUTHORIZATION_FOREIGN", place, "an owner signs without a grant: leave it out"
    if grant is None:
        return "AUTHORIZATION_UNKNOWN", place, "there is no such grant; has it committed?"
    if (grant.owner, grant.agent) != (header["account"], header["signer"]):
        return "AUTHORIZATION_FOREIGN", place, f"the grant lets {grant.agent} act for {grant.owner}"
    # An agent may revoke its own grant in any state; the venue decides.
    if transaction["action"] != "revokeAuthorization" and grant.status != "active":
        return "AUTHORIZATION_NOT_ACTIVE", place, f"the grant is {grant.status}"
    return None


def check_scope(transaction: Mapping[str, Any], grant: models.Authorization) -> Iterator[PreflightFailure]:
    action = ACTIONS[transaction["action"]]
    if action.name == "revokeAuthorization":
        return
    scope = action.scope
    # A trade scope includes reduce; whether an order only reduces is for the venue to check.
    covers = {"trade", "reduce"} if scope in {"trade", "reduce"} else {scope}
    if scope != "any" and not covers & set(grant.scopes):
        message = f"{action.name} needs {scope}; the grant covers {', '.join(grant.scopes) or 'nothing'}"
        yield PreflightFailure("signer", "AUTHORIZATION_SCOPE", "action", message)
        return
    if grant.subaccounts is not None and transaction["header"]["subaccount"] not in grant.subaccounts:
        message = f"the grant covers subaccounts {', '.join(map(str, grant.subaccounts)) or 'none'}"
        yield PreflightFailure("signer", "AUTHORIZATION_SCOPE", "header.subaccount", message)
        return
    for market in markets_of(transaction["payload"]):
        if grant.markets is not None and market not in grant.markets:
            message = f"the grant covers {', '.join(grant.markets) or 'no market'}, not {market}"
            yield PreflightFailure("signer", "AUTHORIZATION_SCOPE", "payload", message)
            return


def markets_of(payload: Mapping[str, Any]) -> Iterator[str]:
    """Markets that a payload names."""
    if payload.get("market"):
        yield payload["market"]
    for order in payload.get("orders", []):
        yield from markets_of(order)


def check_intent(transaction: Mapping[str, Any], facts: PreflightFacts) -> Iterator[PreflightFailure]:
    if transaction["action"] != facts.action:
        yield PreflightFailure("intent", "NOT_AS_ASKED", "action", f"{facts.action} was asked for")
    elif transaction["payload"] != facts.payload:
        message = "the payload is not the one that was asked for"
        yield PreflightFailure("intent", "NOT_AS_ASKED", "payload", message)


def check_nonce(transaction: Mapping[str, Any], facts: PreflightFacts) -> Iterator[PreflightFailure]:
    header, lane = transaction["header"], facts.lane
    action: Action = ACTIONS[transaction["action"]]
    if header["nonceDomain"] not in action.domains:
        message = f"nonces of {action.name} count in {', '.join(action.domains)}"
        yield PreflightFailure("nonce", "WRONG_DOMAIN", "header.nonceDomain", message)
        return
    used = LaneKey(header["account"], header["subaccount"], header["signer"], header["nonceDomain"])
    if used != lane:
        message = f"the nonce was read for {lane}, not for {used}"
        yield PreflightFailure("nonce", "WRONG_LANE", "header.nonce", message)
    elif facts.committed_next is not None and int(header["nonce"]) < facts.committed_next:
        message = f"the lane has come to {facts.committed_next}; ask for a nonce"
        yield PreflightFailure("nonce", "NONCE_USED", "header.nonce", message)


def check_validity(header: Mapping[str, Any], network: CheckedNetwork) -> Iterator[PreflightFailure]:
    height, most = network.height, network.status.limits.validity_blocks_most
    first, last = header["validFrom"], header["validUntil"]
    if last <= height:
        message = f"the venue is at {height}: no block can carry it any more"
        yield PreflightFailure("validity", "EXPIRED", "header.validUntil", message)
    elif last - first > most:
        message = f"{last - first} blocks from validFrom; the venue takes {most}"
        yield PreflightFailure("validity", "VALIDITY_TOO_LONG", "header.validUntil", message)
    elif first > last:
        message = f"is above validUntil, {last}: no block can carry it"
        yield PreflightFailure("validity", "VALIDITY_EMPTY", "header.validFrom", message)
    elif first > height + most:
        message = f"the venue is at {height} and takes at most {most} blocks ahead"
        yield PreflightFailure("validity", "VALIDITY_TOO_FAR", "header.validFrom", message)


def check_markets(transaction: Mapping[str, Any], markets: Mapping[str, models.Market]) -> Iterator[PreflightFailure]:
    """Markets that exist and are open; prices on their ticks, sizes on their lots and within their bounds."""
    for place, order, enters in orders_of(transaction):
        market = markets.get(order["market"])
        if market is None:
            message = f"markets are {', '.join(markets)}"
            yield PreflightFailure("intent", "UNKNOWN_MARKET", f"{place}.market", message)
        elif enters:
            yield from check_order(place, order, market)


def check_order(place: str, order: Mapping[str, Any], market: models.Market) -> Iterator[PreflightFailure]:
    if market.status in CLOSED:
        yield PreflightFailure("intent", "MARKET_CLOSED", f"{place}.market", f"{market.market} is {market.status}")
    size, price = Decimal(order.get("size") or 0), Decimal(order.get("price") or 0)
    if price % market.tick_size != 0:
        message = f"not a multiple of the tick, {market.tick_size}"
        yield PreflightFailure("numbers", "OFF_TICK", f"{place}.price", message)
    if size % market.lot_size != 0:
        message = f"not a multiple of the lot, {market.lot_size}"
        yield PreflightFailure("numbers", "OFF_LOT", f"{place}.size", message)
    # Reduce-only orders may be smaller than the smallest; closing only reduces, and a size of 0 closes all.
    reduces = order.get("reduceOnly", True)
    if (not reduces and 0 < size < market.min_size) or size > market.max_size:
        message = f"orders are from {market.min_size} to {market.max_size}"
        yield PreflightFailure("numbers", "SIZE_OUT_OF_RANGE", f"{place}.size", message)


def orders_of(transaction: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Place, fields, and whether it enters the book, of what a transaction asks of a market."""
    action, payload = transaction["action"], transaction["payload"]
    if action == "placeOrders":
        for at, order in enumerate(payload["orders"]):
            yield f"payload.orders[{at}]", order, True
    elif action in {
        "placeOrder",
        "closePosition",
        "placeIntent",
        "setLeverage",
        "setMarginMode",
        "cancelAll",
    } and (payload.get("market")):
        yield "payload", payload, action in {"placeOrder", "closePosition"}
