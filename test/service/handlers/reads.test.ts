/** What reads say of a venue that trades, asked as clients ask. */
import { describe, expect, test } from "vitest";
import { computeBookChecksum } from "../../../src/api/bookChecksum.ts";
import { checksumAddress } from "../../../src/api/checksumAddress.ts";
import { type OperationId, routes } from "../../../src/api/routes.ts";
import type { Authorization } from "../../../src/api/schemas/authorizations.ts";
import type { Confirmation, Event } from "../../../src/api/schemas/transactions.ts";
import { computeRoot } from "../../../src/engine/commitment/root.ts";
import { decodePayload } from "../../../src/protocol/codec.ts";
import type { Address } from "../../../src/protocol/fields.ts";
import { developmentGenesis } from "../../../src/service/host/development.ts";
import type { Sessions } from "../../../src/service/session/sessions.ts";
import { oraclePrice, type TestClient, testGenesis } from "../../helpers/host.ts";
import { expectProblem, JSON_HEADERS, openTestService, type TestService } from "../helpers/service.ts";

const MANUAL = { blocks: { mode: "manual" } } as const;

/** Data of an answer that is held to its schema. */
async function read<T = Record<string, unknown>>(service: TestService, id: OperationId, path: string): Promise<T> {
  const { body } = await service.call(id, { path });
  return (body as { data: T }).data;
}

/** Alice bought 0.4 of the 1 that Bob offers at 50,000. */
async function openTrade() {
  const service = openTestService();
  const [alice, bob] = service.clients as [TestClient, TestClient];
  await service.host.submitSystem("oracleUpdate", oraclePrice("50000"));
  const ask = bob.order("sell", "1", "50000");
  await service.submit(ask, ask.key);
  const bid = alice.order("buy", "0.4", "50000");
  await service.submit(bid, bid.key);
  return { service, alice, bob, ask, bid };
}

const of = ({ address }: { readonly address: Address }, resource: string) => `/accounts/${address}/${resource}`;

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
      buckets: [{ bucket: "cross", equity: "999991", notional: "20000", leverage: "0.03", liquidationId: null }],
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
    // Bob's own offer stands in the way of his bid: it is stopped.
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

