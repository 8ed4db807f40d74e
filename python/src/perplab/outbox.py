"""Signed transactions without a known outcome, in memory or in a file that survives a crash."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from .errors import ClientError


class OutboxEntry(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A signed transaction, with all that finds its outcome or sends the same bytes again.

    Attributes:
        tx_id: Id of the transaction.
        key: Idempotency key.
        chain_id: Network that the signature is bound to.
        genesis_hash: Network that the signature is bound to.
        account: Acting account.
        subaccount: Its subaccount.
        signer: Who signed.
        domain: Lane of the nonce.
        nonce: Nonce in the lane.
        valid_until: Last block that may include it.
        body: Body of the request.
    """

    tx_id: str
    key: str
    chain_id: int
    genesis_hash: str
    account: str
    subaccount: int
    signer: str
    domain: str
    nonce: int
    valid_until: int
    body: str


class Outbox(Protocol):
    """Storage of a client's unconfirmed transactions. One outbox belongs to one client at a time."""

    def put(self, entry: OutboxEntry) -> None:
        """Stores an entry; the transaction is not sent before."""
        ...

    def remove(self, tx_id: str) -> None:
        """Its outcome is final."""
        ...

    def entries(self) -> Sequence[OutboxEntry]:
        """In the order in which they were put."""
        ...

    def close(self) -> None:
        """Releases open handles; the entries stay stored."""
        ...


class MemoryOutbox:
    """Keeps entries as long as the process lives."""

    def __init__(self) -> None:
        self._entries: dict[str, OutboxEntry] = {}

    def put(self, entry: OutboxEntry) -> None:
        self._entries[entry.tx_id] = entry

    def remove(self, tx_id: str) -> None:
        self._entries.pop(tx_id, None)

    def entries(self) -> Sequence[OutboxEntry]:
        return list(self._entries.values())

    def close(self) -> None:
        pass


class _Removal(msgspec.Struct, frozen=True):
    removed: str


#: Lines after which the file is rewritten if most of them are obsolete.
LINES_MOST = 1_024


class FileOutbox:
    """Stores entries in a file: a line for each that was put or removed, on disk before `put` returns.

    A last line that a crash cut off was never sent and is dropped.

    Args:
        path: The file; made if it is not there. Its folder has to exist.

    Raises:
        ClientError: OUTBOX_CORRUPT if another line is invalid
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._entries: dict[str, OutboxEntry] = {}
        self._lines = 0
        self._load()
        self._file = self._rewrite()

    def put(self, entry: OutboxEntry) -> None:
        self._entries[entry.tx_id] = entry
        self._append(msgspec.json.encode(entry), durable=True)

    def remove(self, tx_id: str) -> None:
        # If a crash loses a removal, the next start only reads an outcome again.
        if self._entries.pop(tx_id, None) is not None:
            self._append(msgspec.json.encode(_Removal(tx_id)), durable=False)

    def entries(self) -> Sequence[OutboxEntry]:
        return list(self._entries.values())

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _load(self) -> None:
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return
        whole = text[: text.rfind(b"\n") + 1]
        for place, line in enumerate(whole.splitlines(), 1):
            self._read_line(line, place)

    def _read_line(self, line: bytes, place: int) -> None:
        try:
            entry = msgspec.json.decode(line, type=OutboxEntry)
        except msgspec.MsgspecError:
            try:
                self._entries.pop(msgspec.json.decode(line, type=_Removal).removed, None)
            except msgspec.MsgspecError:
                raise ClientError(
                    "OUTBOX_CORRUPT",
                    f"{self._path}: line {place} is not an entry of an outbox",
                    hint="inspect it, then remove it",
                    details={"place": f"{self._path}:{place}"},
                ) from None
        else:
            self._entries[entry.tx_id] = entry

    def _append(self, line: bytes, *, durable: bool) -> None:
        write_whole(self._file, line + b"\n")
        if durable:
            os.fsync(self._file)
        self._lines += 1
        if self._lines >= LINES_MOST and self._lines >= 2 * len(self._entries):
            before = self._file
            self._file = self._rewrite()
            os.close(before)

    def _rewrite(self) -> int:
        """Writes the open entries to a new file and renames it over the old one."""
        partial = self._path.with_name(self._path.name + ".partial")
        file = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        write_whole(file, b"".join(msgspec.json.encode(entry) + b"\n" for entry in self._entries.values()))
        os.fsync(file)
        partial.replace(self._path)
        sync_folder(self._path.parent)
        self._lines = len(self._entries)
        return file


def write_whole(file: int, data: bytes) -> None:
    """Writes all bytes: one call may write fewer."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def sync_folder(path: Path) -> None:
    """Makes the new name of a file durable; systems that cannot open folders do so by themselves."""
    try:
        folder = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(folder)
    except OSError:
        pass
    finally:
        os.close(folder)
