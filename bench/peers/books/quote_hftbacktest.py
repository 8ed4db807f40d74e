"""CPU seconds of hftbacktest for quotes every 100 ms, as one line of JSON.

    python quote_hftbacktest.py STREAM.bin AWAY [LOTS [partial]]

The first run compiles. An order waits for what was there before it. It fills whole, or in parts where that is asked for.
Then the result has the code with which the run ended: 1 is the end of the data.
"""

import json
import sys
import time

import numpy as np
from hftbacktest import (
    BUY,
    BUY_EVENT,
    DEPTH_EVENT,
    DEPTH_SNAPSHOT_EVENT,
    EXCH_EVENT,
    GTX,
    LIMIT,
    LOCAL_EVENT,
    SELL_EVENT,
    TRADE_EVENT,
    BacktestAsset,
    HashMapMarketDepthBacktest,
    event_dtype,
)
from numba import njit
from stream import LOT, MOST_LOTS, STEP_MS, TICK, read_stream

ROUNDS = 3
STEP_NS = STEP_MS * 1_000_000

stream = read_stream(sys.argv[1])
kinds = np.array([0, TRADE_EVENT, DEPTH_EVENT, DEPTH_SNAPSHOT_EVENT])
data = np.zeros(len(stream["kind"]), event_dtype)
data["ev"] = kinds[stream["kind"]] | np.where(stream["side"] > 0, BUY_EVENT, SELL_EVENT) | EXCH_EVENT | LOCAL_EVENT
data["exch_ts"] = data["local_ts"] = stream["time_ms"] * 1_000_000
data["px"], data["qty"] = stream["price"], stream["size"]
wait_ns = STEP_NS - int(data["exch_ts"][0]) % STEP_NS
away = int(sys.argv[2])
size = LOT * int(sys.argv[3]) if len(sys.argv) > 3 else LOT
is_partial = len(sys.argv) > 4
END_OF_DATA = 1


@njit
def quote(hbt, away, size, wait_ns):
    """Orders placed, times at which it decided, and the code of the end."""
    number = decisions = 0
    while True:
        code = hbt.elapse(wait_ns)
        if code != 0:
            return number, decisions, code
        wait_ns = STEP_NS
        decisions += 1
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        held = hbt.position(0) / size
        bid, ask = depth.best_bid_tick - away, depth.best_ask_tick + away
        wants_bid, wants_ask = held < MOST_LOTS, held > -MOST_LOTS
        has_bid = has_ask = False
        orders = hbt.orders(0).values()
        while orders.has_next():
            order = orders.get()
            is_bid = order.side == BUY
            wanted = wants_bid and order.price_tick == bid if is_bid else wants_ask and order.price_tick == ask
            if wanted:
                has_bid, has_ask = has_bid or is_bid, has_ask or not is_bid
            elif order.cancellable:
                hbt.cancel(0, order.order_id, False)
        if wants_bid and not has_bid:
            number += 1
            hbt.submit_buy_order(0, number, bid * TICK, size, GTX, LIMIT, False)
        if wants_ask and not has_ask:
            number += 1
            hbt.submit_sell_order(0, number, ask * TICK, size, GTX, LIMIT, False)


def run():
    asset = BacktestAsset().data([data]).linear_asset(1.0).constant_order_latency(1, 1).risk_adverse_queue_model()
    asset = asset.tick_size(TICK).lot_size(LOT).trading_value_fee_model(0.0002, 0.0005)
    hbt = HashMapMarketDepthBacktest(
        [asset.partial_fill_exchange() if is_partial else asset.no_partial_fill_exchange()]
    )
    start = time.process_time()
    orders, decisions, code = quote(hbt, away, size, wait_ns)
    seconds = time.process_time() - start
    fills = hbt.state_values(0).num_trades
    hbt.close()
    if code != END_OF_DATA and not is_partial:
        raise RuntimeError(f"it stops at decision {decisions} with code {code}")
    return {"seconds": seconds, "orders": orders, "fills": int(fills), "decisions": decisions, "code": code}


run()
rounds = sorted((run() for _ in range(ROUNDS)), key=lambda each: each["seconds"])
print(json.dumps(rounds[ROUNDS // 2]))