describe("a transaction", () => {
  test("that committed tells its place, its receipt and its events", async () => {
    const { service, alice, bid } = await openTrade();
    const path = `/transactions/${bid.id}`;
    const whole = await read(service, "getTransaction", path);
    expect(whole).toMatchObject({
      status: "committed",
      action: "placeOrder",
      payload: { market: "BTC-PERP", side: "buy", size: "0.4", price: "50000" },
      position: { height: 3, index: 0 },
      receipt: { status: "applied", nonceConsumed: true, results: [{ status: "filled" }] },
    });
    expect(await read(service, "listReceipts", `${path}/receipts`)).toEqual([whole["receipt"]]);
    const events = await read<Event[]>(service, "listTransactionEvents", `${path}/events`);
    expect(events.map(({ eventId }) => eventId)).toEqual(events.map((_, at) => `3-0-${at}`));
    const fill = events.find(({ kind }) => kind === "fill")!;
    expect(fill.fields).toMatchObject({
      market: "BTC-PERP",
      price: "50000",
      size: "0.4",
      value: "20000",
      takerSide: "buy",
      takerAccount: alice.address,
      takerFee: "9",
      liquidation: null,
    });
    const confirmation = await read(service, "getConfirmation", `${path}/confirmation`);
    expect(confirmation).toMatchObject({
      status: "committed",
      outcome: "applied",
      finality: "final",
      nextAction: "resync",
    });
  });

  test("that was rejected is final, with code, words and numbers", async () => {
    const { service, alice } = await openTrade();
    const order = alice.order("buy", "900", "50000");
    await service.submit(order, order.key);
    const confirmation = await read<Confirmation>(service, "getConfirmation", `/transactions/${order.id}/confirmation`);
    expect(confirmation).toMatchObject({
      status: "committed",
      outcome: "rejected",
      code: "INSUFFICIENT_MARGIN",
      meaning: "Equity would not cover the initial requirement.",
      finality: "final",
      nextAction: "resync",
    });
    expect(confirmation.numbers).toMatchObject({ equity: "999991" });
  });

  test("that wanted to amend tells its numbers in the market's units, also when the order is gone", async () => {
    const { service, alice } = await openTrade();
    const order = alice.order("buy", "0.5", "49000");
    await service.submit(order, order.key);
    const [open] = await read<{ orderId: string }[]>(service, "listOrders", of(alice, "orders"));
    const amend = alice.sign(
      "amendOrder",
      decodePayload("amendOrder", {
        orderId: open!.orderId,
        clientOrderId: "",
        size: "2000",
        price: "",
        goodTilHeight: 0,
        goodTilTime: 0,
      }),
    );
    await service.submit(amend, amend.key);
    const path = `/transactions/${amend.id}/confirmation`;
    const before = await read<Confirmation>(service, "getConfirmation", path);
    expect(before).toMatchObject({ code: "SIZE_TOO_LARGE", numbers: { lots: "2000", most: "1000" } });
    const cancel = alice.sign(
      "cancelOrder",
      decodePayload("cancelOrder", { orderId: open!.orderId, clientOrderId: "" }),
    );
    await service.submit(cancel, cancel.key);
    expect(await read(service, "listOrders", of(alice, "orders"))).toEqual([]);
    expect(await read<Confirmation>(service, "getConfirmation", path)).toEqual(before);
  });

  test("that waits is pending, also for who waits for it, until a block carries it", async () => {
    const service = openTestService({}, MANUAL);
    const signed = service.clients[0]!.noop();
    await service.submit(signed, signed.key);
    const path = `/transactions/${signed.id}`;
    expect(await read(service, "getTransaction", path)).toMatchObject({
      status: "pending",
      position: null,
      receipt: null,
    });
    expect(await read(service, "listReceipts", `${path}/receipts`)).toEqual([]);
    expect(await read(service, "listTransactionEvents", `${path}/events`)).toEqual([]);
    const short = await read(service, "getConfirmation", `${path}/confirmation?waitMs=1`);
    expect(short).toMatchObject({ status: "pending", outcome: null, nextAction: "wait" });
    const waiting = read(service, "getConfirmation", `${path}/confirmation?waitMs=20000`);
    await service.host.mine();
    expect(await waiting).toMatchObject({ status: "committed", position: { height: 1, index: 0 } });
  });

  test("that can commit no more says so, and what to do", async () => {
    const service = openTestService({}, MANUAL);
    const [alice] = service.clients as [TestClient];
    const first = alice.noop({ validUntil: 1, nonce: 1 });
    await service.submit(first, first.key);
    await service.host.mine();
    await service.host.mine();
    expect(await read(service, "getConfirmation", `/transactions/${first.id}/confirmation`)).toMatchObject({
      status: "expired",
      code: "EXPIRED",
      nextAction: "resign",
      finality: null,
    });
    const old = alice.noop({ nonce: 0 });
    await service.submit(old, old.key);
    const next = alice.noop({ nonce: 0, replaces: old.id });
    await service.submit(next, next.key);
    expect(await read(service, "getConfirmation", `/transactions/${old.id}/confirmation`)).toMatchObject({
      status: "replaced",
      replacedBy: next.id,
      nextAction: "none",
    });
  });

  test("that nobody knows is not found, and neither is a wait too long taken", async () => {
    const { ask } = openTestService();
    const path = `/transactions/0x${"ab".repeat(32)}`;
    for (const tail of ["", "/confirmation", "/confirmation?waitMs=10", "/receipts", "/events"]) {
      expectProblem(await ask({ path: path + tail }), 404, "NOT_FOUND", "UNKNOWN_TRANSACTION");
    }
    expectProblem(await ask({ path: `${path}/confirmation?waitMs=30001` }), 400, "VALIDATION_ERROR");
    expectProblem(await ask({ path: "/transactions/0xAB" }), 400, "VALIDATION_ERROR");
  });
});

