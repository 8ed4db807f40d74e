"""SMA 24/96 with backtesting.py: entries and equities as one line of JSON.  python backtesting_py.py BARS.csv.gz FROM_MS"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")
import backtesting
import pandas as pd
from backtesting import Backtest, Strategy
from signal_of_means import Means, read_bars

WHOLE = 1000  # It trades whole units: prices in thousandths of a bitcoin.
rows = read_bars(sys.argv[1], int(sys.argv[2]))
bars = pd.DataFrame(rows, columns=["time", "Open", "High", "Low", "Close", "Volume"])
bars.index = pd.to_datetime(bars.pop("time"), unit="ms")
bars[["Open", "High", "Low", "Close"]] /= WHOLE


class Sma(Strategy):
    share = 0.0

    def init(self):
        self.means = Means()
        self.seen = 0

    def next(self):
        side = 0
        # The first call is at the second bar.
        while self.seen < len(self.data):
            side = self.means.add(rows[self.seen][4]) or side
            self.seen += 1
        if side == 0:
            return
        self.position.close()
        size = WHOLE if self.share == 0 else int(self.equity * 3 * self.share / self.data.Close[-1])
        (self.buy if side > 0 else self.sell)(size=size)


def run(share, fee):
    test = Backtest(bars, Sma, cash=100_000, margin=1 / 3, commission=fee, finalize_trades=False)
    result = test.run(share=share)
    trades = sorted([*result._strategy.closed_trades, *result._strategy.trades], key=lambda trade: trade.entry_bar)
    entries = [[rows[trade.entry_bar][0], 1 if trade.size > 0 else -1, trade.entry_price * WHOLE] for trade in trades]
    return entries, float(result["Equity Final [$]"])


entries, fixed = run(0.0, 0.0)
_, compounding = run(0.9, 0.0005)
print(
    json.dumps(
        {"version": backtesting.__version__, "bars": len(rows), "entries": entries, "fixed": fixed, "compounding": compounding}
    )
)
