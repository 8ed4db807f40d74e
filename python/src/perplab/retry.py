"""How long the client waits between attempts."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class RetryPolicy:
    """Waits in seconds.

    Attributes:
        base: Before the second attempt; doubles with each.
        most: Longest wait that the client chooses itself.
        reads: Attempts of a read beyond the first.
        submission: How long a submission is retried before its outcome counts as unknown.
    """

    base: float = 0.2
    most: float = 5.0
    reads: int = 3
    submission: float = 120.0

    def wait(self, attempt: int, asked_ms: int | None = None) -> float:
        """Seconds before the next attempt, never less than the venue asked for.

        Args:
            attempt: Attempts made so far, from 1.
            asked_ms: What the venue asked for, milliseconds.
        """
        bound = min(self.most, self.base * float(2 ** min(attempt - 1, 20)))
        return max((asked_ms or 0) / 1000, bound / 2 + random.random() * bound / 2)
