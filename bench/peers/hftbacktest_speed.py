"""CPU seconds of hftbacktest for quotes every 100 ms, as one line of JSON.  python hftbacktest_speed.py STREAM.bin AWAY

A bid and an ask of one lot rest some ticks beyond the best prices, and are replaced where those move. The first run compiles.
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

TICK, LOT = 0.1, 0.001
ROUNDS = 3

rows = np.fromfile(sys.argv[1]).reshape(-1, 5)
kinds = np.array([0, TRADE_EVENT, DEPTH_EVENT, DEPTH_SNAPSHOT_EVENT])
data = np.zeros(len(rows), event_dtype)
data["ev"] = kinds[rows[:, 0].astype(int)] | np.where(rows[:, 1] > 0, BUY_EVENT, SELL_EVENT) | EXCH_EVENT | LOCAL_EVENT
data["exch_ts"] = data["local_ts"] = rows[:, 2].astype(np.int64) * 1_000_000
data["px"], data["qty"] = rows[:, 3], rows[:, 4]


@njit
def quote(hbt, away):
    number = 0
    while hbt.elapse(100_000_000) == 0:
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        held = hbt.position(0) / LOT
        bid, ask = depth.best_bid_tick - away, depth.best_ask_tick + away
        has_bid = has_ask = False
        orders = hbt.orders(0).values()
        while orders.has_next():
            order = orders.get()
            wanted = order.price_tick == bid and held < 10 if order.side == BUY else order.price_tick == ask and held > -10
            if wanted:
                has_bid, has_ask = has_bid or order.side == BUY, has_ask or order.side != BUY
            elif order.cancellable:
                hbt.cancel(0, order.order_id, False)
        if not has_bid and held < 10:
            number += 1
            hbt.submit_buy_order(0, number, bid * TICK, LOT, GTX, LIMIT, False)
        if not has_ask and held > -10:
            number += 1
            hbt.submit_sell_order(0, number, ask * TICK, LOT, GTX, LIMIT, False)
    return number


def run():
    asset = BacktestAsset().data([data]).linear_asset(1.0).constant_order_latency(1, 1).risk_adverse_queue_model()
    asset = asset.tick_size(TICK).lot_size(LOT).trading_value_fee_model(0.0002, 0.0005).no_partial_fill_exchange()
    hbt = HashMapMarketDepthBacktest([asset])
    start = time.process_time()
    orders = quote(hbt, int(sys.argv[2]))
    seconds = time.process_time() - start
    hbt.close()
    return seconds, orders


run()
found = sorted(run() for _ in range(ROUNDS))
print(json.dumps({"seconds": found[ROUNDS // 2][0], "orders": found[0][1]}))
