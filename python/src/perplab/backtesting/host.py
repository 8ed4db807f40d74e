"""A running perplab, and the messages to and from it."""

from __future__ import annotations

import contextlib
import os
import struct
import subprocess
import tempfile
from types import TracebackType
from typing import Any

import msgspec

from ..errors import HostEnded, HostMissing, HostUnusable
from .find import find_command
from .messages import PROTOCOL_VERSION, Hello, Message

#: Seconds that perplab has to end by itself once its input is closed, and again after it is asked to.
PATIENCE = 2.0
#: Bytes of its messages to people that an error shows at most.
TAIL = 4_000
#: Bytes of one read.
CHUNK = 1 << 16


class Host:
    """A perplab process that this one speaks to. It ends with the `with` block, and with this process."""

    def __init__(self, command: list[str] | None = None) -> None:
        words = [*(command or find_command()), "strategy-host"]
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 it is closed with the process
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(Message)
        self._read = bytearray()
        self._from = 0
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, bufsize=0
            )
        except OSError as error:
            self._stderr.close()
            raise HostMissing(
                "HOST_MISSING", f"{words[0]} cannot be started: {error}", hint="check the file and its permissions"
            ) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()

    def __enter__(self) -> Host:
        try:
            self._greet()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def send(self, message: Any) -> None:
        """Sends a message.

        Raises:
            HostEnded: HOST_ENDED
        """
        body = self._encoder.encode(message)
        view = memoryview(struct.pack(">I", len(body)) + body)
        try:
            while view:
                view = view[os.write(self._input, view) :]
        except OSError as error:
            raise self._ended() from error

    def receive(self) -> Message:
        """Waits for a message.

        Raises:
            HostEnded: HOST_ENDED
        """
        (length,) = struct.unpack(">I", self._take(4))
        message: Message = self._decoder.decode(self._take(length))
        return message

    def close(self) -> None:
        """Ends the process, if it has not ended."""
        process = self._process
        # A number of a closed file may be that of another one soon.
        self._input = self._output = -1
        for stream in (process.stdin, process.stdout):
            # What was not written any more is of no use.
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        for end in (process.terminate, process.kill):
            try:
                process.wait(PATIENCE)
                break
            except subprocess.TimeoutExpired:
                end()
        process.wait()
        self._stderr.close()

    def _greet(self) -> None:
        try:
            hello = self.receive()
        except HostEnded as error:
            raise self._explain(error) from error
        if not isinstance(hello, Hello) or hello.version != PROTOCOL_VERSION:
            spoken = hello.version if isinstance(hello, Hello) else "none"
            raise HostUnusable(
                "HOST_VERSION",
                f"perplab speaks version {spoken} of the protocol, this package version {PROTOCOL_VERSION}",
                hint="install the same version of both",
            )

    def _take(self, count: int) -> memoryview:
        """So many bytes of what was sent. The view is valid until the next call."""
        if len(self._read) - self._from < count:
            self._read = self._read[self._from :]
            self._from = 0
            while len(self._read) < count:
                chunk = os.read(self._output, max(CHUNK, count - len(self._read)))
                if not chunk:
                    raise self._ended()
                self._read += chunk
        taken = memoryview(self._read)[self._from : self._from + count]
        self._from += count
        return taken

    def _said(self) -> str:
        """The end of what the process wrote for people."""
        if self._stderr.closed:
            return ""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - TAIL))
        return self._stderr.read().decode("utf8", "replace").strip()

    def _ended(self) -> HostEnded:
        said = self._said()
        code = self._process.poll()
        return HostEnded(
            "HOST_ENDED",
            f"perplab ended with {code} before its work was done" + (f": {said}" if said else ""),
            hint="run the same with `perplab backtest` to see more",
            details={"exit_code": code, "stderr": said},
        )

    def _explain(self, error: HostEnded) -> HostUnusable:
        """Why a process ended before it said anything."""
        said = str(error.details["stderr"])
        if "needs Node" in said:
            return HostUnusable(
                "NODE_TOO_OLD", said, hint="install Node 22.18 or newer from https://nodejs.org", details=error.details
            )
        if error.details["exit_code"] == 127:
            hint = "install Node from https://nodejs.org"
            return HostUnusable("NODE_MISSING", said, hint=hint, details=error.details)
        return HostUnusable(
            "HOST_UNUSABLE",
            f"perplab does not run strategies of Python: {said or 'it ended at once'}",
            hint="it may be older than this package; install the same version of both",
            details=error.details,
        )
