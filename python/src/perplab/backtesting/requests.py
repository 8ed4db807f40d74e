"""Arguments of a strategy's actions, as they travel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from ..errors import StrategyError

Side = Literal["buy", "sell"]
TimeInForce = Literal["GTC", "IOC", "FOK"]
PriceSource = Literal["mark", "index", "last"]


class TriggerLeg(TypedDict, total=False):
    """A price at which an order is placed: `trigger`, and how it is placed."""

    trigger: float
    source: PriceSource
    price: float
    slippage: float
    time_in_force: TimeInForce
    post_only: bool


class TrailLeg(TypedDict, total=False):
    """A distance at which a stop follows the best price: `trail` in USD or `trail_rate` as a ratio."""

    trail: float
    trail_rate: float
    source: PriceSource
    price: float
    slippage: float
    time_in_force: TimeInForce
    post_only: bool


#: Where a position is closed at a loss: a trigger price, or a trailing distance.
StopLeg = float | TriggerLeg | TrailLeg
#: Where a position is closed at a profit: a trigger price.
TakeProfitLeg = float | TriggerLeg

WORDS: Mapping[str, tuple[str, ...]] = {
    "side": ("buy", "sell"),
    "timeInForce": ("GTC", "IOC", "FOK"),
    "source": ("mark", "index", "last"),
}
FLAGS = frozenset({"postOnly", "reduceOnly"})
TEXTS = frozenset({"market"})
WHOLES = frozenset({"untilMs"})
LEG_FIELDS = frozenset(TriggerLeg.__annotations__) | frozenset(TrailLeg.__annotations__)


def request_of(**given: Any) -> dict[str, Any]:
    """The fields that were given, checked, with the names that the protocol has.

    Raises:
        StrategyError: ORDER_INVALID
    """
    fields = {}
    for name, value in given.items():
        if value is not None:
            camel = to_camel(name)
            fields[camel] = leg_of(camel, value) if camel in ("stop", "takeProfit") else check(camel, value)
    return fields


def leg_of(name: str, value: Any) -> Any:
    """A leg: a trigger price, or a dict of fields."""
    if not isinstance(value, Mapping):
        return number_of(name, value)
    unknown = next((field for field in value if field not in LEG_FIELDS), None)
    if unknown is not None:
        raise invalid(f"a leg has no field {unknown!r}", f"fields are {', '.join(sorted(LEG_FIELDS))}", name)
    return {to_camel(field): check(to_camel(field), one) for field, one in value.items() if one is not None}


def check(name: str, value: Any) -> Any:
    """A value as its field has it."""
    words = WORDS.get(name)
    if words is not None:
        if value not in words:
            raise invalid(f"{name} cannot be {value!r}", f"give {' or '.join(words)}", name)
        return value
    if name in FLAGS:
        return bool(value)
    if name in TEXTS:
        return str(value)
    if name in WHOLES:
        return int(value)
    return number_of(name, value)


def number_of(name: str, value: Any) -> float:
    """Any number as a float."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise invalid(f"{name} {value!r} is no number", "give a float", name) from None


def to_camel(name: str) -> str:
    """`take_profit` as `takeProfit`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def invalid(message: str, hint: str, place: str) -> StrategyError:
    """The error of an argument."""
    return StrategyError("ORDER_INVALID", message, hint=hint, details={"place": place})
