"""Tables of runs as frames, the report in a notebook, and sweeps."""

from __future__ import annotations

import gc
import html
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import perplab
from perplab.backtesting import Bar, Context

from .conftest import ROOT
from .strategies import SmaCross

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

HOURS = ROOT / "data" / "BTC-PERP-klines-1h-2024.csv.gz"
FUNDING = ROOT / "data" / "BTC-PERP-fundingRate-2024.csv"
OPTIONS: dict[str, Any] = {"data": [HOURS, FUNDING], "leverage": 3, "to": "2024-03-01", "params": {"size": 0.2}}
TABLES = ("equity", "fills", "orders", "trades", "funding", "adjustments")

pytestmark = pytest.mark.usefixtures("perplab_command")


@pytest.fixture(scope="module")
def result() -> perplab.Result:
    return perplab.backtest(SmaCross, **OPTIONS)


def test_sums_of_tables_are_those_of_the_report(result: perplab.Result) -> None:
    parts = {name: float(value) for name, value in result.document["attribution"].items() if name != "markets"}
    assert result.fills["fee"].sum() == pytest.approx(parts["fees"])
    assert result.funding["amount"].sum() == pytest.approx(parts["funding"])
    assert result.trades["net"].sum() == pytest.approx(parts["total"])
    assert result.equity["equity"].iloc[-1] == pytest.approx(result.statistics["final_equity"])
    assert len(result.fills) == result.statistics["fills"] > 10
    assert (result.orders["status"] == "filled").all()


def test_columns_have_their_types(result: perplab.Result) -> None:
    assert str(result.fills["time"].dtype).startswith("datetime64")
    assert str(result.fills["time"].dt.tz) == "UTC"
    assert result.fills["size"].dtype == "float64"
    assert result.fills["order_id"].map(type).eq(str).all()
    assert result.orders["reduce_only"].dtype == "bool"
    assert result.orders["price"].isna().all()
    assert result.trades["fills"].dtype == "int64"
    assert result.equity.index.name == "time"


def test_polars_has_the_same(result: perplab.Result) -> None:
    again = perplab.backtest(SmaCross, frames="polars", **OPTIONS)
    assert again.root == result.root
    for table in TABLES:
        one, other = getattr(result, table), getattr(again, table)
        expected = one.reset_index() if table == "equity" else one
        assert list(other.columns) == list(expected.columns)
        assert other.height == len(expected)
    assert again.fills["time"].dtype == polars.Datetime("ms", "UTC")
    assert again.fills["fee"].sum() == pytest.approx(result.fills["fee"].sum())
    assert again.orders["price"].null_count() == again.orders.height


def test_a_table_of_a_run_without_fills_is_empty() -> None:
    class Idle(perplab.Strategy):
        def on_bar(self, ctx: Context, bar: Bar) -> None:
            """Nothing."""

    for frames in ("pandas", "polars"):
        idle = perplab.backtest(Idle, data=HOURS, to="2024-01-03", frames=frames)
        for table in ("fills", "orders", "trades", "funding"):
            assert len(getattr(idle, table)) == 0
        assert idle.statistics["sharpe"] is None


