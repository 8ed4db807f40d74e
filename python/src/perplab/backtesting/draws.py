"""Random numbers of a strategy: the same as those of a TypeScript strategy with the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

MASK = 0xFFFF_FFFF
WORDS = 1 << 32


class Random:
    """Seeded random numbers: xoshiro128** of Blackman and Vigna (public domain algorithm). Not for secrets."""

    def __init__(self, state: Sequence[int]) -> None:
        self._state = [word & MASK for word in state]

    def _next(self) -> int:
        """The next 32 bits, not negative."""
        state = self._state
        second = state[1]
        mixed = (second * 5) & MASK
        mixed = ((mixed << 7) | (mixed >> 25)) & MASK
        drawn = (mixed * 9) & MASK
        shifted = (second << 9) & MASK
        state[2] ^= state[0]
        state[3] ^= second
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        last = state[3]
        state[3] = ((last << 11) | (last >> 21)) & MASK
        return drawn

    def below(self, bound: int) -> int:
        """A whole number in [0, bound), every one equally likely. `bound` is 1 to 2^53."""
        if bound > WORDS:
            rest = (1 << 53) % bound
            while True:
                value = (self._next() >> 11) * WORDS + self._next()
                if value < (1 << 53) - rest:
                    return value % bound
        rest = WORDS % bound
        while True:
            value = self._next()
            if value < WORDS - rest:
                return value % bound

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high], both included."""
        return low + self.below(high - low + 1)

    def chance(self, numerator: int, denominator: int) -> bool:
        """True in `numerator` out of `denominator` draws."""
        return self.below(denominator) < numerator

    def fraction(self) -> float:
        """A fraction in [0, 1) with 53 bits."""
        return ((self._next() >> 5) * 67_108_864 + (self._next() >> 6)) / 9_007_199_254_740_992

    def pick(self, items: Sequence[T]) -> T:
        """One element of a list that is not empty."""
        return items[self.below(len(items))]
