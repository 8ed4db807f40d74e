"""What happens where perplab is missing, too old, ends, or is left alone; and that no process stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import perplab
from perplab.backtesting import Bar, Context
from perplab.backtesting.find import find_command
from perplab.backtesting.host import Host

from .conftest import ROOT

HOURS = ROOT / "data" / "BTC-PERP-klines-1h-2024.csv.gz"
OPTIONS: dict[str, Any] = {"data": HOURS, "to": "2024-02-01"}


class Idle(perplab.Strategy):
    """Does nothing."""

    def on_bar(self, ctx: Context, bar: Bar) -> None:
        """Nothing."""


class Fails(perplab.Strategy):
    """Trades, then raises."""

    params = {"bars": 10}

    def on_start(self, ctx: Context) -> None:
        self.left = ctx.params.bars

    def on_bar(self, ctx: Context, bar: Bar) -> None:
        ctx.set_position(0.1)
        self.left -= 1
        if self.left == 0:
            raise ZeroDivisionError("no bars are left")


def script(folder: Path, text: str, name: str = "perplab") -> Path:
    """A program of its own."""
    file = folder / name
    file.write_text(text)
    file.chmod(0o755)
    return file


def processes_of(pid: int) -> list[int]:
    """A process and those that it started, as far as they run."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listing.splitlines()]
    alive = {int(row[0]): int(row[1]) for row in rows if not row[2].startswith("Z")}
    found = [pid] if pid in alive else []
    for child, parent in alive.items():
        if parent == pid:
            found += processes_of(child)
    return found


def hosts() -> set[int]:
    """Processes of perplab on this machine that run strategies."""
    listing = subprocess.run(["ps", "-eo", "pid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()]
    return {int(pid) for pid, stat, words in rows if words.endswith("perplab.js strategy-host") and stat[0] != "Z"}


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Waits, and fails where it takes too long."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


# Finding


def test_without_perplab_an_error_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(perplab.HostMissing, match="npm") as caught:
        find_command({"PATH": str(tmp_path)}, tmp_path)
    assert caught.value.code == "HOST_MISSING"


def test_the_variable_comes_first_then_node_modules_above_then_the_path(tmp_path: Path) -> None:
    above = tmp_path / "project" / "node_modules" / ".bin"
    below = tmp_path / "project" / "a" / "b"
    path = tmp_path / "path"
    for folder in (above, below, path):
        folder.mkdir(parents=True)
    on_path, local, named = script(path, ""), script(above, ""), script(tmp_path, "", "mine")
    environment = {"PATH": str(path)}
    assert find_command(environment, path) == [str(on_path)]
    assert find_command(environment, below) == [str(local)]
    assert find_command({**environment, "PERPLAB": str(named)}, below) == [str(named)]


def test_a_clone_around_the_working_directory_is_found() -> None:
    assert find_command({"PATH": os.environ["PATH"]}, ROOT / "docs")[-1] == str(ROOT / "bin" / "perplab.js")


def test_a_variable_that_names_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(perplab.HostMissing, match="is no file"):
        find_command({"PERPLAB": str(tmp_path / "gone")}, tmp_path)


def test_without_node_an_error_says_so(tmp_path: Path) -> None:
    file = script(tmp_path, "", "perplab.js")
    with pytest.raises(perplab.HostMissing) as caught:
        find_command({"PERPLAB": str(file), "PATH": str(tmp_path)}, tmp_path)
    assert caught.value.code == "NODE_MISSING"


# Starting


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("echo 'perplab needs Node 22.18 or newer, and this is v16.0.0' >&2; exit 2", "NODE_TOO_OLD", "v16.0.0"),
        ("echo \"unknown command 'strategy-host'\" >&2; exit 2", "HOST_UNUSABLE", "unknown command"),
        ("echo 'env: node: No such file or directory' >&2; exit 127", "NODE_MISSING", "No such file"),
        # The first message of a host whose protocol is of another version.
        (r"printf '\000\000\000\016\223\245hello\143\245later'; sleep 1", "HOST_VERSION", "version 99"),
    ],
)
def test_a_perplab_that_does_not_fit_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, code: str, said: str
) -> None:
    monkeypatch.setenv("PERPLAB", str(script(tmp_path, f"#!/bin/sh\n{text}\n")))
    with pytest.raises(perplab.HostUnusable, match=said) as caught:
        perplab.backtest(Idle, **OPTIONS)
    assert caught.value.code == code
    assert caught.value.hint


def test_a_file_that_cannot_be_started_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = script(tmp_path, "")
    file.chmod(0o644)
    monkeypatch.setenv("PERPLAB", str(file))
    with pytest.raises(perplab.HostMissing, match="cannot be started"):
        perplab.backtest(Idle, **OPTIONS)


# Running


