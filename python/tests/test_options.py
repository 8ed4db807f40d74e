"""Options of a call as words of the command line."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from perplab import BacktestError
from perplab.backtesting.options import describe_call, keep_options, sources_of, text_of, words_of
from perplab.backtesting.strategy import to_id
from perplab.backtesting.sweeps import values_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (0.1, "0.1"),
        (0.00001, "0.00001"),
        (True, "true"),
        (Path("a") / "b.csv", str(Path("a") / "b.csv")),
        (date(2024, 7, 1), "2024-07-01"),
        (datetime(2024, 7, 1, 12), "2024-07-01T12:00:00.000Z"),
        (datetime(2024, 7, 1, 12, tzinfo=timezone(timedelta(hours=2))), "2024-07-01T10:00:00.000Z"),
    ],
)
def test_a_value_is_written_as_it_is_typed(value: Any, text: str) -> None:
    assert text_of(value) == text


def test_options_become_words_and_what_is_none_is_left_out() -> None:
    given = {"from_": "2024", "equity_interval": "1d", "leverage": None, "set": {"makerFee": 0}, "data": ["a", "b"]}
    assert words_of(given) == ["--from=2024", "--equity-interval=1d", "--set=makerFee=0", "--data=a", "--data=b"]


def test_findings_are_one_word() -> None:
    assert words_of({"allow": ["gap", "nullRow"], "deny": "gap"}) == ["--allow=gap,nullRow", "--deny=gap"]


def test_a_connection_becomes_words_and_an_iterable_is_read_once() -> None:
    outages = (text for text in ("2024-01-04..2024-01-05:feed", "outages.csv"))
    link = {"latency": Path("a") / "b.csv", "feed_latency": 5, "receipt_latency": "lognormal(20,0.5)"}
    given = keep_options({**link, "rate_limit": "10/1s", "outage": outages})
    assert words_of(given) == [
        f"--latency={Path('a') / 'b.csv'}",
        "--feed-latency=5",
        "--receipt-latency=lognormal(20,0.5)",
        "--rate-limit=10/1s",
        "--outage=2024-01-04..2024-01-05:feed",
        "--outage=outages.csv",
    ]
    assert "outage=['2024-01-04..2024-01-05:feed', 'outages.csv']" in describe_call("backtest", "'trend'", ["a"], given)


def test_an_axis_is_a_list_or_a_text() -> None:
    assert values_of([1, 2.5, True]) == "1,2.5,true"
    assert values_of(range(3)) == "0,1,2"
    assert values_of("48..96:24") == "48..96:24"


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert values_of(numpy.array([0.1, 0.2])) == "0.1,0.2"
    assert values_of(numpy.array([1, 2])) == "1,2"


@pytest.mark.parametrize("data", [[], [3], ["a", None]])
def test_data_that_names_no_files_is_refused(data: Any) -> None:
    with pytest.raises(BacktestError) as caught:
        sources_of(data)
    assert caught.value.code == "OPTION_INVALID"


def test_a_call_is_described_as_it_is_typed() -> None:
    described = describe_call("backtest", "Cross", ["a.csv"], {"leverage": 3, "to": None})
    assert described == "perplab.backtest(Cross, data='a.csv', leverage=3)"


@pytest.mark.parametrize(("name", "id"), [("SmaCross", "sma-cross"), ("RSI", "rsi"), ("RSIFast2", "rsi-fast2")])
def test_a_class_has_an_id(name: str, id: str) -> None:
    assert to_id(name) == id
