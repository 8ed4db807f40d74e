"""What lrvx does at three limits, as one line of JSON.  python lrvx_limits.py BARS.csv.gz FROM_MS

A loss beyond the deposit, an order larger than the book, and a position that is open at the end.
"""

import importlib.metadata
import json
import os
import sys

import lrvx
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "sma"))
from signal_of_means import HOUR_MS, Means, read_bars


class Sma(lrvx.Strategy):
    def __init__(self, symbols):
        super().__init__(symbols)
        self.means = Means()

    def on_bar(self, ctx, bar):
        side = self.means.add(bar.close)
        if side == 0:
            return
        missing = side - ctx.position
        if missing > 0:
            self.market_buy(missing)
        elif missing < 0:
            self.market_sell(-missing)


class Holder(lrvx.Strategy):
    bought = False

    def on_bar(self, ctx, bar):
        if not self.bought:
            self.bought = True
            self.market_buy(1.0)


def run(strategy, rows, stack=False):
    """Bars through a runner with 1,000 USD, with the account of a venue stack if asked for."""
    registry = lrvx.SymbolRegistry()
    symbol = registry.add_symbol("binance", "BTCUSDT", tick_size=0.01)
    runner = lrvx.BacktestRunner(registry, fee_rate=0.0, initial_capital=1_000)
    venue = lrvx.VenueStack.binance_um_futures(1, 1_000) if stack else None
    if venue is not None:
        runner.set_venue_stack(venue)
    runner.set_strategy(strategy([symbol]))
    columns = np.array([row[1:] for row in rows], dtype=float)
    start = np.array([row[0] for row in rows], dtype=np.int64) * 1_000_000
    prices = [np.ascontiguousarray(columns[:, place]) for place in range(5)]
    return runner.run_bars(start, start + HOUR_MS * 1_000_000, *prices, symbol="BTCUSDT"), venue


def buy(size):
    """A market purchase from an executor whose book has one unit at 100, 101 and 102 each."""
    executor = lrvx.SimulatedExecutor()
    executor.advance_clock(1)
    executor.on_book_snapshot(1, [(99.0, 1.0)], [(100.0, 1.0), (101.0, 1.0), (102.0, 1.0)])
    executor.submit_order(1, "buy", 0.0, size, "market", 1, tif="gtc")
    return [{"price": fill["price"], "size": fill["quantity"]} for fill in executor.fills_list()]


loss, venue = run(Sma, read_bars(sys.argv[1], int(sys.argv[2])), stack=True)
rising = [(3_600_000 * (277_778 + hour), *[100.0 + 100 * hour] * 4, 100.0) for hour in range(10)]
held, _ = run(Holder, rising)
print(
    json.dumps(
        {
            "version": importlib.metadata.version("lrvx"),
            "loss": {
                "return": loss["return_pct"] / 100,
                "drawdown": loss["max_drawdown_pct"] / 100,
                "fees": loss["total_fees"],
                "final": loss["final_capital"],
                "liquidations": venue.liquidation().liquidations_count(),
                "positionsOfStack": venue.account().position_count(),
                "equityOfStack": venue.account().equity(),
            },
            "purchase": buy(100.0),
            "held": {"final": held["final_capital"], "bars": rising},
        }
    )
)