@pytest.mark.usefixtures("perplab_command")
class TestRunning:
    def test_a_strategy_that_raises_is_the_cause_and_its_run_is_kept(self) -> None:
        with pytest.raises(perplab.StrategyFailed, match="no bars are left") as caught:
            perplab.backtest(Fails, **OPTIONS)
        error = caught.value
        assert error.code == "STRATEGY_FAILED"
        assert isinstance(error.__cause__, ZeroDivisionError)
        assert error.hint is not None
        assert "test_host.py" in error.hint
        assert error.result.stopped == "strategyFailed"
        assert error.result.statistics["fills"] == 1
        assert "no bars are left" in error.result.report.read_text("utf8")

    def test_a_raise_within_bars_that_were_sent_ahead_is_at_its_bar(self) -> None:
        class Late(perplab.Strategy):
            def on_start(self, ctx: Context) -> None:
                self.seen = 0

            def on_bar(self, ctx: Context, bar: Bar) -> None:
                self.seen += 1
                if self.seen == 200:
                    raise ValueError(f"bar {bar.close_time_ms}")

        for batch in (1, 512):
            with pytest.raises(perplab.StrategyFailed, match="bar 1704787200000") as caught:
                perplab.backtest(Late, batch=batch, **OPTIONS)
            assert caught.value.result.document["run"]["endMs"] == 1704787200000

    def test_a_constructor_that_raises_is_the_strategys_failure(self) -> None:
        class Broken(Idle):
            def __init__(self) -> None:
                raise LookupError("no model file")

        with pytest.raises(perplab.StrategyFailed, match="no model file") as caught:
            perplab.backtest(Broken, **OPTIONS)
        assert isinstance(caught.value.__cause__, LookupError)

    @pytest.mark.parametrize(
        ("options", "code"),
        [
            ({"leverage": 0}, "OPTION_INVALID"),
            ({"params": {"fats": 3}}, "PARAM_UNKNOWN"),
            ({"data": "gone.csv"}, "FILE_MISSING"),
            ({"from_": "yesterday"}, "OPTION_INVALID"),
            ({"intrabar": "low"}, "OPTION_INVALID"),
            ({"set": {"makerFees": 0}}, "OPTION_INVALID"),
            ({"data": []}, "OPTION_INVALID"),
            ({"frames": "arrow"}, "OPTION_INVALID"),
            ({"batch": 0}, "MESSAGE_INVALID"),
        ],
    )
    def test_what_perplab_refuses_has_its_code(self, options: dict[str, Any], code: str) -> None:
        with pytest.raises(perplab.BacktestError) as caught:
            perplab.backtest(Idle, **{**OPTIONS, **options})
        assert caught.value.code == code

    def test_an_option_that_there_is_not_is_refused(self) -> None:
        with pytest.raises(TypeError, match="leverge"):
            perplab.backtest(Idle, leverge=3, **OPTIONS)  # type: ignore[call-arg]

    def test_no_process_is_left_however_a_run_ends(self) -> None:
        before = hosts()

        class Interrupted(perplab.Strategy):
            def on_bar(self, ctx: Context, bar: Bar) -> None:
                raise KeyboardInterrupt

        perplab.backtest(Idle, **OPTIONS)
        with pytest.raises(perplab.StrategyFailed):
            perplab.backtest(Fails, **OPTIONS)
        with pytest.raises(KeyboardInterrupt):
            perplab.backtest(Interrupted, **OPTIONS)
        with pytest.raises(perplab.BacktestError):
            perplab.backtest(Idle, **{**OPTIONS, "leverage": 0})
        wait_until(lambda: hosts() <= before)

    def test_a_host_that_is_killed_is_an_error(self) -> None:
        class Killer(perplab.Strategy):
            def on_bar(self, ctx: Context, bar: Bar) -> None:
                for pid in processes_of(os.getpid())[1:]:
                    os.kill(pid, signal.SIGKILL)
                time.sleep(0.2)

        with pytest.raises(perplab.HostEnded) as caught:
            perplab.backtest(Killer, **OPTIONS)
        assert caught.value.code == "HOST_ENDED"

    def test_a_closed_host_takes_no_more_messages(self) -> None:
        with Host() as host:
            pass
        with pytest.raises(perplab.HostEnded):
            host.send(("backtest", {}))

    @pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
    def test_the_host_ends_with_its_python(self, tmp_path: Path, end: signal.Signals) -> None:
        code = f"""
import pathlib, time, perplab
class Slow(perplab.Strategy):
    def on_bar(self, ctx, bar):
        pathlib.Path("started").touch()
        time.sleep(0.01)
perplab.backtest(Slow, data={str(HOURS)!r})
"""
        process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.DEVNULL)
        wait_until((tmp_path / "started").exists)
        running = processes_of(process.pid)
        assert len(running) > 1
        process.send_signal(end)
        process.wait(20)
        wait_until(lambda: not any(processes_of(pid) for pid in running))
