"""The result of a backtest."""

from __future__ import annotations

import html
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from .frames import Frames, read_table, to_snake

#: Tables of a run.
TABLES = ("equity", "fills", "orders", "trades", "funding", "adjustments")


class OwnMetric(msgspec.Struct, frozen=True):
    """A metric of the strategy over its run."""

    last: float
    least: float
    mean: float
    greatest: float


class RunFacts(msgspec.Struct, frozen=True, rename="camel"):
    """What perplab says of a run besides its files."""

    root: str
    head: str
    blocks: int
    transactions: int
    events: int
    wall_ms: int
    metrics: dict[str, OwnMetric]
    logs: list[tuple[int, str]]
    stopped: str | None
    written: list[str]


class Result:
    """A finished backtest. Its files are in a folder that ends with it, or in the one that the call names.

    Attributes:
        root: State root of the venue after the last block: equal runs have equal roots.
        head: Head of the effects chain.
        blocks, transactions, events: How many there were; events are rows of the data.
        metrics: The strategy's own metrics by name.
        logs: Lines that the strategy logged, with their times in ms.
        stopped: Why the run ended before its data did, `wipedOut` or `strategyFailed`; None for a whole run.
        folder: Where its files are.
    """

    def __init__(self, facts: RunFacts, folder: Path, frames: Frames, owner: TemporaryDirectory[str] | None) -> None:
        self.root = facts.root
        self.head = facts.head
        self.blocks = facts.blocks
        self.transactions = facts.transactions
        self.events = facts.events
        self.metrics = facts.metrics
        self.logs = facts.logs
        self.stopped = facts.stopped
        self.folder = folder
        self._frames: Frames = frames
        # The folder is removed when nothing refers to the result any more.
        self._owner = owner

    def __repr__(self) -> str:
        figures = self.statistics
        change = figures["total_return"]
        return (
            f"Result(total_return={'none' if change is None else format(change, '+.2%')}, "
            f"final_equity={figures['final_equity']}, fills={figures['fills']}, root={self.root[:10]}…)"
        )

    def _repr_html_(self) -> str:
        """The report in a notebook: whole, so that it needs no network and no other file."""
        page = html.escape(self.report.read_text("utf8"), quote=True)
        style = "width: 100%; height: 80vh; border: 0"
        return f'<iframe srcdoc="{page}" style="{style}" title="Report of a backtest"></iframe>'

    @property
    def report(self) -> Path:
        """The report as one page."""
        return self.folder / "report.html"

    @cached_property
    def document(self) -> dict[str, Any]:
        """The report as data: the document of docs/reference/report.schema.json. Amounts are exact decimal texts."""
        document: dict[str, Any] = msgspec.json.decode((self.folder / "report.json").read_bytes())
        return document

    @cached_property
    def statistics(self) -> dict[str, Any]:
        """Figures of the report by name, as floats and ints; None where one cannot be computed.

        Ratios are fractions, amounts USD, and durations milliseconds.
        """
        summary = self.document["summary"]
        figures: dict[str, Any] = {
            "initial_equity": number_of(summary["initialEquity"]),
            "final_equity": number_of(summary["finalEquity"]),
        }
        return figures | {to_snake(one["id"]): number_of(one["value"]) for one in summary["metrics"]}

    @cached_property
    def equity(self) -> Any:
        """Equity, balance, margin and sums of fees and funding over time; in pandas by time."""
        frame = self._read("equity")
        return frame.set_index("time") if self._frames == "pandas" else frame

    @cached_property
    def fills(self) -> Any:
        """Every fill."""
        return self._read("fills")

    @cached_property
    def orders(self) -> Any:
        """Every order, with what became of it."""
        return self._read("orders")

    @cached_property
    def trades(self) -> Any:
        """Every round trip: a position from flat to flat or through zero."""
        return self._read("trades")

    @cached_property
    def funding(self) -> Any:
        """Every funding payment."""
        return self._read("funding")

    @cached_property
    def adjustments(self) -> Any:
        """Collateral that came or went without a fill or a funding payment."""
        return self._read("adjustments")

    def _read(self, table: str) -> Any:
        return read_table(self.folder / f"{table}.csv", self._frames)


def number_of(value: Any) -> Any:
    """A figure of the report: amounts are texts there."""
    return float(value) if isinstance(value, str) else value
