"""Backtests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import msgspec

from ..errors import BacktestError, StrategyFailed
from .frames import Frames, check_frames
from .host import Host
from .messages import Done, Failed
from .options import Source, Time, describe_call, keep_options, sources_of, words_of
from .result import TABLES, Result, RunFacts
from .runner import Runner
from .strategy import ParamValue, Strategy, define

#: A strategy: a class, the name of an example, or the path of a TypeScript or JavaScript module.
AnyStrategy = type[Strategy] | str | os.PathLike[str]


def backtest(
    strategy: AnyStrategy,
    *,
    data: Source | Iterable[Source],
    params: Mapping[str, ParamValue] | None = None,
    deposit: float | str | None = None,
    leverage: int | None = None,
    margin: Literal["cross", "isolated"] | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    fees: str | float | None = None,
    latency: int | str | None = None,
    feed_latency: int | str | None = None,
    receipt_latency: int | str | None = None,
    rate_limit: str | None = None,
    outage: str | Iterable[str] | None = None,
    bars: str | None = None,
    blocks: Literal["needed", "all"] | None = None,
    spread: int | None = None,
    participation: float | str | None = None,
    impact: int | None = None,
    intrabar: Literal["nearest", "high-first", "low-first"] | None = None,
    block: int | None = None,
    tick: float | str | None = None,
    lot: float | str | None = None,
    set: Mapping[str, float | str | bool] | None = None,
    queue: str | None = None,
    insurance: float | str | None = None,
    signatures: Literal["verify", "elide"] | None = None,
    seed: str | int | None = None,
    allow: str | Iterable[str] | None = None,
    deny: str | Iterable[str] | None = None,
    equity_interval: str | None = None,
    log: str | os.PathLike[str] | None = None,
    notes: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    frames: Frames = "pandas",
    batch: int | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Result:
    """Runs a strategy against recorded market data, in a venue of its own.

    Options are those of `perplab backtest` (docs/reference/cli.md) and have its defaults.

    Args:
        strategy: A class of `Strategy`, the name of an example (`"trend"`), or the path of a module.
        data: A tape, or files as `[MARKET[:LAYOUT]=]PATH`.
        params: Parameters of the strategy that differ from their defaults.
        deposit: Collateral at the start, USD.
        leverage: Leverage in every market.
        margin: `cross`, or `isolated`: each position has collateral of its own.
        from_: First moment that is replayed.
        to: First moment that is not replayed any more.
        fees: As ratios of value: `none`, `0.0005`, or maker and taker `0.0002/0.0005`.
        latency: From sending to the first block that may carry it: milliseconds, `lognormal(20,0.5)`, or a CSV file.
        feed_latency: From the market to the strategy, in the same forms.
        receipt_latency: From a block to what the strategy learns of it, in the same forms.
        rate_limit: Transactions that the venue takes in an interval: `10/1s`, or `300/10s,1200/1m`.
        outage: Times without a connection: `2024-03-05T12:00..2024-03-05T12:20:feed`, or a CSV file.
        bars: Data of trades: length of the bars that are made of them.
        blocks: `all` makes a block wherever the data has something.
        spread: Ticks between the best prices of the history's depth.
        participation: Data of bars: share of the volume that is on offer.
        impact: Data of bars: ticks between one quarter of the depth and the next.
        intrabar: Data of bars: which extreme comes first.
        block: Data of trades: milliseconds that a block gathers.
        tick, lot: Steps of prices and of sizes.
        set: Further parameters of the markets.
        queue: Order books: `behind`, `proportional`, `log` or `power(n)`.
        insurance: Insurance fund at the start, USD.
        signatures: `verify` signs and checks every transaction.
        seed: Of the strategy's random numbers.
        allow, deny: Findings in the data that are not errors, or are.
        equity_interval: Time between two rows of `equity`, for example `1d`.
        log: Path of a block log to write, for `perplab verify`.
        notes: Path of a file to write with the lines that the strategy logged.
        out: Folder in which report and tables stay. Default: one that ends with the result.
        frames: `pandas` or `polars`.
        batch: Most bars that are sent ahead of the strategy at once; 1 for none. The result is the same.
        on_progress: Called with lines about how far the run is.

    Raises:
        BacktestError: what perplab refuses, with its code
        StrategyFailed: a hook raised; `result` is the run up to then
        HostMissing, HostUnusable, HostEnded: perplab is not found, does not start, or ended
    """
    given = keep_options({k: v for k, v in locals().items() if k not in ("strategy", "data", *NOT_WORDS)})
    check_frames(frames)
    sources = sources_of(data)
    owner = None if out is not None else TemporaryDirectory(prefix="perplab-")
    folder = Path(os.fspath(out)) if owner is None else Path(owner.name)  # type: ignore[arg-type]
    files = [str(folder / name) for name in ("report.html", "report.json", *(f"{table}.csv" for table in TABLES))]
    words = words_of({"data": sources, "param": params, **given, "params": None, "out": files})
    request, own = request_of(strategy, words, batch)
    request["command"] = describe_call("backtest", request["command"], sources, given)
    with Host() as host:
        runner = Runner(host, own, on_progress)
        ended = runner.run("backtest", request)
    return finish(ended, runner.raised, lambda facts: Result(facts, folder, frames, owner))


def request_of(
    strategy: AnyStrategy, words: list[str], batch: int | None
) -> tuple[dict[str, Any], type[Strategy] | None]:
    """A work as it travels, and the class that runs here, if it is one. `command` is how a call names the strategy."""
    own = check_class(strategy) if isinstance(strategy, type) else None
    path = "" if isinstance(strategy, type) else os.fspath(strategy)
    request: dict[str, Any] = {
        "strategy": path if own is None else define(own),
        "words": words,
        "command": repr(path) if own is None else own.__name__,
    }
    return request if batch is None else request | {"batch": batch}, own


#: Arguments that are no options of the command line.
NOT_WORDS = ("out", "frames", "batch", "on_progress")


def check_class(given: type) -> type[Strategy]:
    """Refuses a class that is no strategy.

    Raises:
        BacktestError: STRATEGY_INVALID
    """
    if issubclass(given, Strategy) and given is not Strategy:
        return given
    raise BacktestError(
        "STRATEGY_INVALID", f"{given.__name__} is no strategy", hint="write: class Mine(perplab.Strategy): …"
    )


def finish(ended: Done | Failed, raised: Exception | None, make: Callable[[RunFacts], Result]) -> Result:
    """The result of a run, or the error of one that failed."""
    facts = msgspec.msgpack.decode(ended.result, type=RunFacts | None)
    if isinstance(ended, Done):
        assert facts is not None
        return make(facts)
    failure = ended.failure
    details = {"place": failure.place}
    if facts is None:
        raise BacktestError(failure.code, failure.message, hint=failure.hint, details=details) from raised
    error = StrategyFailed(failure.code, failure.message, hint=failure.hint, details=details)
    error.result = make(facts)
    raise error from raised
