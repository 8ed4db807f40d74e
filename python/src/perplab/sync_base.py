"""Calls that wait: an event loop in a thread of its own runs the asynchronous client."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

from .client import AsyncClient
from .submission import Outcome, Submission

T = TypeVar("T")


class LoopThread:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="perplab client", daemon=True)
        self._thread.start()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. An interrupt of the waiting thread cancels it."""
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("a callback of the client may not wait for the client")
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the thread."""
        if not self._thread.is_alive():
            return
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class SyncSubmission:
    """A signed, unconfirmed transaction. It is pursued whether a caller waits or not.

    Attributes:
        tx_id: Id of the transaction.
        key: Idempotency key.
        nonce: Nonce in its lane.
    """

    def __init__(self, submission: Submission, thread: LoopThread) -> None:
        self._submission = submission
        self._thread = thread
        self.tx_id = submission.tx_id
        self.key = submission.key
        self.nonce = submission.nonce

    def __repr__(self) -> str:
        return repr(self._submission)

    @property
    def done(self) -> bool:
        """Whether its outcome is known, or the client has stopped looking for it."""
        return self._submission.done

    def accepted(self) -> None:
        """Returns when the venue has it; raises as `Submission.accepted`."""
        self._thread.wait(self._submission.accepted())

    def wait(self, timeout: float | None = None) -> Outcome:
        """The final outcome; see `Submission.wait`."""
        return self._thread.wait(self._submission.wait(timeout))


class SyncBase:
    """The parts that every call of the synchronous client needs."""

    _client: AsyncClient
    _thread: LoopThread

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.wait(work)

    def _submission(self, work: Coroutine[Any, Any, Submission]) -> SyncSubmission:
        return SyncSubmission(self._thread.wait(work), self._thread)

    def _iterate(self, messages: AsyncIterator[T]) -> Iterator[T]:
        """The items of an asynchronous iterator; leaving the loop closes it."""

        async def step() -> T:
            return await messages.__anext__()

        async def leave() -> None:
            close = getattr(messages, "aclose", None)
            if close is not None:
                await close()

        try:
            while True:
                try:
                    item = self._wait(step())
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self._wait(leave())
