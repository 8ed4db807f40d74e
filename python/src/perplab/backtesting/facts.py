"""Facts that a strategy receives. Numbers are floats: USD per unit of base, units of base, USD, ratios.

Times are milliseconds since 1970-01-01T00:00:00Z.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "Bar",
    "Cancellation",
    "Fill",
    "FrameBar",
    "Funding",
    "IntentChange",
    "Liquidation",
    "Rejection",
    "Timer",
    "Trade",
]

Side = Literal["buy", "sell"]


class Bar(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A finished bar: recorded, or made of recorded trades. It covers [open_time_ms, close_time_ms).

    Attributes:
        volume: Units of base.
    """

    market: str
    open_time_ms: int
    close_time_ms: int
    open: float
    high: float
    low: float
    close: float
    volume: float


class Fact(msgspec.Struct, frozen=True, rename="camel"):
    """A fact that travels with the names of its fields."""


class FrameBar(Fact, frozen=True):
    """A finished bar of a higher time frame.

    Attributes:
        frame: As the strategy declares it: `4h`.
        bars: How many bars it is made of; fewer than usual where the data has a gap.
    """

    frame: str
    market: str
    open_time_ms: int
    close_time_ms: int
    open: float
    high: float
    low: float
    close: float
    volume: float
    bars: int


class Timer(Fact, frozen=True):
    """A call of a timer.

    Attributes:
        time_ms: When it was due; the block may be later.
        missed: Earlier times that came since the last block, for which it was not called.
    """

    name: str
    time_ms: int
    missed: int


class Trade(Fact, frozen=True):
    """A trade of the data.

    Attributes:
        side: Side of the taker; None where the data does not say.
    """

    market: str
    time_ms: int
    price: float
    size: float
    side: Side | None = None


class Fill(Fact, frozen=True):
    """A fill of the strategy's account.

    Attributes:
        id: The order's transaction; empty for a fill that the venue made (a liquidation).
        fee: Paid when positive, a rebate when negative.
        remaining: Of the order, after this fill.
        intent: Kind of the intent that placed the order; None for an order that the strategy placed.
    """

    market: str
    time_ms: int
    id: str
    side: Side
    price: float
    size: float
    fee: float
    role: Literal["maker", "taker"]
    remaining: float
    liquidation: bool
    intent: str | None = None


class Funding(Fact, frozen=True):
    """A funding payment of the strategy's account.

    Attributes:
        rate: Of the interval; longs pay when positive.
        amount: Into the account when positive.
    """

    market: str
    time_ms: int
    rate: float
    amount: float


class Liquidation(Fact, frozen=True):
    """A stage of a liquidation of the strategy's account.

    Attributes:
        stage: open, bookClosing, recovered, completed, insuranceCover, deleveraging or socialized.
    """

    market: str
    time_ms: int
    stage: str
    mark: float


class Rejection(Fact, frozen=True):
    """A transaction that the venue refused, or that named less than one lot and was not sent.

    Attributes:
        code: Stable code, for example `INSUFFICIENT_MARGIN`.
        smallest_size: Of an order that is too small: the smallest size that the market takes at its mark.
    """

    id: str
    time_ms: int
    code: str
    smallest_size: float | None = None


class Cancellation(Fact, frozen=True):
    """An order of the strategy that ended before it was filled whole.

    Attributes:
        unfilled: Units of base that were not filled.
        cause: Why it ended, for example `timeInForce`, `owner` or `reduceOnly`.
        intent: Kind of the intent that placed the order; None for an order that the strategy placed.
    """

    market: str
    time_ms: int
    id: str
    unfilled: float
    cause: str
    intent: str | None = None


class IntentChange(Fact, frozen=True):
    """An intent of the strategy fired or ended.

    Attributes:
        id: The transaction that placed it; the legs of a bracket have the same.
        kind: stop, takeProfit or trailingStop.
        status: triggered, executed, failed, cancelled or expired.
        cause: Of `failed` the code of the rejection, of `cancelled` the reason; None for the others.
    """

    market: str
    time_ms: int
    id: str
    kind: str
    status: str
    cause: str | None = None
