"""A devnet for each test that asks for one, in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
PERPLAB = ROOT / "bin" / "perplab.js"


@dataclass
class Devnet:
    """A running venue.

    Attributes:
        url: Its address.
        keys: Private keys of funded accounts.
        config: What it wrote for programs.
    """

    url: str
    keys: list[str]
    config: dict[str, Any]
    process: subprocess.Popen[bytes]
    arguments: tuple[str, ...]

    def control(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Calls an operation of `/devnet`."""
        answer = httpx.post(f"{self.url}/devnet{path}", json=body or {}, timeout=30)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def faults(self) -> list[dict[str, Any]]:
        """The faults that are injected, with how often each struck."""
        found: list[dict[str, Any]] = httpx.get(f"{self.url}/devnet/faults", timeout=30).json()["data"]
        return found

    def clear_faults(self) -> None:
        """Ends all faults."""
        httpx.delete(f"{self.url}/devnet/faults", timeout=30).raise_for_status()

    def kill(self) -> None:
        """Ends it at once, as a crash would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def perplab_command(monkeypatch: pytest.MonkeyPatch) -> str:
    """Lets backtests run in this clone's perplab."""
    if shutil.which("node") is None or not PERPLAB.exists():
        pytest.skip("no node, or no clone of perplab around this folder")
    monkeypatch.setenv("PERPLAB", str(PERPLAB))
    return str(PERPLAB)


@pytest.fixture
def start_devnet(tmp_path: Path) -> Iterator[Callable[..., Devnet]]:
    """Starts devnets with options of the command line; all end with the test."""
    node = shutil.which("node")
    if node is None or not PERPLAB.exists():
        pytest.skip("no node, or no clone of perplab around this folder")
    running: list[Devnet] = []

    def start(*arguments: str) -> Devnet:
        config = tmp_path / f"devnet-{len(running)}.json"
        options = ("--port", "0", *arguments) if "--port" not in arguments else arguments
        command = [node, str(PERPLAB), "devnet", "--silent", "--config-out", str(config), *options]
        # A group of its own: an old Node starts the clone's, and a kill has to reach both.
        environment = {**os.environ, "NO_COLOR": "1"}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment, start_new_session=True)
        while not config.exists():
            if process.poll() is not None:
                raise RuntimeError(f"the devnet ended with {process.returncode}")
            time.sleep(0.02)
        written = json.loads(config.read_text("utf8"))
        config.unlink()
        keys = [account["privateKey"] for account in written["accounts"]]
        devnet = Devnet(written["url"], keys, written, process, arguments)
        running.append(devnet)
        return devnet

    yield start
    for devnet in running:
        if devnet.process.poll() is None:
            devnet.process.send_signal(signal.SIGTERM)
    for devnet in running:
        devnet.process.wait()


@pytest.fixture
def devnet(start_devnet: Callable[..., Devnet]) -> Devnet:
    """A devnet with control."""
    return start_devnet("--control")
