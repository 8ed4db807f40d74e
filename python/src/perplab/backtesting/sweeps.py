"""Sweeps: a strategy at every point of a grid."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from ..errors import BacktestError
from .frames import Frames, check_frames, load_package, to_snake
from .host import Host
from .messages import Failed
from .options import Source, Time, describe_call, keep_options, sources_of, text_of, words_of
from .run import AnyStrategy, request_of
from .runner import Runner
from .strategy import ParamValue

#: Values of an axis: a list, or a text such as `48..96:24`.
Axis = Sequence[ParamValue] | str

#: Arguments that become words in another way, or none.
NOT_WORDS = ("strategy", "data", "grid", "params", "out", "frames", "batch", "on_progress")


def sweep(
    strategy: AnyStrategy,
    *,
    data: Source | Iterable[Source],
    grid: Mapping[str, Axis],
    where: str | Sequence[str] | None = None,
    random: int | None = None,
    seed: str | int | None = None,
    params: Mapping[str, ParamValue] | None = None,
    sort: str | None = None,
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
    allow: str | Iterable[str] | None = None,
    deny: str | Iterable[str] | None = None,
    workers: int | None = None,
    store: str | os.PathLike[str] | None = None,
    run_limit: str | None = None,
    out: Source | Iterable[Source] | None = None,
    reports: Literal["all", "best", "none"] | None = None,
    frames: Frames = "pandas",
    batch: int | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Any:
    """Runs a strategy at every point of a grid, and returns a frame with a row a run, the best first.

    Options are those of `perplab sweep` (docs/reference/cli.md) and have its defaults; those of a run are as in
    `backtest`. Columns are the axes, `state` (traded, idle, liquidated, wipedOut or failed), the figures of
    `Result.statistics`, `error`, `root` and `command`.

    Args:
        strategy: As in `backtest`. Runs of a class are made one after the other, and nothing of them is stored.
        data: As in `backtest`.
        grid: Values by name: parameters of the strategy, options of a run, parameters of the markets. A name that is
            two of them needs `param.`, `run.` or `set.` before it.
        where: Conditions that a point must meet: `fast < slow`.
        random: Draws so many points of the grid.
        seed: Of the draw.
        params: Parameters that all runs share.
        sort: Figure that ranks, as `perplab sweep` names it. Default: `sharpe`; `totalReturn` if the run is too short.
        workers: Threads; of a strategy in a file alone.
        store: Where results are kept; of a strategy in a file alone.
        run_limit: Longest time of one run; of a strategy in a file alone.
        out: Paths to write: `.html`, a page with heatmaps; `.json`; `.csv` or `.parquet`.
        reports: With a page: which runs get a report of their own.
        frames: `pandas` or `polars`.
        batch: As in `backtest`.
        on_progress: Called with lines about how far the sweep is.

    Raises:
        BacktestError: what perplab refuses, with its code
        HostMissing, HostUnusable, HostEnded: perplab is not found, does not start, or ended
        PackageMissing: pandas or polars is not installed
    """
    given = keep_options({name: value for name, value in locals().items() if name not in NOT_WORDS})
    check_frames(frames)
    package = load_package(frames)
    sources = sources_of(data)
    files = None if out is None else sources_of(out)
    options = {"data": sources, "grid": {name: values_of(axis) for name, axis in grid.items()}, "param": params}
    request, own = request_of(strategy, words_of({**options, **given, "out": files}), batch)
    request["command"] = describe_call("sweep", request["command"], sources, {"grid": dict(grid), **given})
    with Host() as host:
        ended = Runner(host, own, on_progress).run("sweep", request)
    if isinstance(ended, Failed):
        failure = ended.failure
        raise BacktestError(failure.code, failure.message, hint=failure.hint, details={"place": failure.place})
    return frame_of(msgspec.msgpack.decode(ended.result), package, frames)


def values_of(axis: Axis) -> str:
    """An axis as it is typed."""
    return axis if isinstance(axis, str) else ",".join(text_of(value) for value in axis)


def frame_of(result: Mapping[str, Any], package: Any, frames: Frames) -> Any:
    """The cells of a sweep as rows, the best first."""
    cells = {cell["hash"]: cell for cell in result["sweep"]["cells"]}
    rows = [row_of(cells[hash]) for hash in result["ranked"]]
    # A run that failed has no figures.
    names = max((list(row) for row in rows), key=len)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return package.DataFrame(columns) if frames == "pandas" else package.DataFrame(columns, infer_schema_length=None)


def number_of(value: Any) -> Any:
    """A figure: amounts are texts."""
    return float(value) if isinstance(value, str) else value


def row_of(cell: Mapping[str, Any]) -> dict[str, Any]:
    """A cell as a row. An axis that has the name of a figure gets `axis_` before it."""
    error = cell["error"]
    metrics = {to_snake(name): number_of(value) for name, value in cell["metrics"].items()}
    return {
        **{f"axis_{name}" if name in metrics else name: value for name, value in cell["values"].items()},
        "state": cell["state"],
        **metrics,
        "error": None if error is None else f"{error['code']}: {error['message']}",
        "root": cell["root"],
        "command": cell["command"],
    }
