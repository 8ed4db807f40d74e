"""Strategies of the tests, some in both languages."""

from __future__ import annotations

import math

import perplab
from perplab.backtesting import (
    Bar,
    Cancellation,
    Context,
    Fill,
    FrameBar,
    Funding,
    IntentChange,
    Rejection,
    Timer,
)


class Crowd(perplab.Strategy):
    """The same as crowd.ts: long while open interest rises, and everything that it reads is logged."""

    def on_bar(self, ctx: Context, bar: Bar) -> None:
        values = ctx.series("sum_open_interest").recent(12)
        last = ctx.series("sum_open_interest_value", "BTC-PERP").last
        if last is None:
            return
        ctx.log(f"{last.exact} {last.time_ms} {last.known_ms} {len(values)}")
        ctx.set_position(0.1 if values[-1].value > values[0].value else -0.1)


class SmaCross(perplab.Strategy):
    """The same as sma.ts: always in the market, on the side of the faster mean."""

    params = {
        "fast": perplab.Param(24, "Bars of the fast mean.", minimum=2),
        "slow": perplab.Param(96, "Bars of the slow mean.", minimum=2),
        "size": perplab.Param(0.1, "Size of the position.", above=0),
    }

    def on_start(self, ctx: Context) -> None:
        self.closes: list[float] = []
        self.fast = self.slow = 0.0
        self.side = 0

    def on_bar(self, ctx: Context, bar: Bar) -> None:
        closes, params = self.closes, ctx.params
        if len(closes) >= params.fast:
            self.fast -= closes[-params.fast]
        if len(closes) >= params.slow:
            self.slow -= closes[-params.slow]
        closes.append(bar.close)
        self.fast += bar.close
        self.slow += bar.close
        if len(closes) < params.slow:
            return
        side = 1 if self.fast / params.fast > self.slow / params.slow else -1
        if side != self.side:
            self.side = side
            ctx.set_position(side * params.size)


class Noise(perplab.Strategy):
    """The same as noise.ts: uses what it can, by chance."""

    frames = ["4h"]
    warm_up = {"bars": 30}

    def on_start(self, ctx: Context) -> None:
        ctx.every("1d")
        self.seen = 0

    def on_bar(self, ctx: Context, bar: Bar) -> None:
        rng, close = ctx.rng, bar.close
        self.seen += 1
        dice = rng.below(12)
        away = 1 + (rng.fraction() - 0.5) / 50
        if dice == 0:
            ctx.set_position((rng.below(5) - 2) / 10)
        elif dice == 1 and ctx.equity > 5_000:
            side = rng.pick(("buy", "sell"))
            price = ctx.market.round_price(close * away, "down")
            if rng.chance(1, 2):
                stop, take_profit = {"trigger": rounded(close * 0.95)}, rounded(close * 1.05)
                ctx.place(side, 0.05, price, stop=stop, take_profit=take_profit)  # type: ignore[arg-type]
            else:
                ctx.place(side, 0.05, price)  # type: ignore[arg-type]
        elif dice == 2:
            ctx.cancel_all(intents=rng.chance(1, 2))
        elif dice == 3 and ctx.position().size != 0:
            ctx.protect(stop={"trail_rate": 0.03, "source": "last"})
            ctx.metric("unrealized", ctx.position().unrealized)
        elif dice == 4:
            ctx.close()
        elif dice == 5:
            ctx.after("90m", "later")
        elif dice == 6:
            ctx.buy(0.0001)

    def on_frame(self, ctx: Context, bar: FrameBar) -> None:
        if ctx.rng.chance(1, 20):
            ctx.log(f"{bar.frame} {plain(bar.close)}")

    def on_timer(self, ctx: Context, timer: Timer) -> None:
        ctx.log(f"{timer.name} {len(ctx.orders())} {len(ctx.intents())}")

    def on_fill(self, ctx: Context, fill: Fill) -> None:
        ctx.log(f"fill {fill.id} {fill.side} {plain(fill.price)} {plain(fill.remaining)}")

    def on_cancel(self, ctx: Context, cancellation: Cancellation) -> None:
        ctx.log(f"cancel {cancellation.id} {cancellation.cause}")

    def on_reject(self, ctx: Context, rejection: Rejection) -> None:
        ctx.log(f"reject {rejection.id} {rejection.code}")

    def on_intent(self, ctx: Context, change: IntentChange) -> None:
        ctx.log(f"intent {change.id} {change.status}")

    def on_funding(self, ctx: Context, funding: Funding) -> None:
        if ctx.rng.chance(1, 10):
            ctx.log(f"funding {plain(funding.amount)}")

    def on_end(self, ctx: Context) -> None:
        ctx.log(f"seen {self.seen}")


def rounded(value: float) -> int:
    """As `Math.round`."""
    return math.floor(value + 0.5)


def plain(value: float) -> str:
    """As a template of JavaScript writes a number."""
    return str(int(value)) if value == int(value) else repr(value)
