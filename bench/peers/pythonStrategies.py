"""Strategies in Python on bars of a minute, next to backtesting.py where it is installed. Prints one line of JSON.

python pythonStrategies.py BARS.csv COUNT

CPU seconds are of both processes, start included, the median of three runs.
"""

import json
import resource
import statistics
import sys
import time
import warnings

warnings.filterwarnings("ignore")
try:
    import perplab
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

WHOLE = 1000  # backtesting.py trades whole units: prices in thousandths of a bitcoin.


class Means(perplab.Strategy):
    """Always in the market, on the side of the faster of two means: 24 and 96 bars."""

    size = 1.0

    def on_start(self, ctx):
        self.closes = [0.0] * 97
        self.count = 0
        self.fast = self.slow = 0.0
        self.side = 0

    def on_bar(self, ctx, bar):
        closes, at, close = self.closes, self.count, bar.close
        self.count = at + 1
        self.fast += close - (closes[(at - 24) % 97] if at >= 24 else 0.0)
        self.slow += close - (closes[(at - 96) % 97] if at >= 96 else 0.0)
        closes[at % 97] = close
        if at < 95:
            return
        side = 1 if self.fast / 24 > self.slow / 96 else -1
        if side != self.side:
            self.side = side
            ctx.set_position(side * self.size, slippage=0.05)


class EveryBar(perplab.Strategy):
    """Turns its position with every bar."""

    def on_start(self, ctx):
        self.side = 1

    def on_bar(self, ctx, bar):
        self.side = -self.side
        ctx.set_position(self.side * 0.01, slippage=0.05)


class Reader(perplab.Strategy):
    """Reads its equity at every bar."""

    def on_bar(self, ctx, bar):
        if ctx.position().size == 0 and ctx.account.in_flight == 0:
            ctx.set_position(0.1)
        self.equity = ctx.equity


def used() -> float:
    """CPU seconds of this process and of those that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def measure(strategy, data, **options):
    """Median CPU seconds, and the result."""
    seconds = []
    for _ in range(3):
        before = used()
        result = perplab.backtest(strategy, data=data, deposit=10_000_000, leverage=3, equity_interval="1d", **options)
        seconds.append(used() - before)
    return statistics.median(seconds), result


def measure_peer(path):
    """CPU seconds of the means with backtesting.py, second run."""
    try:
        import pandas as pd
        from backtesting import Backtest, Strategy
    except ImportError:
        return None
    bars = pd.read_csv(path)
    bars.index = pd.to_datetime(bars.open_time_ms, unit="ms")
    bars = bars.rename(columns=str.capitalize)[["Open", "High", "Low", "Close", "Volume"]]
    bars[["Open", "High", "Low", "Close"]] /= WHOLE

    class Same(Strategy):
        def init(self):
            close = pd.Series(self.data.Close)
            self.fast = self.I(lambda: close.rolling(24).mean().to_numpy())
            self.slow = self.I(lambda: close.rolling(96).mean().to_numpy())
            self.side = 0

        def next(self):
            fast, slow = self.fast[-1], self.slow[-1]
            if slow != slow:
                return
            side = 1 if fast > slow else -1
            if side == self.side:
                return
            self.side = side
            self.position.close()
            (self.buy if side > 0 else self.sell)(size=WHOLE)

    test = Backtest(bars, Same, cash=10_000_000, margin=1 / 3, commission=0.0005, finalize_trades=False)
    for _ in range(2):
        started = time.process_time()
        test.run()
        seconds = time.process_time() - started
    return len(bars) / seconds


path, count = sys.argv[1], int(sys.argv[2])
figures = {}
for strategy, share, name in (
    (Means, 1, "means, acts on 2 % of bars"),
    (Reader, 5, "reads equity at every bar"),
    (EveryBar, 5, "acts on every bar"),
):
    until = 1_704_067_200_000 + count // share * 60_000
    to = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(until / 1000))
    seconds, result = measure(strategy, path, to=to)
    figures[name] = {"bars": count // share, "seconds": seconds}
    figures[name]["fills"] = result.statistics["fills"]
print(json.dumps({"figures": figures, "backtesting.py": measure_peer(path)}))
