"""CPU seconds of NautilusTrader for quotes every 100 ms, as one line of JSON.

    python quote_nautilus.py STREAM.bin AWAY deltas|batches

Its venue has an order book of levels. `deltas` gives it one change after the other, as its wrangler makes them; `batches`
joins the changes of a message, which is faster. Objects are made before the clock runs. This version has no queue: an order
fills when the price moves beyond it.
"""

import json
import sys
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from itertools import pairwise

from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.backtest.models import FillModel
from nautilus_trader.config import LoggingConfig
from nautilus_trader.model.currencies import BTC, USDT
from nautilus_trader.model.data import BookOrder, OrderBookDelta, OrderBookDeltas, TradeTick
from nautilus_trader.model.enums import (
    AccountType,
    AggressorSide,
    BookAction,
    BookType,
    OmsType,
    OrderSide,
    RecordFlag,
)
from nautilus_trader.model.identifiers import InstrumentId, Symbol, TradeId, Venue
from nautilus_trader.model.instruments import CryptoPerpetual
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.trading.strategy import Strategy
from stream import LOT, MOST_LOTS, SNAPSHOT, STEP_MS, TICK, TRADE, find_messages, read_stream

AWAY = int(sys.argv[2])
IS_BATCHED = sys.argv[3] == "batches"
VENUE = Venue("BINANCE")
MARKET = CryptoPerpetual(
    instrument_id=InstrumentId(Symbol("BTCUSDT-PERP"), VENUE),
    raw_symbol=Symbol("BTCUSDT"),
    base_currency=BTC,
    quote_currency=USDT,
    settlement_currency=USDT,
    is_inverse=False,
    price_precision=1,
    price_increment=Price.from_str("0.1"),
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
    maker_fee=Decimal("0.0002"),
    taker_fee=Decimal("0.0005"),
    ts_event=0,
    ts_init=0,
)


class Quoter(Strategy):
    def __init__(self, start_ms):
        super().__init__()
        self.start_ms = start_ms
        self.bid = self.ask = None
        self.decisions = self.orders = self.fills = 0

    def on_start(self):
        self.subscribe_order_book_deltas(MARKET.id, book_type=BookType.L2_MBP)
        first = datetime.fromtimestamp(self.start_ms / 1000, timezone.utc)
        self.clock.set_timer("quote", timedelta(milliseconds=STEP_MS), start_time=first, callback=self.decide)

    def decide(self, _event):
        book = self.cache.order_book(MARKET.id)
        bid, ask = book.best_bid_price(), book.best_ask_price()
        self.decisions += 1
        if bid is None or ask is None:
            return
        held = round(float(self.portfolio.net_position(MARKET.id)) / LOT)
        self.bid = self.keep(self.bid, OrderSide.BUY, round(float(bid) / TICK) - AWAY, held < MOST_LOTS)
        self.ask = self.keep(self.ask, OrderSide.SELL, round(float(ask) / TICK) + AWAY, held > -MOST_LOTS)

    def keep(self, order, side, ticks, wanted):
        """The order that rests after the decision."""
        price = Price(ticks * TICK, 1)
        if order is not None and not order.is_closed:
            if wanted and order.price == price:
                return order
            self.cancel_order(order)
        if not wanted:
            return None
        order = self.order_factory.limit(MARKET.id, side, Quantity(LOT, 3), price, post_only=True)
        self.orders += 1
        self.submit_order(order)
        return order

    def on_order_filled(self, _event):
        self.fills += 1


def make_objects(stream):
    """The stream as objects of NautilusTrader."""
    names = ("kind", "side", "time_ms", "price", "size", "update")
    kind, side, time_ms, price, size, update = (stream[name].tolist() for name in names)
    messages = find_messages(stream)
    objects = []
    for start, end in pairwise(messages):
        ns = time_ms[start] * 1_000_000
        if kind[start] == TRADE:
            taker = AggressorSide.BUYER if side[start] > 0 else AggressorSide.SELLER
            values = Price(price[start], 1), Quantity(size[start], 3), taker, TradeId(str(update[start]))
            objects.append(TradeTick(MARKET.id, *values, ns, ns))
            continue
        deltas = [OrderBookDelta.clear(MARKET.id, update[start], ns, ns)] if kind[start] == SNAPSHOT else []
        for row in range(start, end):
            action = BookAction.UPDATE if size[row] > 0 else BookAction.DELETE
            book_side = OrderSide.BUY if side[row] > 0 else OrderSide.SELL
            level = BookOrder(book_side, Price(price[row], 1), Quantity(size[row], 3), 0)
            flags = RecordFlag.F_LAST if row == end - 1 else 0
            deltas.append(OrderBookDelta(MARKET.id, action, level, flags, update[row], ns, ns))
        objects.extend([OrderBookDeltas(MARKET.id, deltas)] if IS_BATCHED else deltas)
    return objects


stream = read_stream(sys.argv[1])
engine = BacktestEngine(BacktestEngineConfig(trader_id="T-1", logging=LoggingConfig(bypass_logging=True)))
engine.add_venue(
    VENUE,
    OmsType.NETTING,
    AccountType.MARGIN,
    [Money(1_000_000, USDT)],
    base_currency=None,
    default_leverage=Decimal(10),
    book_type=BookType.L2_MBP,
    trade_execution=True,
    fill_model=FillModel(prob_fill_on_limit=0.0),
)
engine.add_instrument(MARKET)
engine.add_data(make_objects(stream))
quoter = Quoter(int(stream["time_ms"][0]) // STEP_MS * STEP_MS + STEP_MS)
engine.add_strategy(quoter)
start = time.process_time()
engine.run()
seconds = time.process_time() - start
counts = {name: getattr(quoter, name) for name in ("orders", "fills", "decisions")}
print(json.dumps({"seconds": seconds, **counts}))
