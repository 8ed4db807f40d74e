"""What a strategy sees. Numbers are floats: USD, units of base, ratios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from ..errors import StrategyError
from .messages import WireMarket

if TYPE_CHECKING:
    from .context import Context

E8 = 1e8
#: How far from a step a number may be, as a share of the step, before it counts as off the grid.
TOLERANCE = 1e-6


class Level(msgspec.Struct, frozen=True):
    """A price level of the book."""

    price: float
    size: float


class Order(msgspec.Struct, frozen=True, rename="camel"):
    """A resting order of the account."""

    id: str
    market: str
    side: Literal["buy", "sell"]
    price: float
    remaining: float
    filled: float
    reduce_only: bool


class Intent(msgspec.Struct, frozen=True, rename="camel"):
    """An order of the account that is placed when a price is reached.

    Attributes:
        id: The transaction that placed it; the legs of a bracket have the same.
        kind: stop, takeProfit or trailingStop.
        status: waiting for fills of its entry order, armed, or triggered with its order on the book.
        size: Left to trade; None where it takes a share of the position.
        trigger: Price at which it fires.
        source: The price that is compared with the trigger: mark, index or last.
    """

    id: str
    market: str
    kind: str
    status: str
    side: Literal["buy", "sell"]
    trigger: float
    source: str
    reduce_only: bool
    size: float | None = None


class Position:
    """A position of the account. `size` is known at once; the others are asked for, and move with prices."""

    __slots__ = ("_ctx", "_market", "size")

    def __init__(self, ctx: Context, market: str, size: float) -> None:
        self._ctx = ctx
        self._market = market
        #: Signed units of base: positive is long, 0 is flat.
        self.size = size

    def __repr__(self) -> str:
        return f"Position({self._market!r}, size={self.size})"

    def _get(self, at: int) -> Any:
        return self._ctx._cached("position", self._market)[at] if self.size != 0 else None

    @property
    def entry(self) -> float | None:
        """Average entry price; None when flat."""
        return optional(self._get(1))

    @property
    def unrealized(self) -> float:
        """Unrealised profit at the mark, USD."""
        return float(self._get(2) or 0)

    @property
    def liquidation_price(self) -> float | None:
        """Mark at which the account becomes liquidatable, other positions unchanged; None where there is none."""
        return optional(self._get(3))

    @property
    def isolated_margin(self) -> float | None:
        """Collateral of its own, USD; None for a cross position."""
        return optional(self._get(4))


class SeriesValue(NamedTuple):
    """A value of a recorded series.

    Attributes:
        value: The float nearest to the value.
        exact: The value as it was recorded: decimal text, which may have more digits than a float.
        time_ms: Time that the source states for it, milliseconds since 1970.
        known_ms: When it was known; never after the time up to which the strategy has seen the data.
    """

    value: float
    exact: str
    time_ms: int
    known_ms: int


class Series:
    """A recorded series of a market, such as open interest, as far as it is known now."""

    __slots__ = ("_ctx", "_market", "name")

    def __init__(self, ctx: Context, name: str, market: str | None) -> None:
        self._ctx = ctx
        self._market = market
        #: Its name, as `perplab tape info` lists it.
        self.name = name

    def __repr__(self) -> str:
        return f"Series({self.name!r})"

    @property
    def last(self) -> SeriesValue | None:
        """The last known value, however old; None before the first."""
        values = self.recent(1)
        return values[0] if values else None

    def recent(self, count: int) -> list[SeriesValue]:
        """The last known values, oldest first.

        Args:
            count: At most 1,000.

        Raises:
            StrategyError: SERIES_UNKNOWN if the data has no such series, or for another count.
        """
        rows = self._ctx._cached("series", self.name, self._market, count)
        return [SeriesValue(float(value), exact, int(at), int(known)) for value, exact, at, known in rows]


class Market:
    """A market at the last block."""

    __slots__ = ("_ctx", "_step", "lot_size", "name", "tick_size")

    def __init__(self, ctx: Context, wire: WireMarket) -> None:
        self._ctx = ctx
        #: Its name.
        self.name = wire.name
        #: Step of prices, USD.
        self.tick_size = wire.tick_size
        #: Step of sizes, units of base.
        self.lot_size = wire.lot_size
        self._step = round(wire.tick_size * E8)

    def __repr__(self) -> str:
        return f"Market({self.name!r})"

    def _price(self, at: int) -> float | None:
        return optional(self._ctx._cached("prices", self.name)[at])

    def _term(self, at: int) -> Any:
        return self._ctx._cached("terms", self.name)[at]

    @property
    def mark(self) -> float | None:
        """Price that margin is computed with; None before the first."""
        return self._price(0)

    @property
    def index(self) -> float | None:
        """Price that funding is computed with; None before the first."""
        return self._price(1)

    @property
    def last(self) -> float | None:
        """Last traded price; None before the first."""
        return self._price(2)

    @property
    def best_bid(self) -> float | None:
        """Best bid of the book; None without one."""
        return self._price(3)

    @property
    def best_ask(self) -> float | None:
        """Best ask of the book; None without one."""
        return self._price(4)

    @property
    def funding_rate(self) -> float:
        """Rate of the last settlement; longs pay when positive."""
        return float(self._term(0))

    @property
    def funding_time_ms(self) -> int | None:
        """Time of the last settlement; None before the first."""
        time: int | None = self._term(1)
        return time

    @property
    def leverage(self) -> float:
        """Leverage that the account has chosen here."""
        return float(self._term(2))

    @property
    def margin_mode(self) -> Literal["cross", "isolated"]:
        """Margin mode that the account has chosen here."""
        mode: Literal["cross", "isolated"] = self._term(3)
        return mode

    @property
    def taker_fee(self) -> float:
        """As a ratio of notional."""
        return float(self._term(4))

    @property
    def maker_fee(self) -> float:
        """As a ratio of notional."""
        return float(self._term(5))

    @property
    def smallest_size(self) -> float:
        """Smallest order that the market accepts at its mark, units of base."""
        return float(self._ctx._cached("smallestSize", self.name))

    def depth(self, side: Literal["buy", "sell"], levels: int = 10) -> list[Level]:
        """Levels of one side of the book, best first."""
        return msgspec.convert(self._ctx._ask("depth", self.name, side, levels), list[Level])

    def round_price(self, price: float, way: Literal["down", "up", "nearest"] = "nearest") -> float:
        """The price on the grid of ticks below, above or nearest."""
        exact = (price * E8) / self._step
        nearest = math.floor(exact + 0.5)
        if way == "nearest" or abs(exact - nearest) <= TOLERANCE:
            steps = nearest
        else:
            steps = math.floor(exact) if way == "down" else math.ceil(exact)
        return (steps * self._step) / E8

    def round_size(self, size: float) -> float:
        """The greatest size on the grid that is not above, nor above the largest order; 0 below `smallest_size`."""
        return float(self._ctx._ask("roundSize", self.name, float(size)))


class Account:
    """The strategy's account as the last block left it."""

    __slots__ = ("_ctx",)

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def _get(self, at: int) -> float:
        return float(self._ctx._cached("account")[at])

    @property
    def equity(self) -> float:
        """Collateral, unrealised profit at the mark and unsettled funding, USD."""
        return self._get(0)

    @property
    def collateral(self) -> float:
        """Collateral, USD."""
        return self._get(1)

    @property
    def free(self) -> float:
        """What could leave the account now, USD."""
        return self._get(2)

    @property
    def margin_ratio(self) -> float:
        """Maintenance margin over equity: liquidatable above 1; 0 when flat; inf when equity is not positive."""
        return self._get(3)

    @property
    def liquidation_price(self) -> float | None:
        """Of the position in the first market; see `position`."""
        return self.position().liquidation_price

    @property
    def in_flight(self) -> int:
        """Transactions sent and not yet in a block."""
        return self._ctx._count_in_flight()

    def position(self, market: str | None = None) -> Position:
        """The position in a market. Default: in the first."""
        ctx = self._ctx
        if market is None:
            return Position(ctx, ctx.market.name, ctx._known.sizes[0])
        for at, one in enumerate(ctx.markets):
            if one.name == market:
                return Position(ctx, market, ctx._known.sizes[at])
        raise unknown_market(market, ctx.markets)

    def orders(self, market: str | None = None) -> list[Order]:
        """Resting orders, oldest first. Default: of all markets."""
        if self._ctx._known.orders == 0:
            return []
        return msgspec.convert(self._ctx._cached("orders", market), list[Order])

    def intents(self, market: str | None = None) -> list[Intent]:
        """Stops, take-profits and trailing stops, oldest first. Default: of all markets."""
        if self._ctx._known.intents == 0:
            return []
        return msgspec.convert(self._ctx._cached("intents", market), list[Intent])


def optional(value: Any) -> float | None:
    """A number, where there is one."""
    return None if value is None else float(value)


def unknown_market(name: str, markets: Sequence[Market]) -> StrategyError:
    """The error of a market that the data does not have."""
    known = ", ".join(market.name for market in markets)
    return StrategyError("ORDER_INVALID", f"there is no market {name!r}", hint=f"markets are {known}")
