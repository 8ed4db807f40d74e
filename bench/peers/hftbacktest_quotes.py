"""Quotes of a schedule in hftbacktest, as one line of JSON.  python hftbacktest_quotes.py FOLDER SYMBOL TICK LOT SIZE LATENCY_MS SCHEDULE.json

The schedule is a list of [time in ms, bid in ticks, ask in ticks]. At each time both are quoted, post-only, and what is left of the quotes before
is cancelled. Nothing depends on fills, so another simulator can place the same. Feed and venue have one clock: the recorded time of the venue.
"""

import importlib.metadata
import json
import sys

import numpy as np
import pandas as pd
from hftbacktest import (
    BUY_EVENT,
    DEPTH_EVENT,
    DEPTH_SNAPSHOT_EVENT,
    EXCH_EVENT,
    EXPIRED,
    FILLED,
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

folder, symbol = sys.argv[1:3]
tick, lot, size = map(float, sys.argv[3:6])
latency_ns = int(sys.argv[6]) * 1_000_000
with open(sys.argv[7]) as file:
    schedule = np.array(json.load(file), np.int64)


def read(name):
    return pd.read_csv(f"{folder}/{symbol}_{name}.csv.gz")


def events(kind, is_buy, time_ms, rows):
    made = np.zeros(len(rows), event_dtype)
    made["ev"] = np.where(is_buy, BUY_EVENT, SELL_EVENT) | kind | EXCH_EVENT | LOCAL_EVENT
    made["exch_ts"] = made["local_ts"] = np.asarray(time_ms) * 1_000_000
    made["px"] = rows.price
    made["qty"] = rows.qty
    return made


def read_events():
    """Snapshot, trades and changes of levels in the order of the venue's time; a trade comes before the change that it made."""
    snapshot, depth, trades = read("snapshot"), read("depth"), read("trades")
    depth = depth[depth.final_update_id >= snapshot.last_update_id.iloc[0]]
    start = snapshot.transaction_ms.iloc[0]
    depth, trades = depth[depth.transaction_ms >= start], trades[trades.trade_ms >= start]
    is_maker_buyer = trades.buyer_is_maker.astype(str).str.lower() == "true"
    parts = [
        events(DEPTH_SNAPSHOT_EVENT, snapshot.side == "b", snapshot.transaction_ms, snapshot),
        events(TRADE_EVENT, ~is_maker_buyer, trades.trade_ms, trades),
        events(DEPTH_EVENT, depth.side == "b", depth.transaction_ms, depth),
    ]
    joined = np.concatenate(parts)
    return joined[np.argsort(joined["exch_ts"], kind="stable")]


@njit
def collect(hbt, filled):
    """Notes the time of each fill and -1 for a refused order, and asks to cancel the rest. Order ids are places, from 1."""
    orders = hbt.orders(0).values()
    while orders.has_next():
        order = orders.get()
        if order.status == FILLED and filled[order.order_id - 1] == 0:
            filled[order.order_id - 1] = order.exch_timestamp
        if order.status == EXPIRED:
            filled[order.order_id - 1] = -1_000_000
        if order.cancellable:
            hbt.cancel(0, order.order_id, False)
    hbt.clear_inactive_orders(0)


@njit
def quote(hbt, schedule, size, tick, filled):
    """0, or the code of the error that ended it."""
    # The clock starts with the first event.
    hbt.elapse(1)
    for place in range(len(schedule)):
        code = hbt.elapse(schedule[place, 0] * 1_000_000 - hbt.current_timestamp)
        if code != 0:
            return code
        collect(hbt, filled)
        hbt.submit_buy_order(0, 2 * place + 1, schedule[place, 1] * tick, size, GTX, LIMIT, False)
        hbt.submit_sell_order(0, 2 * place + 2, schedule[place, 2] * tick, size, GTX, LIMIT, False)
    hbt.elapse(1_000_000_000)
    collect(hbt, filled)
    return 0


def run(data, model):
    """Time of the fill by quote in ms, bid and ask in turns; 0 for none, -1 for an order that was refused."""
    asset = BacktestAsset().data([data]).linear_asset(1.0).constant_order_latency(latency_ns, latency_ns)
    asset = asset.risk_adverse_queue_model() if model == "riskAdverse" else asset.power_prob_queue_model(2.0)
    asset = asset.tick_size(tick).lot_size(lot).trading_value_fee_model(0.0, 0.0).no_partial_fill_exchange()
    hbt = HashMapMarketDepthBacktest([asset])
    filled = np.zeros(2 * len(schedule), np.int64)
    code = quote(hbt, schedule, size, tick, filled)
    hbt.close()
    if code != 0:
        raise RuntimeError(f"{model} stops with code {code}")
    return [int(time // 1_000_000) for time in filled]


data = read_events()
print(
    json.dumps(
        {
            "version": importlib.metadata.version("hftbacktest"),
            "events": len(data),
            "fills": {model: run(data, model) for model in ("riskAdverse", "power2")},
        }
    )
)
