"""CPU seconds of lrvx for quotes every 100 ms, as one line of JSON.  python quote_lrvx.py STREAM.bin AWAY

Its strategies have no timer: this one decides at the first message of the book after each 100 ms. It reads its own tape,
made from the stream before the clock runs. Its settings are the defaults, which have no queue.
"""

import json
import sys
import tempfile
import time
from itertools import pairwise

import lrvx
import numpy as np
from stream import LOT, MOST_LOTS, SNAPSHOT, STEP_MS, TICK, TRADE, find_messages, read_stream

ROUNDS = 3
AWAY = int(sys.argv[2])
LEVEL = np.dtype({"names": ["price_raw", "qty_raw", "side"], "formats": ["<i8", "<i8", "u1"], "itemsize": 24})


class Quoter(lrvx.Strategy):
    def __init__(self, symbols, times):
        super().__init__(symbols)
        # A callback of the book has no time: it is that of the message with the same number.
        self.times = times
        self.messages = 0
        self.next_ms = times[0] // STEP_MS * STEP_MS + STEP_MS
        self.bid = self.ask = None
        self.decisions = self.blind = self.orders = self.fills = 0

    def on_book_update(self, ctx):
        now = self.times[self.messages]
        self.messages += 1
        if now < self.next_ms:
            return
        self.next_ms = now // STEP_MS * STEP_MS + STEP_MS
        self.decisions += 1
        best_bid, best_ask = ctx.best_bid, ctx.best_ask
        if best_bid is None or best_ask is None:
            self.blind += 1
            return
        held = round(ctx.position / LOT)
        self.bid = self.keep(self.bid, self.limit_buy, round(best_bid / TICK) - AWAY, held < MOST_LOTS)
        self.ask = self.keep(self.ask, self.limit_sell, round(best_ask / TICK) + AWAY, held > -MOST_LOTS)

    def keep(self, order, place, ticks, wanted):
        """The order that rests after the decision: its id and its price in ticks."""
        if order is not None:
            if wanted and order[1] == ticks:
                return order
            self.cancel_order(order[0])
        if not wanted:
            return None
        self.orders += 1
        return place(ticks * TICK, LOT, tif="post_only"), ticks

    def on_fill(self, ctx, event):
        self.fills += 1
        if self.bid is not None and event.order_id == self.bid[0]:
            self.bid = None
        elif self.ask is not None and event.order_id == self.ask[0]:
            self.ask = None


def write_tape(stream, folder):
    """The stream as a tape of lrvx; times of its messages of the book."""
    levels = np.zeros(len(stream["kind"]), LEVEL)
    levels["price_raw"], levels["qty_raw"] = (np.round(stream[name] * 1e8) for name in ("price", "size"))
    levels["side"] = stream["side"] < 0
    writer = lrvx.DataWriter(folder)
    messages = find_messages(stream)
    times = []
    for start, end in pairwise(messages):
        kind, update, time_ms = (int(stream[name][start]) for name in ("kind", "update", "time_ms"))
        time_ns = time_ms * 1_000_000
        if kind == TRADE:
            price, size = float(stream["price"][start]), float(stream["size"][start])
            writer.write_trade(time_ns, time_ns, price, size, update, 1, int(stream["side"][start] < 0))
            continue
        part = levels[start:end]
        bids, asks = part[part["side"] == 0], part[part["side"] == 1]
        writer.write_book(time_ns, time_ns, update, 1, kind == SNAPSHOT, bids, asks)
        times.append(time_ms)
    writer.close()
    return times


def run(folder, times):
    registry = lrvx.SymbolRegistry()
    symbol = registry.add_symbol("binance", "BTCUSDT", tick_size=TICK)
    runner = lrvx.BacktestRunner(registry, fee_rate=0.0002, initial_capital=1_000_000)
    strategy = Quoter([symbol], times)
    runner.set_strategy(strategy)
    start = time.process_time()
    runner.run_tape(folder)
    seconds = time.process_time() - start
    if strategy.messages != len(times):
        raise ValueError(f"{strategy.messages} calls for {len(times)} messages")
    return seconds, strategy


with tempfile.TemporaryDirectory() as folder:
    times = write_tape(read_stream(sys.argv[1]), folder)
    rounds = [run(folder, times) for _ in range(ROUNDS)]
seconds = sorted(seconds for seconds, _ in rounds)[ROUNDS // 2]
counts = {name: getattr(rounds[0][1], name) for name in ("orders", "fills", "decisions", "blind")}
print(json.dumps({"seconds": seconds, **counts}))