describe("blocks", () => {
  test("are told by height, the newest as latest, with transactions and events in pages", async () => {
    const { service, bid } = await openTrade();
    const latest = await read(service, "getBlock", "/blocks/latest");
    expect(latest).toMatchObject({ height: 3, transactionCount: 1, txIds: [bid.id], proposer: null });
    expect(await read(service, "getBlock", "/blocks/3")).toEqual(latest);
    expect((await read(service, "getBlock", "/blocks/2"))["hash"]).toBe(latest["parentHash"]);
    const listed = await read(service, "listBlockTransactions", "/blocks/3/transactions");
    expect(listed).toMatchObject([{ txId: bid.id, index: 0, action: "placeOrder", status: "applied", code: null }]);
    const events = await read<Event[]>(service, "listBlockEvents", "/blocks/3/events?limit=500");
    expect(events).toHaveLength(latest["eventCount"] as number);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
    const own = events.filter(({ txId }) => txId === bid.id);
    expect(own).toEqual(await read(service, "listTransactionEvents", `/transactions/${bid.id}/events`));
    // Steps stand beside the transactions: in a block of one, what came after it has place 1 + 1.
    const steps = (await read<Event[]>(service, "listBlockEvents", "/blocks/1/events")).filter(
      ({ txId }) => txId === null,
    );
    expect(steps.map(({ kind }) => kind)).toContain("pricesMoved");
    expect(new Set(steps.map(({ txIndex }) => txIndex))).toEqual(new Set([1, 2]));
  });

  test("that are not there yet, never were, or were pruned are not found", async () => {
    const { service } = await openTrade();
    for (const height of ["4", "0", "999999999"]) {
      expectProblem(await service.ask({ path: `/blocks/${height}` }), 404, "NOT_FOUND", "UNKNOWN_RESOURCE");
    }
    for (const height of ["-1", "01", "x", "1.0", "LATEST"]) {
      expectProblem(await service.ask({ path: `/blocks/${height}` }), 400, "VALIDATION_ERROR");
    }
    const pruned = openTestService({}, { keepBlocks: 2 });
    for (let count = 0; count < 5; count++) await pruned.host.mine();
    expectProblem(await pruned.ask({ path: "/blocks/1" }), 404, "NOT_FOUND", "PRUNED");
  });
});

test("validators are told where genesis says so", async () => {
  expectProblem(await openTestService().ask({ path: "/validators" }), 404, "NOT_FOUND", "NOT_EXPOSED");
  const genesis = developmentGenesis({ accounts: testGenesis.accounts, features: { validators: true } });
  expect(await read(openTestService({}, { genesis }), "listValidators", "/validators")).toHaveLength(1);
});

test("a market that there is none of is not found", async () => {
  const { ask } = openTestService();
  for (const tail of ["", "/prices", "/book", "/trades", "/funding"]) {
    expectProblem(await ask({ path: `/markets/NONE${tail}` }), 404, "NOT_FOUND", "UNKNOWN_MARKET");
  }
  for (const depth of ["0", "501", "x", "1.5"]) {
    expectProblem(await ask({ path: `/markets/BTC-PERP/book?depth=${depth}` }), 400, "VALIDATION_ERROR");
  }
});

