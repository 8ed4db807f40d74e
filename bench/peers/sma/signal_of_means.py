"""The decisions that every peer trades: always in the market, on the side of the faster of two means of closes."""

import csv
import gzip

HOUR_MS = 3_600_000


class Means:
    """Closes in, the wanted side out: 1, -1, or 0 where nothing changes."""

    def __init__(self, fast=24, slow=96):
        self.fast, self.slow = fast, slow
        self.closes = []
        self.side = 0

    def add(self, close):
        closes = self.closes
        closes.append(close)
        if len(closes) > self.slow:
            del closes[0]
        if len(closes) < self.slow:
            return 0
        side = 1 if sum(closes[-self.fast :]) / self.fast > sum(closes) / self.slow else -1
        if side == self.side:
            return 0
        self.side = side
        return side


def read_bars(path, from_ms):
    """Rows of open time, open, high, low, close, volume."""
    with gzip.open(path, "rt") as file:
        rows = csv.reader(file)
        next(rows)
        return [(int(row[0]), *map(float, row[1:6])) for row in rows if int(row[0]) >= from_ms]
