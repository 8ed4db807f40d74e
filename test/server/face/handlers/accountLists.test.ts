/** A trade and an intent in the lists: orders, fills, positions, prices, as clients request them. */
import { describe, expect, test } from "vitest";
import { computeBookChecksum } from "../../../../src/client/api/bookChecksum.ts";
import { actions } from "../../../../src/protocol/actions/index.ts";
import { decodePayload } from "../../../../src/protocol/codec.ts";
import { completePayload } from "../../../../src/protocol/completePayload.ts";
import { oraclePrice } from "../../../helpers/host.ts";
import { of, openTrade, read } from "../../helpers/reads.ts";

describe("a trade", () => {
  test("shows in the orders of both, with what was filled and what is left", async () => {
    const { service, alice, bob, ask, bid } = await openTrade();
    const [resting] = await read<Record<string, unknown>[]>(service, "listOrders", of(bob, "orders"));
    expect(resting).toMatchObject({
      txId: ask.id,
      side: "sell",
      orderType: "limit",
      timeInForce: "GTC",
      price: "50000",
      size: "1",
      filled: "0.4",
      remaining: "0.6",
      cancelled: "0",
      status: "partiallyFilled",
      selfTrade: "cancelTaker",
      selfTradeScope: "account",
      openedHeight: 2,
      updatedHeight: 3,
      closedHeight: null,
    });
    expect(await read(service, "listOrders", of(alice, "orders"))).toEqual([]);
    const all = await read<Record<string, unknown>[]>(service, "listOrders", of(alice, "orders?includeClosed=true"));
    expect(all).toMatchObject([{ txId: bid.id, status: "filled", filled: "0.4", remaining: "0", closedHeight: 3 }]);
    const by = async (query: string) =>
      (await read<unknown[]>(service, "listOrders", of(bob, `orders?${query}`))).length;
    expect([
      await by("side=buy"),
      await by("side=sell"),
      await by("status=open,filled"),
      await by("fromHeight=3"),
    ]).toEqual([0, 1, 0, 0]);
    expect([
      await by("toHeight=2"),
      await by("subaccount=1"),
      await by("market=BTC-PERP"),
      await by("clientOrderId=x"),
    ]).toEqual([1, 0, 1, 0]);
  });

  test("shows in positions and balances, by the venue's own figures", async () => {
    const { service, alice } = await openTrade();
    const [position] = await read<Record<string, unknown>[]>(service, "listPositions", of(alice, "positions"));
    expect(position).toMatchObject({
      market: "BTC-PERP",
      side: "long",
      size: "0.4",
      cost: "20000",
      entryPrice: "50000",
      markPrice: "50000",
      notional: "20000",
      unrealizedPnl: "0",
      realizedPnl: "0",
      fundingPaid: "0",
      openedHeight: 3,
      marginMode: "cross",
      isolatedMargin: null,
      liquidationPrice: null,
    });
    const [balance] = await read<Record<string, unknown>[]>(service, "listBalances", of(alice, "balances"));
    // 0.045 % of 20,000.
    expect(balance).toMatchObject({
      collateral: "999991",
      total: "999991",
      equity: "999991",
      simulated: true,
      asset: "USD",
    });
    const [risk] = await read<Record<string, unknown>[]>(service, "listRisk", of(alice, "risk"));
    expect(risk).toMatchObject({
      subaccount: 0,
      state: "healthy",
      marginAccounts: [
        { marginAccount: "cross", equity: "999991", notional: "20000", leverage: "0.03", liquidationId: null },
      ],
    });
  });

  test("moves the book, the last price and the fills, and PnL only follows the mark", async () => {
    const { service, alice, bob } = await openTrade();
    const book = await read<{ bids: []; asks: [string, string, number][]; checksum: number }>(
      service,
      "getMarketBook",
      "/markets/BTC-PERP/book",
    );
    expect([book.bids, book.asks]).toEqual([[], [["50000", "0.6", 1]]]);
    expect(book.checksum).toBe(computeBookChecksum([], [["50000", "0.6", 1]]));
    const trades = await read<Record<string, unknown>[]>(service, "listMarketTrades", "/markets/BTC-PERP/trades");
    expect(trades).toMatchObject([
      { price: "50000", size: "0.4", value: "20000", takerSide: "buy", kind: "normal", height: 3 },
    ]);
    const [taken] = await read<Record<string, unknown>[]>(service, "listFills", of(alice, "fills"));
    const [made] = await read<Record<string, unknown>[]>(service, "listFills", of(bob, "fills"));
    expect([taken, made]).toMatchObject([
      { role: "taker", side: "buy", fee: "9", tradeId: trades[0]!["tradeId"] },
      { role: "maker", side: "sell", fee: "3", tradeId: trades[0]!["tradeId"] },
    ]);
    await service.host.submitSystem("oracleUpdate", oraclePrice("50100"));
    const prices = await read<{ last: string; mark: { value: string; usedForPnl: boolean } }>(
      service,
      "getMarketPrices",
      "/markets/BTC-PERP/prices",
    );
    expect([prices.last, prices.mark.usedForPnl]).toEqual(["50000", true]);
    const [position] = await read<Record<string, string>[]>(service, "listPositions", of(alice, "positions"));
    const pnl = (Number(prices.mark.value) - 50_000) * 0.4;
    expect(Number(position!["unrealizedPnl"])).toBeCloseTo(pnl, 6);
    expect(pnl).toBeGreaterThan(0);
  });

  test("a reduction realises a part, and a close ends the position", async () => {
    const { service, alice, bob } = await openTrade();
    const bid = bob.order("buy", "0.4", "50100", { validUntil: 1000 });
    await service.submit(bid, bid.key);
    // Bob's own offer conflicts with his bid: self-trade prevention stops the bid.
    const cancel = bob.sign("cancelAll", decodePayload("cancelAll", { market: "", intents: false }), {
      nonceDomain: "risk",
    });
    await service.submit(cancel, cancel.key);
    const again = bob.order("buy", "0.4", "50100");
    await service.submit(again, again.key);
    const part = alice.order("sell", "0.1", "50100");
    await service.submit(part, part.key);
    const [position] = await read<Record<string, unknown>[]>(service, "listPositions", of(alice, "positions"));
    expect(position).toMatchObject({ size: "0.3", cost: "15000", realizedPnl: "10", openedHeight: 3 });
    const rest = alice.order("sell", "0.3", "50100");
    await service.submit(rest, rest.key);
    expect(await read(service, "listPositions", of(alice, "positions"))).toEqual([]);
    const turned = alice.order("sell", "0.1", "50000");
    await service.submit(turned, turned.key);
    expect(await read(service, "listPositions", of(alice, "positions"))).toEqual([]);
  });
});