describe("nonces", () => {
  const lane = (account: string, signer: string, domain: string) =>
    `/accounts/${account}/nonce?signer=${signer}&subaccount=0&domain=${domain}`;

  test("are told by what is committed and by what waits", async () => {
    const service = openTestService({}, MANUAL);
    const { address } = service.clients[0]!;
    const signed = [0, 1, 3].map((nonce) => service.clients[0]!.noop({ nonce }));
    for (const one of signed) await service.submit(one, one.key);
    const state = await read(service, "getNonce", lane(address, address, "trading"));
    expect(state).toMatchObject({ committedNext: "0", pendingNext: "2", scheme: "sequential" });
    expect(state["pending"]).toEqual(
      signed.map(({ id, transaction }) => ({ nonce: `${transaction.header.nonce}`, txId: id })),
    );
    await service.host.mine();
    expect(await read(service, "getNonce", lane(address, address, "trading"))).toMatchObject({
      committedNext: "2",
      pendingNext: "2",
    });
    expect(await read(service, "getNonce", lane(address, address, "risk"))).toMatchObject({ committedNext: "0" });
  });

  test("of authorities and of strangers are told, too", async () => {
    const service = openTestService();
    await service.host.submitSystem("oracleUpdate", oraclePrice("50000"));
    const { oracle, faucet } = service.host.genesis.authorities;
    expect(await read(service, "getNonce", lane(oracle, oracle, "system"))).toMatchObject({ committedNext: "1" });
    expect(await read(service, "getNonce", lane(faucet, faucet, "system"))).toMatchObject({ committedNext: "0" });
    const stranger = `0x${"12".repeat(20)}`;
    expect(await read(service, "getNonce", lane(stranger, stranger, "trading"))).toMatchObject({ committedNext: "0" });
  });

  test("need signer, subaccount and domain", async () => {
    const { ask, clients } = openTestService();
    const { address } = clients[0]!;
    for (const query of ["", `signer=${address}`, `signer=${address}&subaccount=0`, "subaccount=0&domain=trading"]) {
      expectProblem(await ask({ path: `/accounts/${address}/nonce?${query}` }), 400, "VALIDATION_ERROR");
    }
    expectProblem(await ask({ path: lane(address, address, "cooking") }), 400, "VALIDATION_ERROR");
  });
});

describe("addresses", () => {
  test("are taken in one case, or in both with a right checksum", async () => {
    const { service, alice } = await openTrade();
    const mixed = checksumAddress(alice.address);
    const upper = `0x${alice.address.slice(2).toUpperCase()}`;
    for (const address of [alice.address, mixed, upper]) {
      expect(await read<unknown[]>(service, "listPositions", `/accounts/${address}/positions`)).toHaveLength(1);
    }
    const wrong = `0x${[...mixed.slice(2)].map((digit) => (digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase())).join("")}`;
    expectProblem(await service.ask({ path: `/accounts/${wrong}/positions` }), 400, "VALIDATION_ERROR");
    expectProblem(await service.ask({ path: "/accounts/0x12/positions" }), 400, "VALIDATION_ERROR");
  });

  test("that never held anything have nothing", async () => {
    const { service } = await openTrade();
    for (const [id, resource] of [
      ["listBalances", "balances"],
      ["listPositions", "positions"],
      ["listRisk", "risk"],
      ["listOrders", "orders"],
      ["listIntents", "conditional-intents"],
      ["listFills", "fills"],
      ["listAccountLiquidations", "liquidations"],
    ] as const) {
      expect(await read(service, id, `/accounts/0x${"12".repeat(20)}/${resource}`)).toEqual([]);
    }
  });
});