def test_a_notebook_shows_the_report_without_a_network(result: perplab.Result) -> None:
    shown = result._repr_html_()
    found = re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*" title="[^"]*"></iframe>', shown)
    assert found is not None
    page = html.unescape(found[1])
    assert page == result.report.read_text("utf8")
    assert not re.search(r'(?:src|href)="https?:', page)


def test_files_end_with_their_result_or_stay_where_they_are_asked_for(tmp_path: Path) -> None:
    kept = perplab.backtest(SmaCross, out=tmp_path / "kept", **OPTIONS)
    assert kept.folder == tmp_path / "kept"
    short = perplab.backtest(SmaCross, **OPTIONS)
    folder = short.folder
    assert folder.exists()
    del kept, short
    gc.collect()
    assert not folder.exists()
    assert sorted(file.name for file in (tmp_path / "kept").iterdir()) == sorted(
        ["report.html", "report.json", *(f"{table}.csv" for table in TABLES)]
    )


def test_without_pandas_one_error_says_what_to_install(tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules["pandas"] = sys.modules["polars"] = None
import perplab
result = perplab.backtest("trend", data={str(HOURS)!r}, to="2024-01-10")
print(result.statistics["fills"])
for call in (lambda: result.fills, lambda: perplab.sweep("trend", data="x", grid={{"fast": [2]}}, frames="polars")):
    try:
        call()
    except perplab.PackageMissing as error:
        print(error.code, error.hint)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = ["PACKAGE_MISSING pip install 'perplab[pandas]'", "PACKAGE_MISSING pip install 'perplab[polars]'"]
    assert done.stdout.splitlines()[1:] == said


def test_options_are_typed_as_they_are_meant() -> None:
    from_ = datetime(2024, 1, 5, 12, tzinfo=timezone.utc)
    run = perplab.backtest(
        SmaCross,
        data=str(HOURS),
        from_=from_,
        to="2024-02-01",
        deposit=25_000.5,
        fees=0.00001,
        latency=0,
        set={"liquidationFee": "0.001"},
        seed=7,
    )
    facts = run.document["run"]
    assert facts["startMs"] == from_.timestamp() * 1000 + 1
    assert run.statistics["initial_equity"] == 25_000.5
    assert facts["driver"]["takerFee"] == "0.00001"
    assert facts["driver"]["seed"] == "7"
    assert facts["command"].startswith("perplab.backtest(SmaCross, data=")


def test_a_sweep_has_a_row_a_run_the_best_first() -> None:
    options: dict[str, Any] = {"data": HOURS, "to": "2024-02-10", "where": "fast < slow", "params": {"size": 0.2}}
    grid: dict[str, Any] = {"fast": [6, 24, 48], "slow": "24..48:24", "fees": ["none", "0.0005"]}
    own = perplab.sweep(SmaCross, grid=grid, sort="totalReturn", **options)
    assert len(own) == 6
    assert own["total_return"].is_monotonic_decreasing
    assert set(own["state"]) == {"traded"}
    first = own.iloc[0]
    params = {"size": 0.2, "fast": int(first["fast"]), "slow": int(first["slow"])}
    alone = perplab.backtest(SmaCross, data=HOURS, to="2024-02-10", fees=first["fees"], params=params)
    assert alone.root == first["root"]
    assert alone.statistics["sharpe"] == first["sharpe"]
    assert "fast=" in first["command"]


def test_a_sweep_in_both_languages_has_the_same_roots(tmp_path: Path) -> None:
    options: dict[str, Any] = {"data": HOURS, "to": "2024-02-01", "grid": {"fast": [6, 12], "leverage": [1, 3]}}
    own = perplab.sweep(SmaCross, **options)
    file = perplab.sweep(
        ROOT / "python" / "tests" / "strategies" / "sma.ts", store=tmp_path / "runs", workers=1, **options
    )
    assert list(own["root"]) == list(file["root"])
    assert len(set(own["root"])) == 4


def test_a_cell_whose_strategy_raises_is_a_failed_row() -> None:
    class Half(SmaCross):
        def on_start(self, ctx: Context) -> None:
            super().on_start(ctx)
            if ctx.params.fast > 10:
                raise ValueError("too slow")

    cells = perplab.sweep(Half, data=HOURS, to="2024-01-20", grid={"fast": [6, 12]})
    assert list(cells["state"]) == ["traded", "failed"]
    assert "too slow" in cells["error"].iloc[1]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"grid": {"fats": [1]}}, "AXIS_UNKNOWN"),
        ({"grid": {"fast": []}}, "GRID_INVALID"),
        ({"grid": {"fast": [6]}, "workers": 2}, "OPTION_INVALID"),
        ({"grid": {"fast": [6]}, "sort": "luck"}, "METRIC_UNKNOWN"),
    ],
)
def test_what_a_sweep_refuses_has_its_code(options: dict[str, Any], code: str) -> None:
    with pytest.raises(perplab.BacktestError) as caught:
        perplab.sweep(SmaCross, data=HOURS, **options)
    assert caught.value.code == code


def test_a_latency_is_an_axis() -> None:
    grid: dict[str, Any] = {"feed-latency": [0, 7_200_000], "receipt-latency": [0, 60_000]}
    frame = perplab.sweep(SmaCross, data=HOURS, to="2024-01-20", grid=grid, latency="uniform(10,90)")
    assert set(frame["feed-latency"].astype(int)) == {0, 7_200_000}
    assert frame["root"].nunique() > 1
