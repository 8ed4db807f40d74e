"""Every block of the guides in Python, of the notebook and of the package's page runs as it is written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT, Devnet

GUIDES = ROOT / "docs" / "guides"
NOTEBOOK = GUIDES / "python-in-ten-minutes.ipynb"
CLIENT = "## A client of a venue"


def blocks_of(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def read(page: Path) -> str:
    return page.read_text("utf8")


BACKTESTS, OF_CLIENT = read(GUIDES / "python.md").split(CLIENT)
PAGES = {
    "python": OF_CLIENT,
    "README": read(ROOT / "python" / "README.md"),
    "sdk": read(GUIDES / "sdk.md"),
    "devnet": read(GUIDES / "devnet.md"),
}
BLOCKS = [(f"{name}-{at}", block) for name, text in PAGES.items() for at, block in enumerate(blocks_of(text))]


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A block that waits for ever fails."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_all_pages_have_code() -> None:
    assert {name.split("-")[0] for name, _ in BLOCKS} == set(PAGES)
    assert len(BLOCKS) >= 16


@pytest.mark.parametrize("block", [block for _, block in BLOCKS], ids=[name for name, _ in BLOCKS])
def test_a_block_runs_as_it_is_written(block: str, devnet: Devnet, tmp_path: Path) -> None:
    given = f"url, key, other_key = {devnet.url!r}, {devnet.keys[0]!r}, {devnet.keys[1]!r}\n"
    code = given + block.replace("http://127.0.0.1:8645", devnet.url)
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.usefixtures("perplab_command")
def test_the_backtests_of_the_guide_run_one_after_the_other(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    code = "\n".join(blocks_of(BACKTESTS))
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "total_return" in done.stdout


@pytest.mark.usefixtures("perplab_command")
def test_the_notebook_runs(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    (shown,) = notebook.cells[-1].outputs
    assert shown.data["text/html"].startswith("<iframe srcdoc=")
    assert "Result(total_return=" in shown.data["text/plain"]


def test_the_notebook_has_the_code_of_the_guide_and_no_outputs() -> None:
    cells = [cell for cell in json.loads(read(NOTEBOOK))["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    sources = ["".join(cell["source"]) for cell in cells]
    assert sources[:-1] == [block.rstrip("\n") for block in blocks_of(BACKTESTS)[: len(sources) - 1]]
