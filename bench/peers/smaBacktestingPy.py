"""SMA 24/96 on hourly bars, always in the market, with backtesting.py 0.6.6. Prints bars and CPU seconds of the second run.

python smaBacktestingPy.py BARS.csv.gz FROM
"""
import sys
import time
import warnings

warnings.filterwarnings("ignore")
try:
    import pandas as pd
    from backtesting import Backtest, Strategy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

WHOLE = 1000  # It trades whole units: prices in thousandths of a bitcoin.
bars = pd.read_csv(sys.argv[1])
bars.index = pd.to_datetime(bars.open_time_ms, unit="ms")
bars = bars.loc[sys.argv[2]:].rename(columns=str.capitalize)[["Open", "High", "Low", "Close", "Volume"]]
bars[["Open", "High", "Low", "Close"]] /= WHOLE


class Sma(Strategy):
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


test = Backtest(bars, Sma, cash=1_000_000, margin=1 / 3, commission=0.0005, finalize_trades=False)
for _ in range(2):
    started = time.process_time()
    result = test.run()
    seconds = time.process_time() - started
print(len(bars), seconds, len(result._trades))
