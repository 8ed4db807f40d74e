"""Backtests with a real perplab: a strategy in Python has the run that the same one in TypeScript has."""

from __future__ import annotations

from pathlib import Path

import pytest

import perplab

from .conftest import ROOT
from .strategies import Noise, SmaCross

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
