"""Each fault of the service's schedule, alone and in pairs: one submission commits once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from itertools import product
from pathlib import Path

import httpx
import pytest

from perplab import AsyncClient, ClientError, FileOutbox, NetworkChanged, OutboxEntry, RetryPolicy

from .conftest import Devnet

#: Faults of a submission that pass. `lost` carries the request out and loses its answer; `late` answers too late.
PASSING = ["reset", "limited", "unavailable", "unavailableMaybe", "unavailableAfter", "gateway", "lost", "late"]
QUICK = RetryPolicy(base=0.01, most=0.05)
ORDER = {"market": "BTC-PERP", "side": "buy", "size": "0.1", "price": "50000"}


def inject(devnet: Devnet, kind: str, operation: str = "submitTransaction") -> None:
    fault: dict[str, object] = {"kind": kind, "operation": operation, "times": 1}
    if kind == "late":
        fault["ms"] = 900
    elif kind in {"limited", "unavailable", "unavailableMaybe", "unavailableAfter"}:
        fault["ms"] = 1
    devnet.control("/faults", fault)


async def submit_under(devnet: Devnet, faults: tuple[str, ...], operation: str = "submitTransaction") -> None:
    # Reads come first, so that the faults meet the operation that they are for.
    async with AsyncClient(devnet.url, key=devnet.keys[0], retry=QUICK, timeout=0.6) as client:
        await client.network.check()
        before = int((await read_nonce(client)).committed_next)
        for fault in faults:
            inject(devnet, fault, operation)
        submission = await client.submit("place_order", ORDER)
        outcome = await submission.wait()
        assert outcome.status == "applied"
        assert int((await read_nonce(client)).committed_next) == before + 1
        await (await client.cancel_all()).wait()


async def read_nonce(client: AsyncClient):  # type: ignore[no-untyped-def]
    answer = await client.get_nonce(client.address, signer=client.address, subaccount=0, domain="trading")
    return answer.data


@pytest.mark.parametrize("fault", PASSING)
async def test_a_submission_commits_once_under_each_fault(devnet: Devnet, fault: str) -> None:
    await submit_under(devnet, (fault,))


async def test_a_submission_commits_once_under_each_pair_of_faults(devnet: Devnet) -> None:
    for pair in product(PASSING, PASSING):
        await submit_under(devnet, pair)


@pytest.mark.parametrize("fault", ["reset", "limited", "unavailable", "gateway", "lost", "late"])
async def test_a_confirmation_is_read_under_each_fault(devnet: Devnet, fault: str) -> None:
    await submit_under(devnet, (fault, fault), "getConfirmation")


async def test_a_clock_that_is_wrong_by_a_day_changes_nothing(devnet: Devnet) -> None:
    devnet.control("/faults", {"kind": "clockSkew", "ms": -86_400_000})
    await submit_under(devnet, ())
    devnet.control("/faults", {"kind": "clockSkew", "ms": 86_400_000})
    await submit_under(devnet, ())


async def test_a_venue_in_memory_that_starts_again_is_another_network(start_devnet: Callable[..., Devnet]) -> None:
    first = start_devnet()
    port = str(httpx.URL(first.url).port)
    async with AsyncClient(first.url, key=first.keys[0], retry=QUICK) as client:
        await (await client.submit("place_order", ORDER)).wait()
        first.kill()
        start_devnet("--port", port)
        with pytest.raises(NetworkChanged):
            await client.network.check(fresh=True)
        with pytest.raises(NetworkChanged):
            await client.submit("place_order", ORDER)
        client.network.accept()
        assert (await (await client.submit("place_order", ORDER)).wait()).status == "applied"


async def test_a_venue_on_disk_that_crashes_is_waited_for(start_devnet: Callable[..., Devnet], tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    first = start_devnet("--store", store, "--control", "--mode", "manual")
    port = str(httpx.URL(first.url).port)
    async with AsyncClient(first.url, key=first.keys[0], retry=QUICK) as client:
        submission = await client.submit("place_order", ORDER)
        await submission.accepted()
        first.kill()
        start_devnet("--store", store, "--port", port)
        assert (await submission.wait()).status == "applied"


async def test_a_bot_that_is_killed_finds_its_transaction_again(
    start_devnet: Callable[..., Devnet], tmp_path: Path
) -> None:
    devnet = start_devnet("--control", "--mode", "manual")
    outbox = tmp_path / "bot.outbox"
    bot = textwrap.dedent(
        f"""
        import time
        from perplab import Client, FileOutbox
        client = Client({devnet.url!r}, key={devnet.keys[0]!r}, outbox=FileOutbox({str(outbox)!r}))
        client.place_order(market="BTC-PERP", side="buy", size="0.1", price="50000").accepted()
        print("accepted", flush=True)
        time.sleep(600)
        """
    )
    with subprocess.Popen([sys.executable, "-c", bot], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"accepted\n"
        os.kill(process.pid, signal.SIGKILL)
    devnet.control("/mode", {"mode": "auto"})
    devnet.control("/mine")
    async with AsyncClient(devnet.url, key=devnet.keys[0], outbox=FileOutbox(outbox)) as client:
        found = await client.recover()
        assert [(await one.wait()).status for one in found] == ["applied"]
        # The next transaction has the next nonce.
        following = await client.submit("place_order", ORDER)
        assert following.nonce == found[0].nonce + 1
        await following.wait()
    assert FileOutbox(outbox).entries() == []


def entry(number: int) -> OutboxEntry:
    return OutboxEntry(
        tx_id=f"0x{number:064x}",
        key=f"{number:064x}",
        chain_id=1,
        genesis_hash="0x" + "1" * 64,
        account="0x" + "2" * 40,
        subaccount=0,
        signer="0x" + "2" * 40,
        domain="trading",
        nonce=number,
        valid_until=10,
        body="{}",
    )


def test_an_outbox_file_keeps_what_was_put_and_drops_a_line_that_a_crash_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "outbox"
    first = FileOutbox(path)
    for number in range(5):
        first.put(entry(number))
    first.remove(entry(1).tx_id)
    with path.open("ab") as file:
        file.write(b'{"txId":"0x')
    assert [one.nonce for one in FileOutbox(path).entries()] == [0, 2, 3, 4]


def test_an_outbox_file_stays_short(tmp_path: Path) -> None:
    path = tmp_path / "outbox"
    outbox = FileOutbox(path)
    for number in range(1_500):
        outbox.put(entry(number))
        outbox.remove(entry(number).tx_id)
    assert len(path.read_bytes().splitlines()) < 1_100
    assert FileOutbox(path).entries() == []


def test_a_damaged_outbox_file_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "outbox"
    path.write_text('{"removed":"0x1"}\nnonsense\n', "utf8")
    with pytest.raises(ClientError, match="line 2") as error:
        FileOutbox(path)
    assert error.value.code == "OUTBOX_CORRUPT"
