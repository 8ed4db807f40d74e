"""What a strategy sees and can do."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

from .draws import Random
from .messages import Known, Start
from .requests import PriceSource, Side, StopLeg, TakeProfitLeg, TimeInForce, number_of, request_of
from .views import Account, Intent, Market, Order, Position, Series

#: A span of time: whole milliseconds, or a text such as `30s`, `15m`, `4h`, `1d`.
Span = int | str


class Now(NamedTuple):
    """The time up to which the strategy has seen the data, and the height of the last block."""

    height: int
    time_ms: int


class Context:
    """Everything that a strategy sees and can do.

    Actions are transactions: they return the transaction's id at once and take effect when a block includes them, if
    the venue does not reject them. A fill is never a return value. A call that no venue accepts raises `StrategyError`.
    """

    def __init__(self, start: Start, ask: Callable[[str, tuple[Any, ...]], Any]) -> None:
        self._send = ask
        self._known = Known(0, False, 0, (0.0,) * len(start.markets), 0, 0)
        self._time_ms = 0
        self._cache: dict[Any, Any] = {}
        #: Whether the strategy has done something since the last call of a hook.
        self._acted = False
        #: Values of the parameters, as attributes.
        self.params = SimpleNamespace(**start.params)
        #: All markets of the data.
        self.markets = tuple(Market(self, wire) for wire in start.markets)
        #: The first market of the data.
        self.market = self.markets[0]
        #: The strategy's account.
        self.account = Account(self)
        #: Seeded random numbers: the same run draws the same.
        self.rng = Random(start.random)

    # Time and account

    @property
    def time_ms(self) -> int:
        """Time up to which the strategy has seen the data, milliseconds since 1970."""
        return self._time_ms

    @property
    def now(self) -> Now:
        """The same with the height of the last block. Heights do not count time: a quiet instant has no block."""
        return Now(self._ask("height"), self._time_ms)

    @property
    def is_warm_up(self) -> bool:
        """The strategy is shown bars from before the start; what it sends is rejected with `WARM_UP`."""
        return self._known.is_warm_up

    @property
    def equity(self) -> float:
        """Collateral, unrealised profit at the mark and unsettled funding, USD."""
        return self.account.equity

    def position(self, market: str | None = None) -> Position:
        """The position in a market. Default: in the first."""
        return self.account.position(market)

    def orders(self, market: str | None = None) -> list[Order]:
        """Resting orders, oldest first. Default: of all markets."""
        return self.account.orders(market)

    def intents(self, market: str | None = None) -> list[Intent]:
        """Stops, take-profits and trailing stops, oldest first. Default: of all markets."""
        return self.account.intents(market)

    def series(self, name: str, market: str | None = None) -> Series:
        """A recorded series of a market, such as open interest, as far as it is known now. Default: of the first.

        A value stays until the next is known. A series that the data does not have raises `StrategyError` when a value
        is read.
        """
        return Series(self, name, market)

    # Orders

    def place(
        self,
        side: Side,
        size: float,
        price: float | None = None,
        *,
        slippage: float | None = None,
        time_in_force: TimeInForce | None = None,
        post_only: bool | None = None,
        reduce_only: bool | None = None,
        market: str | None = None,
        stop: StopLeg | None = None,
        take_profit: TakeProfitLeg | None = None,
    ) -> str:
        """Enters an order.

        Args:
            side: `buy` or `sell`.
            size: Units of base, on the grid of lots.
            price: Limit price on the grid of ticks. Default: a market order.
            slippage: Market orders: greatest distance from the mark as a ratio. Default: 0.01.
            time_in_force: Default: GTC for a limit order, IOC for a market order.
            post_only: Refused if it would take.
            reduce_only: Never increases or flips a position.
            market: Default: the first.
            stop: Where what it fills is closed at a loss.
            take_profit: Where what it fills is closed at a profit.

        Raises:
            StrategyError: ORDER_INVALID
        """
        order = request_of(
            side=side,
            size=size,
            price=price,
            slippage=slippage,
            time_in_force=time_in_force,
            post_only=post_only,
            reduce_only=reduce_only,
            market=market,
            stop=stop,
            take_profit=take_profit,
        )
        return self._act("place", order)

    def buy(self, size: float, price: float | None = None, **options: Any) -> str:
        """Enters a buy; options as of `place`."""
        return self.place("buy", size, price, **options)

    def sell(self, size: float, price: float | None = None, **options: Any) -> str:
        """Enters a sell; options as of `place`."""
        return self.place("sell", size, price, **options)

    def amend(self, id: str, *, size: float | None = None, price: float | None = None) -> str:
        """Changes the remaining size or the price of a resting order, by the transaction that entered it."""
        return self._act("amend", id, request_of(size=size, price=price))

    def cancel(self, id: str) -> str:
        """Cancels a resting order, by the transaction that entered it."""
        return self._act("cancel", id)

    def cancel_all(self, market: str | None = None, *, intents: bool = False) -> str:
        """Cancels every resting order, and intents too if asked. Default: of all markets."""
        return self._act("cancelAll", market, intents)

    def close(self, market: str | None = None, *, size: float | None = None, slippage: float | None = None) -> str:
        """Reduces a position with a reduce-only market order. Default: all of it."""
        return self._act("close", request_of(market=market, size=size, slippage=slippage))

    def set_position(self, size: float, market: str | None = None, *, slippage: float | None = None) -> None:
        """Moves a position to a target with market orders, once: what they do not fill is not tried again.

        Args:
            size: Signed units of base, positive is long, 0 is flat; rounded toward zero to a lot.
            market: Default: the first.
            slippage: Greatest distance from the mark as a ratio. Default: 0.01 to grow, 0.05 to reduce.
        """
        self._act("setPosition", number_of("size", size), request_of(market=market, slippage=slippage))

    # Intents

    def stop(
        self,
        trigger: float,
        *,
        side: Side | None = None,
        size: float | None = None,
        reduce_only: bool | None = None,
        until_ms: int | None = None,
        market: str | None = None,
        source: PriceSource | None = None,
        price: float | None = None,
        slippage: float | None = None,
        time_in_force: TimeInForce | None = None,
        post_only: bool | None = None,
    ) -> str:
        """Places an order when the price reaches a trigger on the losing side: a buy above it, a sell below it."""
        return self._act("stop", request_of(**named(locals())))

    def take_profit(
        self,
        trigger: float,
        *,
        side: Side | None = None,
        size: float | None = None,
        reduce_only: bool | None = None,
        until_ms: int | None = None,
        market: str | None = None,
        source: PriceSource | None = None,
        price: float | None = None,
        slippage: float | None = None,
        time_in_force: TimeInForce | None = None,
        post_only: bool | None = None,
    ) -> str:
        """Places an order when the price reaches a trigger on the winning side: a buy below it, a sell above it."""
        return self._act("takeProfit", request_of(**named(locals())))

    def trailing_stop(
        self,
        *,
        trail: float | None = None,
        trail_rate: float | None = None,
        side: Side | None = None,
        size: float | None = None,
        reduce_only: bool | None = None,
        until_ms: int | None = None,
        market: str | None = None,
        source: PriceSource | None = None,
        price: float | None = None,
        slippage: float | None = None,
        time_in_force: TimeInForce | None = None,
        post_only: bool | None = None,
    ) -> str:
        """A stop whose trigger follows the best price at a distance: `trail` in USD or `trail_rate` as a ratio."""
        return self._act("trailingStop", request_of(**named(locals())))

    def protect(
        self,
        *,
        stop: StopLeg | None = None,
        take_profit: TakeProfitLeg | None = None,
        side: Side | None = None,
        size: float | None = None,
        until_ms: int | None = None,
        market: str | None = None,
    ) -> str:
        """Protects the present position with a stop, a take-profit or both. Of both, one cancels the other."""
        return self._act("protect", request_of(**named(locals())))

    def cancel_intent(self, id: str) -> str:
        """Cancels an intent, with its order if that rests, by the transaction that placed it."""
        return self._act("cancelIntent", id)

    # Margin

    def set_leverage(self, leverage: int, market: str | None = None) -> str:
        """Chooses the leverage, a whole multiple from 1 to the greatest of the market."""
        return self._act("setLeverage", leverage, market)

    def set_margin_mode(self, mode: Literal["cross", "isolated"], market: str | None = None) -> str:
        """Backs the position in a market by the account's collateral or by collateral of its own."""
        return self._act("setMarginMode", mode, market)

    def add_margin(self, amount: float, market: str | None = None) -> str:
        """Moves collateral to an isolated position, USD with at most 6 decimals."""
        return self._act("addMargin", number_of("amount", amount), market)

    def remove_margin(self, amount: float, market: str | None = None) -> str:
        """Moves collateral of an isolated position back to the account, USD with at most 6 decimals."""
        return self._act("removeMargin", number_of("amount", amount), market)

    # Timers

    def every(self, span: Span, name: str | None = None) -> None:
        """Calls `on_timer` at every whole multiple of a span in UTC: `every("1h")` on the hour. At least 1 s apart.

        Args:
            span: The time from call to call.
            name: Default: the span; a timer of the same name is replaced.
        """
        self._act("every", span, name)

    def after(self, span: Span, name: str) -> None:
        """Calls `on_timer` once, a span after the present block."""
        self._act("after", span, name)

    def at(self, time_ms: int, name: str) -> None:
        """Calls `on_timer` once, at a time in ms that is after the present block."""
        self._act("at", int(time_ms), name)

    def stop_timer(self, name: str) -> bool:
        """Ends a timer; False if there is none of the name."""
        return bool(self._act("stopTimer", name))

    # Notes

    def metric(self, name: str, value: float) -> None:
        """A metric of the strategy: the run keeps last, least, greatest and mean, and a curve for the report."""
        self._ask("metric", name, number_of("value", value))

    def log(self, text: object) -> None:
        """A log line of the strategy, stored with the time of the block."""
        self._ask("log", str(text))

    # Parts

    def _enter(self, known: Known) -> None:
        """A call of a hook begins."""
        self._known = known
        self._time_ms = known.time_ms
        self._acted = False
        if self._cache:
            self._cache = {}

    def _move(self, time_ms: int) -> None:
        """The next bar of the same message: nothing but prices has moved."""
        self._time_ms = time_ms
        if self._cache:
            self._cache = {}

    def _ask(self, name: str, *arguments: Any) -> Any:
        return self._send(name, arguments)

    def _cached(self, name: str, *arguments: Any) -> Any:
        """What is asked for once for a call of a hook: nothing moves while it runs."""
        key = (name, arguments)
        if key not in self._cache:
            self._cache[key] = self._send(name, arguments)
        return self._cache[key]

    def _act(self, name: str, *arguments: Any) -> str:
        """Does something, and returns the id of the transaction, if it is one."""
        self._acted = True
        id: str = self._send(name, arguments)
        return id

    def _count_in_flight(self) -> int:
        return int(self._ask("inFlight")) if self._acted else self._known.in_flight


def named(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a method, without its object."""
    return {name: value for name, value in given.items() if name != "self"}
