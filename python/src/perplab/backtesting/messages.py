"""Messages from and to perplab; docs/reference/strategy-protocol.md is their specification."""

from __future__ import annotations

from typing import Any

import msgspec

from .facts import Bar

#: Version of the protocol that this package speaks.
PROTOCOL_VERSION = 1


class Known(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is known of the account with every call: it moves with blocks alone, never with prices."""

    time_ms: int
    is_warm_up: bool
    in_flight: int
    sizes: tuple[float, ...]
    orders: int
    intents: int


class WireMarket(msgspec.Struct, frozen=True, array_like=True):
    """A market of the run, with its steps of price and size."""

    name: str
    tick_size: float
    lot_size: float


class WireFailure(msgspec.Struct, frozen=True):
    """A failure in words."""

    code: str
    message: str
    place: str | None = None
    hint: str | None = None


class Hello(msgspec.Struct, frozen=True, array_like=True, tag="hello"):
    """The host is there."""

    version: int
    perplab: str


class Start(msgspec.Struct, frozen=True, array_like=True, tag="start"):
    """A run begins."""

    params: dict[str, Any]
    markets: list[WireMarket]
    random: tuple[int, int, int, int]


class Define(msgspec.Struct, frozen=True, array_like=True, tag="define"):
    """Asks for a field of the strategy that depends on its parameters."""

    field: str
    params: dict[str, Any]


class HookCall(msgspec.Struct, frozen=True, array_like=True, tag="hook"):
    """Calls a hook."""

    known: Known
    hook: str
    fact: msgspec.Raw


class Bars(msgspec.Struct, frozen=True, array_like=True, tag="bars"):
    """Shows bars, of which each is a call of `on_bar`."""

    known: Known
    bars: list[Bar]
    times: list[int]


class Value(msgspec.Struct, frozen=True, array_like=True, tag="value"):
    """Answers an `ask`."""

    value: Any


class Refused(msgspec.Struct, frozen=True, array_like=True, tag="refused"):
    """Answers an `ask` that cannot be."""

    failure: WireFailure


class Progress(msgspec.Struct, frozen=True, array_like=True, tag="progress"):
    """A line about how far the work is."""

    note: str


class Done(msgspec.Struct, frozen=True, array_like=True, tag="result"):
    """The work is done."""

    result: msgspec.Raw


class Failed(msgspec.Struct, frozen=True, array_like=True, tag="failed"):
    """The work failed; of a run whose strategy raised, with the result up to then."""

    failure: WireFailure
    result: msgspec.Raw


Message = Hello | Start | Define | HookCall | Bars | Value | Refused | Progress | Done | Failed
