"""Finds the command line of perplab."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..errors import HostMissing

#: Environment variable that names the command.
VARIABLE = "PERPLAB"


def find_command(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> list[str]:
    """The words that start perplab.

    The first that exists of: the file that PERPLAB names, `node_modules/.bin/perplab` and a clone of perplab, each in
    the working directory or above, and `perplab` on the path.

    Raises:
        HostMissing: HOST_MISSING, NODE_MISSING
    """
    env = os.environ if environment is None else environment
    path = env.get("PATH")
    named = env.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise HostMissing("HOST_MISSING", f"{VARIABLE} names {named}, which is no file", hint="correct or unset it")
        return words_of(Path(named), path)
    for above in ancestors_of(folder or Path.cwd()):
        found = shutil.which("perplab", path=str(above / "node_modules" / ".bin"))
        if found is not None:
            return words_of(Path(found), path)
        if is_clone(above):
            return words_of(above / "bin" / "perplab.js", path)
    found = shutil.which("perplab", path=path)
    if found is not None:
        return words_of(Path(found), path)
    raise HostMissing(
        "HOST_MISSING",
        "backtests run in the Node package perplab, and it is not found",
        hint="install it into the working directory with npm, put `perplab` on the path, "
        f"or name its file with the environment variable {VARIABLE}",
    )


def ancestors_of(folder: Path) -> Iterator[Path]:
    """A folder and those above it."""
    whole = folder.resolve()
    yield whole
    yield from whole.parents


def is_clone(folder: Path) -> bool:
    """Whether a folder is a clone of perplab."""
    manifest = folder / "package.json"
    if not (folder / "bin" / "perplab.js").is_file() or not manifest.is_file():
        return False
    try:
        return bool(json.loads(manifest.read_text("utf8")).get("name") == "perplab")
    except (ValueError, AttributeError):
        return False


def words_of(command: Path, path: str | None) -> list[str]:
    """A script is started with the Node of the path, whatever its mode is."""
    if command.suffix not in {".js", ".cjs", ".mjs"}:
        return [str(command)]
    node = shutil.which("node", path=path)
    if node is None:
        raise HostMissing(
            "NODE_MISSING",
            "perplab needs Node, and there is no `node` on the path",
            hint="install Node 22.18 or newer from https://nodejs.org",
        )
    return [node, str(command)]
