"""The client against a devnet in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from perplab import (
    AsyncClient,
    Client,
    ClientError,
    ExternalSigner,
    LocalSigner,
    NetworkChange,
    NetworkChanged,
    PreflightFailed,
    VenueError,
)

from .conftest import Devnet


def test_a_first_order_takes_three_lines(devnet: Devnet) -> None:
    client = Client(devnet.url, key=devnet.keys[0])
    outcome = client.place_order(market="BTC-PERP", side="buy", size="0.1", price="50000").wait()
    assert outcome.status == "applied"
    assert outcome.order is not None
    assert outcome.order.status == "resting"
    orders = client.list_orders(client.address).data
    assert [(order.side, order.size, order.price) for order in orders] == [("buy", Decimal("0.1"), Decimal(50000))]
    client.close()


async def test_two_accounts_trade_and_see_their_fills(devnet: Devnet) -> None:
    async with (
        AsyncClient(devnet.url, key=devnet.keys[0]) as alice,
        AsyncClient(devnet.url, key=devnet.keys[1]) as bob,
    ):
        price = (await alice.get_market_prices("BTC-PERP")).data.index.value
        assert price is not None
        bid = round(price)
        await (await alice.place_order(market="BTC-PERP", side="buy", size=Decimal("0.1"), price=bid)).wait()
        sold = await bob.place_order(
            market="BTC-PERP", side="sell", size=Decimal("0.1"), price=bid, time_in_force="IOC"
        )
        assert (await sold.wait()).order is not None
        positions = (await bob.list_positions(bob.address)).data
        assert [position.size for position in positions] == [Decimal("-0.1")]
        fills = [fill async for fill in alice.each(alice.list_fills, alice.address, limit=1)]
        assert [fill.size for fill in fills] == [Decimal("0.1")]


async def test_a_rejection_is_an_outcome_with_its_numbers(devnet: Devnet) -> None:
    async with AsyncClient(devnet.url, key=devnet.keys[0]) as client:
        submission = await client.place_order(market="BTC-PERP", side="buy", size=900, price=50000)
        outcome = await submission.wait()
        assert (outcome.status, outcome.code) == ("rejected", "INSUFFICIENT_MARGIN")
        assert outcome.numbers


async def test_a_transaction_that_fails_a_check_is_not_signed(devnet: Devnet) -> None:
    async with AsyncClient(devnet.url, key=devnet.keys[0]) as client:
        with pytest.raises(PreflightFailed) as failed:
            await client.place_order(market="BTC-PERP", side="buy", size="0.1", price="60000.123456")
        assert [(one.check, one.code) for one in failed.value.details["failures"]] == [("numbers", "OFF_TICK")]
        unknown = await client.preflight("place_order", {"market": "X", "side": "buy", "size": "1", "price": "1"})
        assert [one.code for one in unknown] == ["UNKNOWN_MARKET"]
        # No nonce was used.
        nonce = await client.get_nonce(client.address, signer=client.address, subaccount=0, domain="trading")
        assert nonce.data.pending_next == "0"


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"size": 0.1}, "payload.size"),
        ({"size": "1e400"}, "payload.size"),
        ({"size": "0.123456789"}, "payload.size"),
        ({"side": "hold"}, "payload.side"),
        ({"reduce_only": "yes"}, "payload.reduceOnly"),
        ({"good_til_height": -1}, "payload.goodTilHeight"),
        ({"market": ""}, "payload.market"),
        ({"market": "é"}, "payload.market"),
        ({"client_order_id": "x" * 65}, "payload.clientOrderId"),
    ],
)
async def test_values_that_no_transaction_can_hold_are_refused(arguments: dict[str, Any], place: str) -> None:
    order = {"market": "BTC-PERP", "side": "buy", "size": "0.1", "price": "50000", **arguments}
    async with AsyncClient("http://127.0.0.1:1", key="0x" + "1" * 64) as client:
        with pytest.raises(ClientError) as error:
            await client.place_order(**order)
        assert error.value.code == "ARGUMENT_INVALID"
        assert error.value.details["place"] == place


async def test_an_agent_trades_within_its_grant(devnet: Devnet) -> None:
    agent_key = "0x" + "7" * 64
    agent_address = LocalSigner(agent_key).address
    async with AsyncClient(devnet.url, key=devnet.keys[0]) as owner:
        now = (await owner.get_status()).data.head.time_ms
        grant, submission = await owner.grant_agent(
            agent_address, scopes=["trade", "cancel"], expires_at_ms=now + 86_400_000, max_order_notional=10_000
        )
        await submission.wait()
        async with AsyncClient(devnet.url, key=agent_key, agent_of=(owner.address, grant)) as agent:
            order = await agent.place_order(market="BTC-PERP", side="buy", size="0.1", price="50000")
            assert (await order.wait()).status == "applied"
            with pytest.raises(PreflightFailed, match="AUTHORIZATION_SCOPE"):
                await agent.withdraw(amount=1)
        await (await owner.revoke_agent(grant, cancel_orders=True)).wait()
        assert (await owner.list_orders(owner.address)).data == []


async def test_a_signer_of_another_program_signs_the_typed_data(devnet: Devnet) -> None:
    local = LocalSigner(devnet.keys[0])
    shown: list[str] = []

    async def sign(data: dict[str, Any]) -> str:
        shown.append(data["primaryType"])
        return local.sign_typed_data(data)

    async with AsyncClient(devnet.url, signer=ExternalSigner(local.address, sign)) as client:
        outcome = await (await client.place_order(market="BTC-PERP", side="buy", size="0.1", price="50000")).wait()
        assert outcome.status == "applied"
    assert shown == ["PlaceOrder"]


async def test_a_faucet_funds_a_new_account(devnet: Devnet) -> None:
    async with AsyncClient(devnet.url, key="0x" + "5" * 64) as client:
        claim = await client.claim_faucet(Decimal("5000"))
        assert claim.outcome == "applied"
        assert (await client.list_balances(client.address)).data[0].collateral == Decimal(5000)


async def test_orders_at_the_same_time_get_nonces_in_a_row(devnet: Devnet) -> None:
    import asyncio

    async with AsyncClient(devnet.url, key=devnet.keys[0]) as client:
        orders = await asyncio.gather(
            *(client.place_order(market="BTC-PERP", side="buy", size="0.01", price=55_000 + at) for at in range(20))
        )
        assert sorted(order.nonce for order in orders) == list(range(20))
        outcomes = await asyncio.gather(*(order.wait() for order in orders))
        assert {outcome.status for outcome in outcomes} == {"applied"}


async def test_the_client_signs_nothing_for_a_reverted_chain_until_it_is_accepted(devnet: Devnet) -> None:
    changes: list[NetworkChange] = []
    async with AsyncClient(devnet.url, key=devnet.keys[0], on_network_change=changes.append) as client:
        order = {"market": "BTC-PERP", "side": "buy", "size": "0.1", "price": "50000"}
        await (await client.submit("place_order", order)).wait()
        devnet.control("/revert", {"to": 1})
        with pytest.raises(NetworkChanged) as error:
            await client.network.check(fresh=True)
        assert error.value.details["field"] == "epoch"
        assert [change.field for change in changes] == ["epoch"]
        with pytest.raises(NetworkChanged):
            await client.submit("place_order", order)
        client.network.accept()
        assert (await (await client.submit("place_order", order)).wait()).status == "applied"


async def test_a_session_opens_reads_of_its_own_account(start_devnet: Callable[..., Devnet]) -> None:
    devnet = start_devnet("--account-reads", "session")
    async with AsyncClient(devnet.url, key=devnet.keys[0]) as client:
        with pytest.raises(VenueError) as refused:
            await client.list_balances(client.address)
        assert refused.value.code == "SESSION_REQUIRED"
        session = await client.sign_in()
        assert session.address == client.address
        assert (await client.list_balances(client.address)).data[0].collateral == Decimal(100000)
        await client.sign_out()
        with pytest.raises(VenueError):
            await client.list_balances(client.address)


async def test_another_network_than_the_named_one_is_refused(devnet: Devnet) -> None:
    async with AsyncClient(devnet.url, key=devnet.keys[0], network="mainnet") as client:
        with pytest.raises(ClientError) as error:
            await client.place_order(market="BTC-PERP", side="buy", size="0.1", price="50000")
        assert error.value.code == "NETWORK_MISMATCH"


def test_a_wrong_key_is_refused_and_not_shown() -> None:
    with pytest.raises(ClientError) as error:
        Client("http://127.0.0.1:1", key="0x" + "ff" * 32)
    assert error.value.code == "SIGNATURE_INVALID"
    assert "ffff" not in str(error.value)


def test_an_address_that_is_none_is_refused() -> None:
    for url in ("127.0.0.1:8645", "ftp://venue", ""):
        with pytest.raises(ClientError, match="address of a venue"):
            Client(url)


async def test_a_venue_that_does_not_answer_is_a_connection_failure() -> None:
    from perplab import ConnectionFailed, RetryPolicy

    async with AsyncClient("http://127.0.0.1:1", retry=RetryPolicy(reads=0)) as client:
        with pytest.raises(ConnectionFailed) as error:
            await client.get_status()
        assert error.value.hint == "is a venue at http://127.0.0.1:1?"
