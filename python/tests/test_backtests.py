"""Backtests with a real perplab: a strategy in Python has the run that the same one in TypeScript has."""

from __future__ import annotations

from pathlib import Path

import pytest

import perplab

from .conftest import ROOT
from .strategies import Crowd, Noise, SmaCross

HOURS = ROOT / "data" / "BTC-PERP-klines-1h-2024.csv.gz"
FUNDING = ROOT / "data" / "BTC-PERP-fundingRate-2024.csv"
HERE = Path(__file__).parent / "strategies"

pytestmark = pytest.mark.usefixtures("perplab_command")


def test_the_same_means_in_both_languages_have_one_root() -> None:
    options = {"data": [HOURS, FUNDING], "leverage": 3, "to": "2024-06-01"}
    python = perplab.backtest(SmaCross, **options)  # type: ignore[arg-type]
    typescript = perplab.backtest(HERE / "sma.ts", **options)  # type: ignore[arg-type]
    assert python.statistics["fills"] > 50
    assert (python.root, python.head) == (typescript.root, typescript.head)
    assert python.statistics == typescript.statistics


@pytest.mark.parametrize("seed", ["1", "2"])
def test_everything_that_a_strategy_can_do_is_the_same_in_both_languages(seed: str) -> None:
    options = {"data": [HOURS, FUNDING], "leverage": 5, "seed": seed, "from_": "2024-01-10", "to": "2024-03-01"}
    python = perplab.backtest(Noise, **options)  # type: ignore[arg-type]
    typescript = perplab.backtest(HERE / "noise.ts", **options)  # type: ignore[arg-type]
    assert python.logs == typescript.logs
    assert python.metrics == typescript.metrics
    assert python.statistics == typescript.statistics
    said = {line.split()[0] for _, line in python.logs}
    assert said >= {"fill", "cancel", "reject", "intent", "funding", "4h", "1d", "later", "seen"}


METRICS = (
    "create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,"
    "sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio"
)


def test_recorded_series_are_the_same_in_both_languages(tmp_path: Path) -> None:
    rows = [METRICS]
    for at in range(12 * 24 * 3):
        day, minute = divmod(5 * at, 1440)
        time = f"2024-01-{2 + day:02} {minute // 60:02}:{minute % 60:02}:00"
        interest = 80_000 + (at * 7919) % 997
        rows.append(f"{time},BTC,{interest}.0630000000000000,{interest * 60_000}.123456789012345,1.2,,1.4,0.9")
    path = tmp_path / "metrics.csv"
    path.write_text("\n".join(rows))
    options = {"data": [HOURS, f"BTC-PERP:metrics={path}"], "from_": "2024-01-01", "to": "2024-01-06"}
    python = perplab.backtest(Crowd, **options)  # type: ignore[arg-type]
    typescript = perplab.backtest(HERE / "crowd.ts", **options)  # type: ignore[arg-type]
    assert len(python.logs) > 80
    assert python.logs == typescript.logs
    assert (python.root, python.head) == (typescript.root, typescript.head)
    # At the close of the first hour of the file the value of five minutes earlier is known.
    time_ms, line = python.logs[0]
    exact, at_ms, known_ms, count = line.split()
    assert exact.endswith(".123456789012345")
    assert (int(at_ms), int(known_ms), int(count)) == (time_ms - 300_000, time_ms, 12)


def test_a_series_that_the_data_lacks_is_an_error_of_the_strategy() -> None:
    with pytest.raises(perplab.BacktestError, match="there is no series"):
        perplab.backtest(Crowd, data=HOURS, to="2024-01-03")


def test_a_connection_is_the_same_in_both_languages() -> None:
    options = {"data": HOURS, "leverage": 3, "to": "2024-02-01"}
    link = {
        "latency": "lognormal(2000,0.5)",
        "feed_latency": 7_200_000,
        "receipt_latency": "uniform(0,90000)",
        "rate_limit": "1/12h",
        "outage": ["2024-01-10..2024-01-12", "2024-01-20..2024-01-21:feed"],
    }
    python = perplab.backtest(SmaCross, **options, **link)  # type: ignore[arg-type]
    typescript = perplab.backtest(HERE / "sma.ts", **options, **link)  # type: ignore[arg-type]
    assert (python.root, python.head) == (typescript.root, typescript.head)
    driver = python.document["run"]["driver"]
    facts = {fact["name"]: fact["value"] for fact in driver["other"]}
    assert driver["latency"] == "lognormal(2000,0.5)"
    assert facts["feed latency"] == "7200000 ms"
    assert facts["receipt latency"] == "uniform(0,90000)"
    assert facts["rate limit"].startswith("1/")
    assert "outages" in facts
