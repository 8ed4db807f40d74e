"""A recorded order book as doubles (bench/lib/bookFile.ts writes it), and what is common to the programs that quote in it.

A bid and an ask of one lot rest some ticks beyond the best prices, post-only. Every 100 ms, at whole multiples, each is
replaced if its price moved, up to ten lots a side.
"""

import numpy as np

TRADE, LEVEL, SNAPSHOT = 1, 2, 3
TICK, LOT = 0.1, 0.001
STEP_MS = 100
MOST_LOTS = 10


def read_stream(path):
    """Columns by name. A row is a trade, a level, or a level of a snapshot; its side is 1 or -1."""
    rows = np.fromfile(path).reshape(-1, 6)
    places = {"kind": 0, "side": 1, "time_ms": 2, "update": 5}
    whole = {name: rows[:, place].astype(np.int64) for name, place in places.items()}
    return {**whole, "price": rows[:, 3], "size": rows[:, 4]}


def find_messages(stream):
    """First rows of the messages, and the end. A message is a trade, a snapshot, or all levels of an update."""
    same = stream["kind"][1:] != TRADE
    for name in ("kind", "update", "time_ms"):
        same &= stream[name][1:] == stream[name][:-1]
    return np.concatenate([[0], np.flatnonzero(~same) + 1, [len(stream["kind"])]]).tolist()