describe("where accounts are shown to their owners only", () => {
  const token = "token-of-alice";
  const guarded = (Object.keys(routes) as OperationId[]).filter((id) => {
    const { path, problems } = routes[id] as { path: string; problems?: readonly string[] };
    return path.startsWith("/accounts/") && problems?.includes("SESSION_REQUIRED") === true;
  });

  test.each(guarded)("%s asks for a session of the address", async (id) => {
    let owner: Address | undefined;
    const sessions = {
      find: (given: string) => (given === token ? { address: owner } : given === "old" ? "expired" : "unknown"),
      onEnd: () => () => {},
    } as unknown as Sessions;
    const { ask, clients } = openTestService({ accountReads: "session", sessions });
    owner = clients[0]!.address;
    const { method, path } = routes[id];
    const body = method === "POST" ? { body: JSON.stringify({ action: "noop", payload: {} }) } : {};
    const askAs = (bearer: string | undefined, address: string) =>
      ask({
        method,
        path: path.replace("{address}", address),
        headers: {
          ...(method === "POST" ? JSON_HEADERS : {}),
          ...(bearer === undefined ? {} : { authorization: bearer }),
        },
        ...body,
      });
    expectProblem(await askAs(undefined, owner), 401, "SESSION_REQUIRED");
    expectProblem(await askAs("Basic x", owner), 401, "SESSION_REQUIRED");
    expectProblem(await askAs("Bearer other", owner), 401, "SESSION_REQUIRED", "SESSION_UNKNOWN");
    expectProblem(await askAs("Bearer old", owner), 401, "SESSION_REQUIRED", "SESSION_EXPIRED");
    expectProblem(await askAs(`Bearer ${token}`, clients[1]!.address), 403, "UNAUTHORIZED", "WRONG_ADDRESS");
    const answer = await askAs(`Bearer ${token}`, owner);
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toMatch(/private|no-store/);
    // What its owner was shown is shown to nobody else from a cache.
    expectProblem(await askAs(undefined, owner), 401, "SESSION_REQUIRED");
  });

  test("that is every route of accounts but the nonce, which tells nothing", () => {
    const all = (Object.keys(routes) as OperationId[]).filter((id) => routes[id].path.startsWith("/accounts/"));
    expect(all.filter((id) => !guarded.includes(id))).toEqual(["getNonce"]);
  });
});

describe("authorizations", () => {
  const grant = (agent: Address) =>
    decodePayload("grantAuthorization", {
      agent,
      label: "bot",
      scopes: "trade cancel",
      markets: "BTC-PERP",
      subaccounts: "0",
      maxOrderNotional: "1000",
      maxPositionNotional: "*",
      maxDailyNotional: "5000",
      maxOpenOrders: "3",
      validFrom: 0,
      expiresAt: testGenesis.timeMs + 86_400_000,
    });

  test("are listed by owner and agent, told by id, and say when they ended", async () => {
    const service = openTestService();
    const [alice, bob] = service.clients as [TestClient, TestClient];
    const signed = alice.sign("grantAuthorization", grant(bob.address), { nonceDomain: "admin" });
    await service.submit(signed, signed.key);
    const path = `/authorizations/${signed.id}`;
    const told = await read<Authorization>(service, "getAuthorization", path);
    expect(told).toMatchObject({
      authId: signed.id,
      owner: alice.address,
      agent: bob.address,
      label: "bot",
      status: "active",
      scopes: ["trade", "cancel"],
      markets: ["BTC-PERP"],
      subaccounts: [0],
      limits: { orderNotional: "1000", positionNotional: null, dailyNotional: "5000", openOrders: 3 },
      usage: { dailyNotional: "0", openOrders: 0 },
      grantedHeight: 1,
      endedHeight: null,
    });
    const count = async (query: string) =>
      (await read<unknown[]>(service, "listAuthorizations", `/authorizations?${query}`)).length;
    expect([await count(""), await count(`owner=${alice.address}`), await count(`agent=${alice.address}`)]).toEqual([
      1, 1, 0,
    ]);
    expect([await count("status=active"), await count("status=revoked")]).toEqual([1, 0]);
    const revoke = alice.sign(
      "revokeAuthorization",
      decodePayload("revokeAuthorization", { authorization: signed.id, cancelOrders: false }),
      { nonceDomain: "admin" },
    );
    await service.submit(revoke, revoke.key);
    expect(await read(service, "getAuthorization", path)).toMatchObject({ status: "revoked", endedHeight: 2 });
    expectProblem(
      await service.ask({ path: `/authorizations/0x${"00".repeat(32)}` }),
      404,
      "NOT_FOUND",
      "UNKNOWN_RESOURCE",
    );
  });
});

