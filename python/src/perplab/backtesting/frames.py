"""Tables of a run as frames of pandas or polars."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any, Literal

from ..errors import BacktestError, PackageMissing

#: Which package makes the frames.
Frames = Literal["pandas", "polars"]

#: Columns of every table by their types; all others are floats, and missing ones are nan or null.
TIMES = frozenset({"time", "sent", "ended", "entry_time", "exit_time"})
TEXTS = frozenset(
    {"market", "side", "role", "order_id", "liquidation_id", "id", "type", "time_in_force", "status", "reason", "kind"}
    | {"state", "error", "root", "hash", "command"}
)
FLAGS = frozenset({"reduce_only", "liquidated"})
WHOLES = frozenset({"fills", "amendments", "cell"})


def check_frames(frames: str) -> None:
    """Refuses a package that there is no code for.

    Raises:
        BacktestError: OPTION_INVALID
    """
    if frames not in ("pandas", "polars"):
        raise BacktestError("OPTION_INVALID", f"frames cannot be {frames!r}", hint="give pandas or polars")


def load_package(frames: Frames) -> Any:
    """pandas or polars.

    Raises:
        PackageMissing: PACKAGE_MISSING
    """
    try:
        return importlib.import_module(frames)
    except ImportError as error:
        raise PackageMissing(
            "PACKAGE_MISSING",
            f"tables are frames of {frames}, and it is not installed",
            hint=f"pip install 'perplab[{frames}]'",
        ) from error


def read_table(path: Path, frames: Frames) -> Any:
    """A table that perplab wrote as CSV, with names in snake case, times in UTC and numbers as floats."""
    package = load_package(frames)
    with path.open(encoding="utf8") as file:
        columns = file.readline().rstrip("\n").split(",")
    names = [to_snake(column) for column in columns]
    # Of an order, when it entered; of a round trip, the size that entered.
    if path.stem.endswith("orders"):
        kinds = {name: "time" if name == "entered" else kind_of(name) for name in names}
    else:
        kinds = {name: kind_of(name) for name in names}
    return read_pandas(package, path, kinds) if frames == "pandas" else read_polars(package, path, kinds)


def kind_of(name: str) -> str:
    """The type of a column."""
    for kind, known in (("time", TIMES), ("text", TEXTS), ("flag", FLAGS), ("whole", WHOLES)):
        if name in known:
            return kind
    return "number"


def read_pandas(pandas: Any, path: Path, kinds: dict[str, str]) -> Any:
    """As a frame of pandas."""
    types = {"time": "str", "text": "str", "flag": "bool", "whole": "int64", "number": "float64"}
    frame = pandas.read_csv(
        path,
        names=list(kinds),
        header=0,
        dtype={name: types[kind] for name, kind in kinds.items()},
        keep_default_na=False,
        na_values={name: [""] for name in kinds},
        engine="c",
    )
    for name, kind in kinds.items():
        if kind == "time":
            frame[name] = pandas.to_datetime(frame[name], format="ISO8601", utc=True)
    return frame


def read_polars(polars: Any, path: Path, kinds: dict[str, str]) -> Any:
    """As a frame of polars."""
    types = {
        "time": polars.String,
        "text": polars.String,
        "flag": polars.Boolean,
        "whole": polars.Int64,
        "number": polars.Float64,
    }
    frame = polars.read_csv(
        path,
        has_header=True,
        new_columns=list(kinds),
        schema_overrides={name: types[kind] for name, kind in kinds.items()},
        null_values=[""],
    )
    times = [name for name, kind in kinds.items() if kind == "time"]
    form = "%Y-%m-%dT%H:%M:%S%.fZ"
    return frame.with_columns(
        polars.col(name).str.to_datetime(form, time_unit="ms").dt.replace_time_zone("UTC") for name in times
    )


def to_snake(name: str) -> str:
    """`realizedPnl` as `realized_pnl`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
