"""An order book that follows the venue's, checked with its checksum."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

#: Levels that the checksum covers, of each side.
CHECKED_LEVELS = 10

#: A level as the stream sends it: price, size, orders.
Level = tuple[Decimal, Decimal, int]


class BookSide:
    """One side, best price first."""

    def __init__(self, sign: int) -> None:
        self._sign = sign
        # Ascending, so that a list of numbers finds a place by bisection.
        self._keys: list[Decimal] = []
        self.levels: list[Level] = []
        self.texts: list[str] = []

    def clear(self) -> None:
        self._keys.clear()
        self.levels.clear()
        self.texts.clear()

    def set(self, price: str, size: str, orders: int) -> None:
        """Sets a level to an absolute size; size 0 removes it."""
        number = Decimal(price)
        key = number * self._sign
        place = bisect_left(self._keys, key)
        is_there = place < len(self._keys) and self._keys[place] == key
        if size == "0":
            if is_there:
                del self._keys[place], self.levels[place], self.texts[place]
            return
        level, text = (number, Decimal(size), orders), digits_of(price) + digits_of(size)
        if is_there:
            self.levels[place], self.texts[place] = level, text
        else:
            self._keys.insert(place, key)
            self.levels.insert(place, level)
            self.texts.insert(place, text)


class LiveBook:
    """Levels of a market, kept up to date by a stream."""

    def __init__(self) -> None:
        self._bids, self._asks = BookSide(-1), BookSide(1)

    @property
    def bids(self) -> Sequence[Level]:
        """Price, size and orders of each level, best first."""
        return self._bids.levels

    @property
    def asks(self) -> Sequence[Level]:
        """Price, size and orders of each level, best first."""
        return self._asks.levels

    def replace(self, sides: dict[str, Any]) -> None:
        """Takes a snapshot, as JSON has it."""
        self._bids.clear()
        self._asks.clear()
        self.apply(sides)

    def apply(self, sides: dict[str, Any]) -> None:
        """Takes a change, as JSON has it: absolute sizes, "0" for a removed level."""
        set_levels(self._bids, sides["bids"])
        set_levels(self._asks, sides["asks"])

    def checksum(self) -> int:
        """CRC-32 over the ten best asks, then the ten best bids, as the venue computes it."""
        text = "".join(self._asks.texts[:CHECKED_LEVELS]) + "".join(self._bids.texts[:CHECKED_LEVELS])
        return zlib.crc32(text.encode())


def set_levels(side: BookSide, levels: Iterable[Sequence[Any]]) -> None:
    for price, size, orders in levels:
        side.set(price, size, orders)


def digits_of(text: str) -> str:
    """Decimal text without its point and leading zeros."""
    return text.replace(".", "").lstrip("0")