describe("a preview", () => {
  const preview = (service: TestService, address: string, body: object) =>
    service.call("previewAction", {
      path: `/accounts/${address}/preview`,
      headers: JSON_HEADERS,
      body: JSON.stringify(body),
    });
  const order = (size: string) => ({
    market: "BTC-PERP",
    side: "buy",
    orderType: "limit",
    size,
    price: "50000",
    slippage: "",
    timeInForce: "GTC",
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: "no",
    reduceOnly: false,
    selfTrade: "cancelTaker",
    selfTradeScope: "account",
    clientOrderId: "",
  });

  test("tells what the venue does then, and changes nothing", async () => {
    const { service, alice } = await openTrade();
    const root = computeRoot(service.host.state);
    const { body } = await preview(service, alice.address, { action: "placeOrder", payload: order("0.5") });
    const { data } = body as {
      data: { after: { positions: object[]; risk: object }; before: { positions: object[] } };
    };
    expect(data).toMatchObject({ status: "applied", code: null, fillCount: 1, results: [{ status: "filled" }] });
    expect(data.before.positions).toMatchObject([{ size: "0.4" }]);
    expect(data.after.positions).toMatchObject([{ size: "0.9", cost: "45000" }]);
    expect(computeRoot(service.host.state)).toBe(root);
    const signed = alice.order("buy", "0.5", "50000");
    await service.submit(signed, signed.key);
    const [risk] = await read<{ buckets: object[] }[]>(service, "listRisk", of(alice, "risk"));
    expect(risk).toEqual(data.after.risk);
  });

  test("tells a rejection with its numbers, and an account that there is none of", async () => {
    const { service, alice } = await openTrade();
    const { body } = await preview(service, alice.address, { action: "placeOrder", payload: order("900") });
    expect((body as { data: object }).data).toMatchObject({
      status: "rejected",
      code: "INSUFFICIENT_MARGIN",
      fillCount: 0,
    });
    const other = await preview(service, `0x${"12".repeat(20)}`, { action: "placeOrder", payload: order("1") });
    expect((other.body as { data: object }).data).toMatchObject({
      status: "invalid",
      code: "ACCOUNT_NOT_FOUND",
      after: { risk: null },
    });
  });

  test("refuses what an authority signs, and payloads that are none", async () => {
    const { service, alice } = await openTrade();
    const ask = (body: object) =>
      service.ask({
        method: "POST",
        path: `/accounts/${alice.address}/preview`,
        headers: JSON_HEADERS,
        body: JSON.stringify(body),
      });
    expectProblem(await ask({ action: "oracleUpdate", payload: {} }), 400, "VALIDATION_ERROR");
    expectProblem(await ask({ action: "fly", payload: {} }), 400, "VALIDATION_ERROR");
    const { errors } = expectProblem(
      await ask({ action: "placeOrder", payload: order("0.50") }),
      400,
      "VALIDATION_ERROR",
    );
    expect(errors).toMatchObject([{ pointer: "body.payload.size", rule: "malformed" }]);
    expectProblem(await ask({ action: "placeOrder", payload: { ...order("1"), extra: 1 } }), 400, "VALIDATION_ERROR");
  });
});

test("every read says to which height it belongs, and everything in it is of that height", async () => {
  const { service, alice, bob } = await openTrade();
  for (const path of [
    "/status",
    "/markets",
    "/markets/BTC-PERP/book",
    of(alice, "balances"),
    of(bob, "orders"),
    "/liquidations",
    "/insurance-fund",
    "/insurance-fund/history",
    "/authorizations",
  ]) {
    const { asOf } = JSON.parse((await service.ask({ path })).body) as {
      asOf: { height: number; timeMs: number; hash: string };
    };
    const { height, timeMs, hash } = service.host.block(3)!;
    expect(asOf, path).toEqual({ height, timeMs, hash });
  }
});

test("a list of intents keeps to the height of its first page, and shows each as it is", async () => {
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
