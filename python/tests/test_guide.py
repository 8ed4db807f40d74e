"""Every block of the guide and of the package's page runs as it is written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT, Devnet

PAGES = [ROOT / "docs" / "guides" / "python.md", ROOT / "python" / "README.md"]


def blocks() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        code = re.findall(r"^```python\n(.*?)^```", page.read_text("utf8"), flags=re.MULTILINE | re.DOTALL)
        found += [(f"{page.name}-{at}", block) for at, block in enumerate(code)]
    return found


BLOCKS = blocks()


def test_both_pages_have_code() -> None:
    assert len(BLOCKS) >= 7


@pytest.mark.parametrize("block", [block for _, block in BLOCKS], ids=[name for name, _ in BLOCKS])
def test_a_block_runs_as_it_is_written(block: str, devnet: Devnet, tmp_path: Path) -> None:
    given = f"url, key, other_key = {devnet.url!r}, {devnet.keys[0]!r}, {devnet.keys[1]!r}\n"
    code = given + block.replace("http://127.0.0.1:8645", devnet.url)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
