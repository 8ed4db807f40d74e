"""SMA 24/96 with lrvx: entries and the equity as one line of JSON.  python lrvx_bars.py BARS.csv.gz FROM_MS"""

import importlib.metadata
import json
import sys

import lrvx
import numpy as np
from signal_of_means import HOUR_MS, Means, read_bars


class Sma(lrvx.Strategy):
    def __init__(self, symbols):
        super().__init__(symbols)
        self.means = Means()
        self.entries = []
        self.position = 0.0
        self.cash = 0.0

    def on_bar(self, ctx, bar):
        side = self.means.add(bar.close)
        if side == 0:
            return
        missing = side - ctx.position
        if missing > 0:
            self.market_buy(missing)
        elif missing < 0:
            self.market_sell(-missing)

    def on_fill(self, ctx, event):
        side = 1 if event.side == "buy" else -1
        self.position += side * event.fill_qty
        self.cash -= side * event.fill_qty * event.fill_price
        # A fill at the open of a bar has the time of its end.
        self.entries.append([event.last_fill_at_ns // 1_000_000 - HOUR_MS, side, event.fill_price])


rows = read_bars(sys.argv[1], int(sys.argv[2]))
columns = np.array([row[1:] for row in rows])
start = np.array([row[0] for row in rows], dtype=np.int64) * 1_000_000
registry = lrvx.SymbolRegistry()
symbol = registry.add_symbol("binance", "BTCUSDT", tick_size=0.01)
runner = lrvx.BacktestRunner(registry, fee_rate=0.0, initial_capital=100_000)
strategy = Sma([symbol])
runner.set_strategy(strategy)
prices = [np.ascontiguousarray(columns[:, place]) for place in range(5)]
result = runner.run_bars(start, start + HOUR_MS * 1_000_000, *prices, symbol="BTCUSDT")
# Its final capital has closed trades only: the open position is added at the last close.
print(
    json.dumps(
        {
            "version": importlib.metadata.version("lrvx"),
            "bars": len(rows),
            "entries": strategy.entries,
            "fixed": 100_000 + strategy.cash + strategy.position * rows[-1][4],
            "reported": result["final_capital"],
            "compounding": None,
        }
    )
)
