"""Streams of the venue over one connection: no gap is passed over, and a lost connection is resumed."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from .book import LiveBook
from .errors import ClientError
from .models import CHANNELS
from .retry import RetryPolicy

T = TypeVar("T")

#: Missed heartbeats after which a connection counts as dead.
SILENCE = 2.5
#: Consecutive gaps after which a stream restarts with a snapshot, and after which requests are delayed.
GAPS_FRESH, GAPS_PAUSE = 2, 4
#: Unread messages of a stream after which it restarts with a snapshot.
UNREAD_MOST = 10_000
#: Greatest message that is read, bytes.
MESSAGE_MOST = 64 * 1024 * 1024


@dataclass(frozen=True)
class StreamMessage(Generic[T]):
    """A message of a stream.

    Attributes:
        type: snapshot, the present state: drop the former; or delta, the changes of a block.
        channel: Name of the channel.
        seq: Height of the block.
        time_ms: Time of that block, milliseconds.
        hash: Head of the effects chain after that block.
        data: What the channel has: models of this package.
    """

    type: Literal["snapshot", "delta"]
    channel: str
    seq: int
    time_ms: int
    hash: str
    data: T


@dataclass(frozen=True)
class StreamKey:
    """Names a stream."""

    channel: str
    market: str | None = None
    address: str | None = None
    depth: int | str | None = None

    def to_json(self) -> dict[str, Any]:
        members = {
            "channel": self.channel,
            "market": self.market,
            "address": self.address,
            "depth": self.depth,
        }
        return {name: value for name, value in members.items() if value is not None}


@dataclass
class Follower:
    """One followed stream, and the last message that was handled: its epoch, height and hash."""

    key: StreamKey
    on_message: Callable[[dict[str, Any]], None]
    on_restart: Callable[[str], None]
    on_error: Callable[[ClientError], None]
    stream: str | None = None
    asking: int | None = None
    gaps_in_row: int = 0
    position: tuple[int, int, str] | None = None

    def restart(self, reason: str) -> None:
        """What was received is no longer valid: a snapshot follows."""
        if self.position is None:
            return
        self.position = None
        self.on_restart(reason)

    def judge(self, message: dict[str, Any]) -> str:
        """Whether a delta is the next one (`apply`), an old one (`skip`), or comes after a lost one (`gap`)."""
        if self.position is None:
            return "skip"
        epoch, seq, _ = self.position
        if message["epoch"] != epoch:
            return "skip" if message["epoch"] < epoch else "gap"
        if message["seq"] <= seq:
            return "skip"
        return "gap" if message["prevSeq"] > seq else "apply"

    def take(self, message: dict[str, Any]) -> None:
        self.position = (message["epoch"], message["seq"], message["hash"])
        self.gaps_in_row = 0
        self.on_message(message)


@dataclass
class StreamEvents:
    """What a client learns of the connection."""

    token: Callable[[], str | None]
    on_identity: Callable[[str, str, int], None]
    on_other_block: Callable[[str, str], None]


@dataclass
class StreamClient:
    """All streams of a client. The connection is open while a stream is followed.

    Attributes:
        url: Address of the streams, `ws://…/ws/v1`.
        gaps: Gaps that were found and filled.
        connections: Connections that were made.
    """

    url: str
    retry: RetryPolicy
    events: StreamEvents
    gaps: int = 0
    connections: int = 0
    _followers: list[Follower] = field(default_factory=list)
    _by_stream: dict[str, Follower] = field(default_factory=dict)
    _asked: dict[int, Follower] = field(default_factory=dict)
    _next_id: int = 1
    _identity: tuple[str, str, int] | None = None
    _head: str = ""
    _outgoing: asyncio.Queue[str] | None = None
    _task: asyncio.Task[None] | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _heartbeat: float = 5.0
    _reconnect_ms: int = 0

    def follow(self, follower: Follower) -> None:
        """Follows a stream until `leave`."""
        self._followers.append(follower)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="perplab streams")
        elif self._outgoing is not None:
            self._ask(follower)

    def leave(self, follower: Follower) -> None:
        """Ends a subscription; the last one closes the connection."""
        if follower not in self._followers:
            return
        self._followers.remove(follower)
        if follower.asking is not None:
            self._asked.pop(follower.asking, None)
        if follower.stream is not None and self._by_stream.get(follower.stream) is follower:
            del self._by_stream[follower.stream]
            self._send({"op": "unsubscribe", "id": self._new_id(), "stream": follower.stream})
        if not self._followers:
            self._end()

    def resync(self, follower: Follower, reason: str) -> None:
        """Requests a snapshot."""
        follower.restart(reason)
        self._ask_again(follower)

    def authenticate(self) -> None:
        """Proves the session on the open connection; a later connection starts with that."""
        token = self.events.token()
        if token is not None:
            self._send({"op": "auth", "id": self._new_id(), "token": token})

    async def close(self) -> None:
        """Leaves all streams."""
        self._followers.clear()
        self._end()
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def _end(self) -> None:
        """Ends the connection. A stream that is followed later has another one, also before this one is closed."""
        if self._task is not None:
            self._tasks.add(self._task)
            self._task.add_done_callback(self._tasks.discard)
            self._task.cancel()
            self._task = None
        self._lose()

    @property
    def _is_present(self) -> bool:
        """Whether the task that runs is still wanted. Before Python 3.12 `wait_for` may lose a cancellation."""
        return asyncio.current_task() is self._task

    async def _run(self) -> None:
        attempts = 0
        while self._is_present:
            before = self.connections
            with contextlib.suppress(OSError, websockets.WebSocketException, asyncio.TimeoutError):
                async with connect(self.url, max_size=MESSAGE_MOST, ping_interval=None) as socket:
                    await self._serve(socket)
            if not self._is_present:
                return
            self._lose()
            attempts = 1 if self.connections > before else attempts + 1
            asked, self._reconnect_ms = self._reconnect_ms, 0
            await asyncio.sleep(self.retry.wait(attempts, asked))

    async def _serve(self, socket: ClientConnection) -> None:
        """Reads one connection to its end; a silent one counts as dead."""
        sender: asyncio.Task[None] | None = None
        try:
            while True:
                text = await asyncio.wait_for(socket.recv(), self._heartbeat * SILENCE)
                if not self._is_present:
                    return
                message = json.loads(text)
                if message["type"] == "welcome":
                    self.connections += 1
                    self._heartbeat = message["heartbeatMs"] / 1000
                    self._outgoing = asyncio.Queue()
                    sender = asyncio.create_task(self._send_all(socket, self._outgoing))
                self._receive(message)
        finally:
            if sender is not None:
                sender.cancel()

    async def _send_all(self, socket: ClientConnection, queue: asyncio.Queue[str]) -> None:
        with contextlib.suppress(websockets.WebSocketException):
            while True:
                await socket.send(await queue.get())

    def _lose(self) -> None:
        self._outgoing = None
        self._asked.clear()
        self._by_stream.clear()
        for follower in self._followers:
            follower.asking = follower.stream = None

    def _send(self, message: dict[str, Any]) -> None:
        if self._outgoing is not None:
            self._outgoing.put_nowait(json.dumps(message))

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id

    def _ask(self, follower: Follower) -> None:
        """Subscribes; resumes after the last handled message, if the chain has its block."""
        number = self._new_id()
        follower.asking = number
        self._asked[number] = follower
        message = {"op": "subscribe", "id": number, **follower.key.to_json()}
        if follower.position is not None:
            message["resume"] = dict(zip(("epoch", "seq", "hash"), follower.position, strict=True))
        self._send(message)

    def _ask_again(self, follower: Follower) -> None:
        if follower.asking is not None or self._outgoing is None or follower not in self._followers:
            return
        if follower.stream is not None:
            self._send({"op": "unsubscribe", "id": self._new_id(), "stream": follower.stream})
            self._by_stream.pop(follower.stream, None)
            follower.stream = None
        self._ask(follower)

    def _ask_later(self, follower: Follower, asked_ms: int | None) -> None:
        async def wait() -> None:
            await asyncio.sleep(self.retry.wait(1, asked_ms))
            self._ask_again(follower)

        task = asyncio.create_task(wait())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _receive(self, message: dict[str, Any]) -> None:
        handler = getattr(self, f"_on_{message['type']}", None)
        if handler is not None:
            handler(message)

    def _on_welcome(self, message: dict[str, Any]) -> None:
        identity = (message["network"], message["genesisHash"], message["epoch"])
        before, self._identity = self._identity, identity
        self._head = message["head"]["hash"]
        for follower in self._followers:
            if before is not None and before[1] != identity[1]:
                follower.restart("NETWORK_CHANGED")
            elif follower.position is not None and follower.position[0] != identity[2]:
                follower.restart("EPOCH_CHANGED")
        self.events.on_identity(*identity)
        self.authenticate()
        for follower in self._followers:
            self._ask(follower)

    def _on_subscribed(self, message: dict[str, Any]) -> None:
        follower = self._asked.pop(message["id"], None)
        if follower is None:
            return
        follower.asking = None
        follower.stream = message["stream"]
        self._by_stream[message["stream"]] = follower
        if not message["resumed"]:
            follower.restart("RESUME_UNAVAILABLE")
        elif follower.position is None:
            self._ask_again(follower)

    def _on_unsubscribed(self, message: dict[str, Any]) -> None:
        """Without an id the venue ended it, for example with its session: the present session opens it again."""
        follower = self._by_stream.get(message["stream"])
        if message.get("id") is not None or follower is None or follower.asking is not None:
            return
        del self._by_stream[message["stream"]]
        follower.stream = None
        if follower.key.address is None:
            follower.restart("SUBSCRIPTION_ENDED")
        self._ask(follower)

    def _on_snapshot(self, message: dict[str, Any]) -> None:
        follower = self._by_stream.get(message["stream"])
        if follower is not None:
            follower.take(message)

    def _on_delta(self, message: dict[str, Any]) -> None:
        follower = self._by_stream.get(message["stream"])
        if follower is None:
            return
        verdict = follower.judge(message)
        if verdict == "apply":
            follower.take(message)
        elif verdict == "gap":
            self._fill(follower)

    def _on_heartbeat(self, message: dict[str, Any]) -> None:
        for stream, seq in message["streams"].items():
            follower = self._by_stream.get(stream)
            if follower is not None and follower.position is not None and seq > follower.position[1]:
                self._fill(follower)

    def _on_resync(self, message: dict[str, Any]) -> None:
        for name, follower in list(self._by_stream.items()):
            if message.get("stream") in {None, name}:
                follower.restart(message["reason"])
        if self._identity is not None and message["epoch"] != self._identity[2]:
            self._identity = (*self._identity[:2], message["epoch"])
            self.events.on_identity(*self._identity)

    def _on_goodbye(self, message: dict[str, Any]) -> None:
        self._reconnect_ms = message["reconnectAfterMs"]

    def _on_error(self, message: dict[str, Any]) -> None:
        follower = self._asked.pop(message.get("id", -1), None)
        if follower is None:
            return
        follower.asking = follower.stream = None
        code = message["code"]
        if code == "RESUME_UNAVAILABLE":
            follower.restart(code)
            self._ask(follower)
        elif code == "CHAIN_CHANGED":
            before = follower.position
            # Others may be at a block that both chains have; they restart as well.
            for other in self._followers:
                other.restart(code)
            if before is not None:
                self.events.on_other_block(before[2], self._head)
            if follower in self._followers:
                self._ask(follower)
        elif code in {"RATE_LIMITED", "SERVICE_UNAVAILABLE"}:
            self._ask_later(follower, message.get("retryAfterMs"))
        else:
            self.leave(follower)
            details = {"code": code, "channel": follower.key.channel}
            follower.on_error(ClientError("SOCKET_FAILED", f"{message['message']} ({code})", details=details))

    def _fill(self, follower: Follower) -> None:
        if follower.asking is not None:
            return
        self.gaps += 1
        follower.gaps_in_row += 1
        if follower.gaps_in_row > GAPS_FRESH:
            follower.restart("GAPS")
        if follower.gaps_in_row <= GAPS_PAUSE:
            self._ask_again(follower)
        else:
            self._ask_later(follower, None)


async def messages_of(streams: StreamClient, key: StreamKey) -> AsyncIterator[StreamMessage[Any]]:
    """The messages of a stream: a snapshot, then deltas, and another snapshot whenever the stream restarts.

    Raises:
        ClientError: SOCKET_FAILED if the venue does not serve it
    """
    unread: deque[dict[str, Any]] = deque()
    arrived = asyncio.Event()
    failures: list[ClientError] = []

    def take(message: dict[str, Any]) -> None:
        unread.append(message)
        arrived.set()
        if len(unread) > UNREAD_MOST:
            streams.resync(follower, "UNREAD")

    def fail(error: ClientError) -> None:
        failures.append(error)
        arrived.set()

    follower = Follower(key, take, lambda _reason: unread.clear(), fail)
    streams.follow(follower)
    try:
        while True:
            while unread:
                yield read_message(unread.popleft())
            if failures:
                raise failures[0]
            arrived.clear()
            await arrived.wait()
    finally:
        streams.leave(follower)


def read_message(message: dict[str, Any]) -> StreamMessage[Any]:
    """A message with its data as models.

    Raises:
        ClientError: RESPONSE_INVALID
    """
    channel, kind = message["channel"], message["type"]
    types = CHANNELS.get(channel)
    try:
        data = message["data"] if types is None else msgspec.convert(message["data"], types[kind == "delta"])
    except msgspec.ValidationError as cause:
        raise ClientError("RESPONSE_INVALID", f"a message of {channel} is not the venue's: {cause}") from cause
    return StreamMessage(kind, channel, message["seq"], message["timeMs"], message["hash"], data)


#: Streams of a venue.
Channel = Literal[
    "blocks",
    "events",
    "markets",
    "prices",
    "trades",
    "funding",
    "liquidations",
    "insurance",
    "orders",
    "fills",
    "positions",
    "balances",
    "risk",
    "transactions",
    "intents",
    "accountLiquidations",
    "authorizations",
    "book",
]


class FollowedBook:
    """A book that follows the venue's. Each change is verified with the checksum; a mismatch requests a snapshot.

    Attributes:
        book: The levels; empty until it is ready, and while it is rebuilt.
        height: Height of the last change.
        corruptions: Checksums that did not match.
    """

    def __init__(self, streams: StreamClient, market: str, depth: int | str = 50) -> None:
        self.book = LiveBook()
        self.height = 0
        self.corruptions = 0
        self._streams = streams
        self._ready = asyncio.Event()
        self._changed = asyncio.Event()
        self._failure: ClientError | None = None
        key = StreamKey("book", market=market, depth=depth)
        self._follower = Follower(key, self._take, self._restart, self._fail)
        streams.follow(self._follower)

    @property
    def is_ready(self) -> bool:
        """Whether it is the venue's book as of `height`."""
        return self._ready.is_set() and self._failure is None

    async def ready(self) -> LiveBook:
        """The book, once it is the venue's.

        Raises:
            ClientError: SOCKET_FAILED if the venue does not serve it
        """
        await self._ready.wait()
        if self._failure is not None:
            raise self._failure
        return self.book

    async def changes(self) -> AsyncIterator[LiveBook]:
        """The book after each change, or after several if the caller is slower."""
        while True:
            self._changed.clear()
            await self._changed.wait()
            yield await self.ready()

    def close(self) -> None:
        """Leaves the stream."""
        self._streams.leave(self._follower)

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "snapshot":
            self.book.replace(message["data"])
        else:
            self.book.apply(message["data"])
        checksum = message.get("checksum")
        if checksum is not None and checksum != self.book.checksum():
            self.corruptions += 1
            self._streams.resync(self._follower, "CHECKSUM")
            return
        self.height = message["seq"]
        self._ready.set()
        self._changed.set()

    def _restart(self, _reason: str) -> None:
        self._ready.clear()
        self.book.replace({"bids": [], "asks": []})

    def _fail(self, error: ClientError) -> None:
        self._failure = error
        self._ready.set()
        self._changed.set()
