"""Streams without a gap, and books that equal the venue's."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import resource
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import pytest

from perplab import AsyncClient, Client, ClientError, RetryPolicy
from perplab.book import LiveBook
from perplab.streams import Follower, StreamClient, StreamEvents, StreamKey

from .conftest import Devnet

QUICK = RetryPolicy(base=0.01, most=0.05)


async def place(client: AsyncClient, price: int, side: str = "buy") -> None:
    order = await client.place_order(market="BTC-PERP", side=side, size="0.01", price=price)  # type: ignore[arg-type]
    await order.wait()


async def test_a_stream_has_a_snapshot_and_then_every_change(devnet: Devnet) -> None:
    async with AsyncClient(devnet.url, key=devnet.keys[0]) as client:
        messages = client.follow("orders", address=client.address)
        first = await anext(messages)
        assert (first.type, first.data) == ("snapshot", [])
        for price in (55_000, 55_001, 55_002):
            await place(client, price)
        prices = [(await anext(messages)).data[0].price for _ in range(3)]
        assert prices == [Decimal(55_000), Decimal(55_001), Decimal(55_002)]
        await messages.aclose()  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["streamDrop", "streamGap", "streamDuplicate", "streamReorder", "streamChecksum"])
async def test_a_followed_book_equals_the_venues_under_faults_of_the_stream(devnet: Devnet, kind: str) -> None:
    async with AsyncClient(devnet.url, key=devnet.keys[0], retry=QUICK) as client:
        followed = client.follow_book("BTC-PERP")
        await followed.ready()
        devnet.control("/faults", {"kind": kind, "channel": "book", "probability": "0.4", "seed": 7, "times": 8})
        for at in range(30):
            await place(client, 55_000 + at % 12)
        assert devnet.faults()[0]["struck"] > 2
        # The last change comes without a fault: no message follows that would show a gap.
        devnet.clear_faults()
        await place(client, 54_000)
        height = (await client.get_status()).data.head.height
        while followed.height < height or not followed.is_ready:
            await asyncio.sleep(0.02)
        venue = (await client.get_market_book("BTC-PERP", depth=50)).data
        assert list(followed.book.bids) == venue.bids
        assert list(followed.book.asks) == venue.asks


async def test_a_stream_that_the_venue_does_not_serve_fails(devnet: Devnet) -> None:
    async with AsyncClient(devnet.url) as client:
        with pytest.raises(ClientError) as error:
            await anext(client.follow("trades", market="NONE"))
        assert error.value.code == "SOCKET_FAILED"


class Wire:
    """Connections on which a test says what arrives, and when."""

    def __init__(self) -> None:
        self.connections = 0
        self.arriving: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @contextlib.asynccontextmanager
    async def connect(self, _url: str, **_options: object) -> AsyncIterator[Wire]:
        self.connections += 1
        self.arriving = asyncio.get_running_loop().create_future()
        yield self

    async def recv(self) -> str:
        return await self.arriving

    async def send(self, _text: str) -> None:
        return

    def deliver(self, message: dict[str, Any]) -> None:
        before, self.arriving = self.arriving, asyncio.get_running_loop().create_future()
        before.set_result(json.dumps(message))


async def follow_on_a_wire(monkeypatch: pytest.MonkeyPatch) -> tuple[Wire, StreamClient, Follower]:
    wire = Wire()
    monkeypatch.setattr("perplab.streams.connect", wire.connect)
    events = StreamEvents(lambda: None, lambda *_identity: None, lambda *_blocks: None)
    streams = StreamClient("ws://wire", QUICK, events)
    follower = follower_of("blocks")
    streams.follow(follower)
    await asyncio.sleep(0.01)
    wire.deliver(
        {"type": "welcome", "heartbeatMs": 5000, "network": "n", "genesisHash": "g", "epoch": 1, "head": {"hash": "h"}}
    )
    await asyncio.sleep(0.01)
    return wire, streams, follower


def follower_of(channel: str) -> Follower:
    return Follower(StreamKey(channel), lambda _message: None, lambda _reason: None, lambda _error: None)


async def test_a_client_closes_while_a_message_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    wire, streams, _ = await follow_on_a_wire(monkeypatch)
    # The message has arrived, and the client has not read it yet.
    # Before Python 3.12 `wait_for` then loses the cancellation.
    wire.deliver({"type": "heartbeat", "streams": {}})
    await asyncio.sleep(0)
    closing = asyncio.create_task(streams.close())
    done, _ = await asyncio.wait({closing}, timeout=5)
    assert closing in done
    assert wire.connections == 1


async def test_a_stream_that_is_followed_as_the_last_one_ends_has_its_own_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wire, streams, follower = await follow_on_a_wire(monkeypatch)
    streams.leave(follower)
    streams.follow(follower_of("prices"))
    await asyncio.sleep(0.05)
    assert wire.connections == 2
    await asyncio.wait_for(streams.close(), 5)


def test_a_program_without_asyncio_follows_streams(devnet: Devnet) -> None:
    with Client(devnet.url, key=devnet.keys[0]) as client:
        book = client.follow_book("BTC-PERP")
        book.ready()
        client.place_order(market="BTC-PERP", side="buy", size="0.01", price=55_000).wait()
        for message in client.follow("orders", address=client.address):
            assert [order.price for order in message.data] == [Decimal(55_000)]
            break
        assert book.ready().bids[0][0] == Decimal(55_000)


def make_followed() -> tuple[StreamClient, Follower, LiveBook, list[str]]:
    """A book that is fed by hand: what it asks of the venue is collected."""
    book, asked = LiveBook(), list[str]()
    events = StreamEvents(lambda: None, lambda *_identity: None, lambda *_blocks: None)
    streams = StreamClient("ws://unused", QUICK, events)

    def take(message: dict[str, Any]) -> None:
        (book.replace if message["type"] == "snapshot" else book.apply)(message["data"])

    follower = Follower(StreamKey("book", market="BTC-PERP"), take, lambda _reason: None, asked.append)  # type: ignore[arg-type]
    return streams, follower, book, asked


def test_a_million_deltas_with_gaps_leave_every_book_equal_and_memory_flat() -> None:
    """Deltas that are lost, repeated and late; after each gap the venue sends a snapshot, as it would."""
    draw = random.Random(11)
    _, follower, book, _ = make_followed()
    true: dict[str, dict[str, str]] = {"bids": {}, "asks": {}}
    seq, sent = 0, 0

    def snapshot() -> dict[str, Any]:
        sides = {side: [[price, size, 1] for price, size in levels.items()] for side, levels in true.items()}
        return {"type": "snapshot", "epoch": 0, "seq": seq, "hash": "", "data": sides}

    follower.take(snapshot())
    memory = 0
    for number in range(1_000_000):
        side = "bids" if draw.random() < 0.5 else "asks"
        price = str(draw.randrange(900, 1_000) if side == "bids" else draw.randrange(1_000, 1_100))
        size = "0" if draw.random() < 0.3 else f"0.{draw.randrange(1, 1_000):03d}".rstrip("0")
        if size == "0":
            true[side].pop(price, None)
        else:
            true[side][price] = size
        before, seq = seq, seq + 1
        if draw.random() < 0.001:
            continue
        data = {"bids": [], "asks": [], side: [[price, size, 1]]}
        message = {"type": "delta", "epoch": 0, "seq": seq, "prevSeq": before, "hash": "", "data": data}
        verdict = follower.judge(message)
        if verdict == "apply":
            follower.take(message)
            if draw.random() < 0.01:
                assert follower.judge(message) == "skip"
        else:
            assert verdict == "gap"
            follower.take(snapshot())
        sent += 1
        if number % 50_000 == 0:
            assert_equal(book, true)
        if number == 100_000:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sent > 990_000
    if follower.position is not None and follower.position[1] != seq:
        follower.take(snapshot())
    assert_equal(book, true)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 8 * 1024


def assert_equal(book: LiveBook, true: dict[str, dict[str, str]]) -> None:
    for side, levels in (("bids", book.bids), ("asks", book.asks)):
        expected = sorted(
            ((Decimal(price), Decimal(size)) for price, size in true[side].items()), reverse=side == "bids"
        )
        assert [(price, size) for price, size, _ in levels] == expected