test("an amendment that fills at once shows its new price and size in the list of orders", async () => {
  const { service, alice } = await openTrade();
  const bid = alice.order("buy", "0.2", "49000");
  await service.submit(bid, bid.key);
  const [resting] = await read<{ orderId: string }[]>(service, "listOrders", of(alice, "orders"));
  const amend = alice.sign(
    "amendOrder",
    decodePayload("amendOrder", {
      orderId: resting!.orderId,
      clientOrderId: "",
      size: "0.1",
      price: "50000",
      goodTilHeight: 0,
      goodTilTime: 0,
    }),
  );
  await service.submit(amend, amend.key);
  const all = await read<object[]>(service, "listOrders", of(alice, "orders?includeClosed=true"));
  expect(all).toContainEqual(
    expect.objectContaining({
      txId: bid.id,
      price: "50000",
      size: "0.1",
      filled: "0.1",
      cancelled: "0",
      status: "filled",
      cause: null,
    }),
  );
});

test("a list of intents has those of the height of its first page, each in its present state", async () => {
  const { service, alice } = await openTrade();
  const stop = (trigger: string) =>
    alice.sign(
      "placeIntent",
      decodePayload("placeIntent", {
        kind: "stop",
        market: "BTC-PERP",
        side: "sell",
        size: "0.1",
        fraction: "",
        reduceOnly: true,
        source: "mark",
        trigger,
        trail: "",
        trailRate: "",
        orderType: "market",
        price: "",
        slippage: "0.05",
        timeInForce: "GTC",
        postOnly: "no",
        selfTrade: "cancelTaker",
        selfTradeScope: "account",
        duration: 0,
        interval: 0,
        legs: [],
        goodTilHeight: 0,
        goodTilTime: 0,
        clientIntentId: `at ${trigger}`,
      }),
    );
  for (const trigger of ["40000", "41000", "42000"]) {
    const signed = stop(trigger);
    await service.submit(signed, signed.key);
  }
  const path = of(alice, "conditional-intents");
  const first = (await service.call("listIntents", { path: `${path}?limit=1` })).body as {
    data: { intentId: string; trigger: string; status: string }[];
    page: { next: string };
  };
  expect(first.data).toMatchObject([{ trigger: "42000", status: "armed", clientIntentId: "at 42000", size: "0.1" }]);
  const [, , oldest] = await read<{ intentId: string }[]>(service, "listIntents", path);
  const cancel = alice.sign(
    "cancelIntent",
    decodePayload("cancelIntent", { intent: oldest!.intentId, clientIntentId: "" }),
  );
  await service.submit(cancel, cancel.key);
  const late = stop("43000");
  await service.submit(late, late.key);
  const rest = await read<object[]>(service, "listIntents", `${path}?limit=5&cursor=${first.page.next}`);
  expect(rest).toMatchObject([
    { trigger: "41000", status: "armed" },
    { trigger: "40000", status: "cancelled", cause: "owner", endedHeight: service.host.state.height - 1 },
  ]);
  const now = await read<{ trigger: string }[]>(service, "listIntents", path);
  expect(now.map(({ trigger }) => trigger)).toEqual(["43000", "42000", "41000"]);
  expect(await read<object[]>(service, "listIntents", `${path}?status=cancelled`)).toHaveLength(1);
});

