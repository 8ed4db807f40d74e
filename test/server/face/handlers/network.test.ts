/** Transactions, blocks and markets, asked as clients ask, and the height that every answer belongs to. */
import { describe, expect, test } from "vitest";
import type { Status } from "../../../../src/client/api/schemas/status.ts";
import type { Confirmation, Event } from "../../../../src/client/api/schemas/transactions.ts";
import { decodePayload } from "../../../../src/protocol/codec.ts";
import { developmentGenesis } from "../../../../src/server/host/development.ts";
import { type TestClient, testGenesis } from "../../../helpers/host.ts";
import { MANUAL, of, openTrade, read } from "../../helpers/reads.ts";
import { expectProblem, openTestService } from "../../helpers/service.ts";

describe("a transaction", () => {
  test("that committed returns its place, its receipt and its events", async () => {
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
      finality: "revertible",
      nextAction: "resync",
    });
  });

  test("that was rejected has an outcome, with code, words and numbers", async () => {
    const { service, alice } = await openTrade();
    const order = alice.order("buy", "900", "50000");
    await service.submit(order, order.key);
    const confirmation = await read<Confirmation>(service, "getConfirmation", `/transactions/${order.id}/confirmation`);
    expect(confirmation).toMatchObject({
      status: "committed",
      outcome: "rejected",
      code: "INSUFFICIENT_MARGIN",
      meaning: "Equity would not cover the initial margin.",
      finality: "revertible",
      nextAction: "resync",
    });
    expect(confirmation.numbers).toMatchObject({ equity: "999991" });
  });

  test.each([
    [false, "final"],
    [true, "revertible"],
  ] as const)(
    "has an outcome that is final once committed, but not on a development venue (%s: %s)",
    async (devnet, finality) => {
      const genesis = { ...testGenesis, features: { ...testGenesis.features, devnet } };
      const service = openTestService({}, { genesis });
      const signed = service.clients[0]!.noop();
      await service.submit(signed, signed.key);
      const path = `/transactions/${signed.id}/confirmation`;
      expect(await read(service, "getConfirmation", path)).toMatchObject({ status: "committed", finality });
    },
  );

  test("of blocks that a revert took back is dropped under a higher epoch, and commits when it is sent again", async () => {
    const service = openTestService();
    const signed = service.clients[0]!.noop();
    const { height } = service.host.state;
    const epochOf = async () => (await read<Status>(service, "getStatus", "/status")).network.epoch;
    const epoch = await epochOf();
    await service.submit(signed, signed.key);
    const path = `/transactions/${signed.id}/confirmation`;
    await service.host.revert(height);
    expect(await epochOf()).toBeGreaterThan(epoch);
    const reverted = await read(service, "getConfirmation", path);
    expect(reverted).toMatchObject({ status: "dropped", finality: null, position: null, nextAction: "resign" });
    await service.submit(signed, signed.key);
    expect(await read(service, "getConfirmation", path)).toMatchObject({ status: "committed" });
  });

  test("that wanted to amend reports its numbers in the market's units, also when the order is gone", async () => {
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

  test("that waits is pending, also for a client that waits for it, until a block carries it", async () => {
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

  test("that can no longer commit is reported with the next step for the client", async () => {
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

  test("that is unknown is not found, and too long a wait is refused", async () => {
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
  test("are returned by height, the newest as latest, with transactions and events in pages", async () => {
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
    // Steps are listed with the transactions: in a block of one, an effect after it has place 1 + 1.
    const steps = (await read<Event[]>(service, "listBlockEvents", "/blocks/1/events")).filter(
      ({ txId }) => txId === null,
    );
    expect(steps.map(({ kind }) => kind)).toContain("pricesMoved");
    expect(new Set(steps.map(({ txIndex }) => txIndex))).toEqual(new Set([1, 2]));
  });

  test("that are not made yet, never existed, or were pruned are not found", async () => {
    const { service } = await openTrade();
    for (const height of ["4", "999999999"]) {
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

test("the validator set is public if genesis exposes it", async () => {
  expectProblem(await openTestService().ask({ path: "/validators" }), 404, "NOT_FOUND", "NOT_EXPOSED");
  const genesis = developmentGenesis({ accounts: testGenesis.accounts, features: { validators: true } });
  expect(await read(openTestService({}, { genesis }), "listValidators", "/validators")).toHaveLength(1);
});

test("an unknown market is not found", async () => {
  const { ask } = openTestService();
  for (const tail of ["", "/prices", "/book", "/trades", "/funding"]) {
    expectProblem(await ask({ path: `/markets/NONE${tail}` }), 404, "NOT_FOUND", "UNKNOWN_MARKET");
  }
  for (const depth of ["0", "501", "x", "1.5"]) {
    expectProblem(await ask({ path: `/markets/BTC-PERP/book?depth=${depth}` }), 400, "VALIDATION_ERROR");
  }
});

test("every answer has its height, and everything in it is of that height", async () => {
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
