"""SMA 24/96 with NautilusTrader: entries and equities as one line of JSON.  python nautilus.py BARS.csv.gz FROM_MS"""

import json
import sys
from decimal import Decimal

import nautilus_trader
import pandas as pd
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.config import LoggingConfig, StrategyConfig
from nautilus_trader.model.currencies import BTC, USDT
from nautilus_trader.model.data import BarType
from nautilus_trader.model.enums import AccountType, OmsType, OrderSide
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import CryptoPerpetual
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.persistence.wranglers import BarDataWrangler
from nautilus_trader.trading.strategy import Strategy
from signal_of_means import HOUR_MS, Means, read_bars

VENUE = Venue("BINANCE")
MARKET = InstrumentId(Symbol("BTCUSDT-PERP"), VENUE)
BARS = BarType.from_str("BTCUSDT-PERP.BINANCE-1-HOUR-LAST-EXTERNAL")


def define_market(fee):
    return CryptoPerpetual(
        instrument_id=MARKET,
        raw_symbol=Symbol("BTCUSDT"),
        base_currency=BTC,
        quote_currency=USDT,
        settlement_currency=USDT,
        is_inverse=False,
        price_precision=2,
        price_increment=Price.from_str("0.01"),
        size_precision=3,
        size_increment=Quantity.from_str("0.001"),
        max_quantity=None,
        min_quantity=Quantity.from_str("0.001"),
        max_notional=None,
        min_notional=None,
        max_price=None,
        min_price=None,
        margin_init=Decimal("1"),
        margin_maint=Decimal("0.0125"),
        maker_fee=fee,
        taker_fee=fee,
        ts_event=0,
        ts_init=0,
    )


class SmaConfig(StrategyConfig, frozen=True):
    share: float = 0.0


class Sma(Strategy):
    def on_start(self):
        self.means = Means()
        self.entries = []
        self.refused = 0
        self.market = self.cache.instrument(MARKET)
        self.subscribe_bars(BARS)

    def equity(self):
        equity = self.portfolio.account(VENUE).balance_total(USDT).as_double()
        unrealized = self.portfolio.unrealized_pnl(MARKET)
        return equity + (unrealized.as_double() if unrealized else 0.0)

    def on_bar(self, bar):
        close = float(bar.close)
        side = self.means.add(close)
        if side == 0:
            return
        share = self.config.share
        wanted = 1.0 if share == 0 else max(0.0, self.equity()) * 3 * share / close
        missing = round(side * wanted - float(self.portfolio.net_position(MARKET)), 3)
        if missing == 0:
            return
        order_side = OrderSide.BUY if missing > 0 else OrderSide.SELL
        self.submit_order(self.order_factory.market(MARKET, order_side, self.market.make_qty(abs(missing))))

    def on_order_filled(self, event):
        side = 1 if event.order_side == OrderSide.BUY else -1
        self.entries.append([event.ts_event // 1_000_000, side, float(event.last_px)])

    def on_order_denied(self, event):
        self.refused += 1

    def on_order_rejected(self, event):
        self.refused += 1


rows = read_bars(sys.argv[1], int(sys.argv[2]))
frame = pd.DataFrame(rows, columns=["time", "open", "high", "low", "close", "volume"])
# A bar is stamped with its end: that is when it is known.
frame.index = pd.to_datetime(frame.pop("time") + HOUR_MS, unit="ms", utc=True)


def run(share, fee):
    market = define_market(fee)
    engine = BacktestEngine(BacktestEngineConfig(trader_id="T-1", logging=LoggingConfig(bypass_logging=True)))
    engine.add_venue(
        VENUE,
        OmsType.NETTING,
        AccountType.MARGIN,
        [Money(100_000, USDT)],
        base_currency=None,
        default_leverage=Decimal(3),
    )
    engine.add_instrument(market)
    engine.add_data(BarDataWrangler(BARS, market).process(frame))
    strategy = Sma(SmaConfig(share=share))
    engine.add_strategy(strategy)
    engine.run()
    result = strategy.entries, strategy.equity(), strategy.refused
    engine.dispose()
    return result


entries, fixed, refused = run(0.0, Decimal(0))
_, compounding, refused_too = run(0.9, Decimal("0.0005"))
print(
    json.dumps(
        {
            "version": nautilus_trader.__version__,
            "bars": len(rows),
            "entries": entries,
            "fixed": fixed,
            "compounding": compounding,
            "refused": refused + refused_too,
        }
    )
)