test("an intent that ended shows what its order did not fill, or the position that it no longer protects", async () => {
  const { service, alice } = await openTrade();
  const stop = async (order: object) => {
    const signed = alice.sign(
      "placeIntent",
      decodePayload(
        "placeIntent",
        completePayload(actions.placeIntent.fields, {
          kind: "stop",
          market: "BTC-PERP",
          side: "sell",
          size: "0.1",
          reduceOnly: true,
          source: "mark",
          trigger: "49500",
          selfTrade: "cancelBoth",
          selfTradeScope: "owner",
          ...order,
        }) as never,
      ) as never,
    );
    await service.submit(signed, signed.key);
  };
  await stop({ orderType: "market", slippage: "0.05", clientIntentId: "market" });
  await stop({ orderType: "limit", price: "30000", clientIntentId: "outside the band" });
  const path = of(alice, "conditional-intents");
  expect(await read(service, "listIntents", path)).toMatchObject([
    { unfilled: null, position: null, selfTrade: "cancelBoth", selfTradeScope: "owner" },
    { unfilled: null, position: null },
  ]);
  for (const price of ["49000", "48500", "48000", "47500"]) {
    await service.host.submitSystem("oracleUpdate", oraclePrice(price));
  }
  expect(await read(service, "listIntents", `${path}?includeEnded=true`)).toMatchObject([
    { clientIntentId: "outside the band", status: "failed", unfilled: null, position: "0.4" },
    { clientIntentId: "market", status: "executed", filled: "0", unfilled: "0.1", position: null },
  ]);
});
