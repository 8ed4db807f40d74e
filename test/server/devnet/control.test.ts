import { expect, test } from "vitest";
import type { ApiResponse } from "../../../src/client/api/endpoint.ts";
import { devnetRoutes } from "../../../src/client/api/routes/devnet.ts";
import type { CreateDevnetOptions } from "../../../src/server/devnet/createDevnet.ts";
import { createDevnet, type Devnet } from "../../../src/server/devnet/createDevnet.ts";
import { COUNTERPARTY } from "../../../src/server/devnet/position.ts";
import { DEVNET_TIME_MS } from "../../../src/server/devnet/venue.ts";
import { computeRoot } from "../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { Simulation } from "../../../src/venue/simulation/simulation.ts";
import { faultsOf } from "../helpers/ask.ts";
import { expectProblem, JSON_HEADERS } from "../helpers/service.ts";

type Operation = keyof typeof devnetRoutes;

/** Asks control, and holds the answer to its schema. */
async function call(devnet: Devnet, operation: Operation, body?: object, path?: string) {
  const route = devnetRoutes[operation];
  const response = await askRaw(devnet, operation, body, path);
  expect(response.status, response.body).toBe(200);
  const value = JSON.parse(response.body);
  expect(faultsOf(route.responses[200], value), response.body).toEqual([]);
  return value.data;
}

function askRaw(devnet: Devnet, operation: Operation, body?: object, path?: string): Promise<ApiResponse> {
  const route = devnetRoutes[operation];
  const sent = route.method === "POST" ? { headers: JSON_HEADERS, body: JSON.stringify(body ?? {}) } : {};
  return devnet.endpoint.request({ method: route.method, path: path ?? route.path, ...sent });
}

async function read(devnet: Devnet, path: string) {
  const { body } = await devnet.endpoint.request({ method: "GET", path: `/api/v1${path}` });
  return JSON.parse(body).data;
}

const open = (options?: CreateDevnetOptions) => createDevnet({ networkSalt: "", ...options });
const [alice, bob] = (await open()).accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`];

test("blocks are made on demand, in every mode", async () => {
  const devnet = await open({ blocks: { mode: "manual" } });
  expect(await call(devnet, "mineBlocks")).toEqual({ fromHeight: 2, toHeight: 2 });
  expect(await call(devnet, "mineBlocks", { blocks: 3, stepMs: 60_000 })).toEqual({ fromHeight: 3, toHeight: 5 });
  const times = [3, 4, 5].map((height) => devnet.host.block(height)!.timeMs);
  expect([times[1]! - times[0]!, times[2]! - times[1]!]).toEqual([60_000, 60_000]);
  expect(await call(devnet, "setBlockMode", { mode: "batch", size: 2 })).toMatchObject({
    blocks: { mode: "batch", size: 2 },
  });
  expect(devnet.host.blockMode).toEqual({ mode: "batch", size: 2 });
  expect(await call(devnet, "setBlockMode", { mode: "auto" })).toMatchObject({ blocks: { mode: "auto" } });
  expectProblem(await askRaw(devnet, "setBlockMode", { mode: "auto", size: 2 }), 400, "VALIDATION_ERROR");
  expectProblem(await askRaw(devnet, "setBlockMode", { mode: "manual", everyMs: 2 }), 400, "VALIDATION_ERROR");
  expectProblem(await askRaw(devnet, "mineBlocks", { blocks: 0 }), 400, "VALIDATION_ERROR");
  await call(devnet, "setBlockMode", { mode: "interval", everyMs: 5 });
  const { height } = devnet.host.state;
  await expect.poll(() => devnet.host.state.height).toBeGreaterThan(height);
  await devnet.close();
});

test("block time is moved by, to, and to the end of a funding interval, with a block or without", async () => {
  const devnet = await open();
  const start = devnet.host.state.timeMs;
  expect(await call(devnet, "moveTime", { advanceMs: 5_000 })).toEqual({ timeMs: start + 6_000 });
  expect(await call(devnet, "moveTime", { toMs: start + 10_000 })).toEqual({ timeMs: start + 10_000 });
  expect(await call(devnet, "moveTime", { advanceMs: 500, mine: false })).toEqual({ timeMs: start + 11_500 });
  expect(devnet.host.state.timeMs).toBe(start + 10_000);
  const hour = await call(devnet, "moveTime", { toNextFunding: "BTC-PERP" });
  expect(hour).toEqual({ timeMs: DEVNET_TIME_MS + 3_600_000 });
  expect(await read(devnet, "/markets/BTC-PERP")).toBeDefined();
  expectProblem(await askRaw(devnet, "moveTime", { toMs: start }), 400, "VALIDATION_ERROR");
  expectProblem(await askRaw(devnet, "moveTime", {}), 400, "VALIDATION_ERROR");
  expectProblem(await askRaw(devnet, "moveTime", { toMs: start, advanceMs: 1 }), 400, "VALIDATION_ERROR");
  expectProblem(await askRaw(devnet, "moveTime", { toNextFunding: "NO-PERP" }), 404, "NOT_FOUND", "UNKNOWN_MARKET");
});

test("the clock can be stepped, frozen, and run at a speed, and continues from the head's time", async () => {
  const devnet = await open();
  const start = devnet.host.state.timeMs;
  expect(await call(devnet, "setClock", { kind: "frozen" })).toMatchObject({ clock: { kind: "frozen" } });
  await devnet.mine();
  expect(devnet.host.state.timeMs).toBe(start + 1);
  await call(devnet, "setClock", { kind: "step", stepMs: 250 });
  await devnet.mine();
  expect(devnet.host.state.timeMs).toBe(start + 251);
  expect(await call(devnet, "setClock", { kind: "wall", speed: 60 })).toMatchObject({
    clock: { kind: "wall", speed: 60 },
    nextBlockTimeMs: start + 252,
  });
  expectProblem(await askRaw(devnet, "setClock", { kind: "step", speed: 2 }), 400, "VALIDATION_ERROR");
  expectProblem(await askRaw(devnet, "setClock", { kind: "wall", stepMs: 2 }), 400, "VALIDATION_ERROR");
});

test("the oracle reports a price or a path of them, and may grow stale", async () => {
  const devnet = await open();
  await call(devnet, "reportPrices", { market: "BTC-PERP", price: "60100" });
  expect(await read(devnet, "/markets/BTC-PERP/prices")).toMatchObject({ oracle: { value: "60100" } });
  const before = devnet.host.state;
  const [height, timeMs] = [before.height, before.timeMs];
  await call(devnet, "reportPrices", { market: "BTC-PERP", path: ["60000", "59900", "59800"], stepMs: 60_000 });
  expect(devnet.host.state).toMatchObject({ height: height + 3, timeMs: timeMs + 180_000 });
  expect(await read(devnet, "/markets/BTC-PERP/prices")).toMatchObject({ oracle: { value: "59800" } });
  await call(devnet, "setStaleness", { market: "BTC-PERP", afterMs: 30_000 });
  await devnet.advance(60_000);
  const rejected = await askRaw(devnet, "impersonate", {
    account: alice,
    action: "placeOrder",
    payload: { market: "BTC-PERP", side: "buy", orderType: "market", size: "1", timeInForce: "IOC" },
  });
  expect(JSON.parse(rejected.body).code).toBe("TRANSACTION_REJECTED");
  expectProblem(await askRaw(devnet, "reportPrices", { market: "BTC-PERP" }), 400, "VALIDATION_ERROR");
  const unknown = await askRaw(devnet, "reportPrices", { market: "NO-PERP", price: "1" });
  expectProblem(unknown, 422, "TRANSACTION_REJECTED", "MARKET_NOT_FOUND");
});

test("prices and collateral are set at once, whatever the rules say", async () => {
  const devnet = await open();
  await call(devnet, "setMarketPrices", { market: "BTC-PERP", price: "30000" });
  expect(await read(devnet, "/markets/BTC-PERP/prices")).toMatchObject({
    oracle: { value: "30000" },
    index: { value: "30000" },
    mark: { value: "30000" },
  });
  const stranger = "0x00000000000000000000000000000000000000ff";
  for (const amount of ["12.5", "0"]) {
    await call(devnet, "setCollateral", { account: stranger, amount });
    expect(await read(devnet, `/accounts/${stranger}/balances`)).toMatchObject([{ total: amount }]);
  }
  const same = await askRaw(devnet, "setCollateral", { account: stranger, amount: "0" });
  expectProblem(same, 422, "TRANSACTION_REJECTED", "NOTHING_TO_DO");
});

test("an account is given a position, both ways, and no other account takes part", async () => {
  const devnet = await open();
  const positions = async (of: string) => read(devnet, `/accounts/${of}/positions`);
  await devnet.impersonate({ account: bob }, "placeOrder", {
    ...{ market: "BTC-PERP", side: "sell", orderType: "limit", size: "1", price: "60002" },
  });
  await call(devnet, "setPosition", { account: alice, market: "BTC-PERP", size: "0.5" });
  expect(await positions(alice)).toMatchObject([{ market: "BTC-PERP", size: "0.5", entryPrice: "60000" }]);
  await call(devnet, "setPosition", { account: alice, market: "BTC-PERP", size: "-0.25", price: "60001" });
  expect(await positions(alice)).toMatchObject([{ size: "-0.25", entryPrice: "60001" }]);
  expect(await positions(COUNTERPARTY)).toMatchObject([{ size: "0.25" }]);
  expect(await positions(bob)).toEqual([]);
  for (const [body, code, reason] of [
    [{ size: "-0.25" }, "VALIDATION_ERROR", undefined],
    [{ size: "0.00001" }, "VALIDATION_ERROR", undefined],
    [{ size: "1", price: "60000.5" }, "VALIDATION_ERROR", undefined],
    [{ size: "1", price: "60002" }, "TRANSACTION_REJECTED", "NO_ROOM"],
    [{ size: "400" }, "TRANSACTION_REJECTED", "INSUFFICIENT_MARGIN"],
  ] as const) {
    const response = await askRaw(devnet, "setPosition", { account: alice, market: "BTC-PERP", ...body });
    expectProblem(response, code === "VALIDATION_ERROR" ? 400 : 422, code, reason);
  }
  // The counterparty's order of a refused trade is removed.
  expect(await read(devnet, `/accounts/${COUNTERPARTY}/orders`)).toEqual([]);
  expectProblem(
    await askRaw(devnet, "setPosition", { account: alice, market: "NO-PERP", size: "1" }),
    404,
    "NOT_FOUND",
    "UNKNOWN_MARKET",
  );
});

test("an impersonated account obeys the rules, and an authority signs its own actions", async () => {
  const devnet = await open();
  const order = { market: "BTC-PERP", side: "buy", orderType: "limit", size: "0.1", price: "59000" };
  const done = await call(devnet, "impersonate", { account: alice, action: "placeOrder", payload: order });
  expect(done).toMatchObject({ status: "committed", height: 2 });
  expect(await read(devnet, `/accounts/${alice}/orders`)).toMatchObject([{ price: "59000", remaining: "0.1" }]);
  const poor = await askRaw(devnet, "impersonate", {
    account: alice,
    action: "placeOrder",
    payload: { ...order, size: "99" },
  });
  expectProblem(poor, 422, "TRANSACTION_REJECTED", "INSUFFICIENT_MARGIN");
  await call(devnet, "signSystem", { action: "fundInsurance", payload: { amount: "5" } });
  expectProblem(await askRaw(devnet, "signSystem", { action: "placeOrder" }), 400, "VALIDATION_ERROR");
  expectProblem(await askRaw(devnet, "impersonate", { account: alice, action: "deposit" }), 400, "VALIDATION_ERROR");
  const malformed = { account: alice, action: "placeOrder", payload: { ...order, size: "1e5" } };
  expectProblem(await askRaw(devnet, "impersonate", malformed), 400, "VALIDATION_ERROR");
});

test("a transaction without a block waits, and can be dropped", async () => {
  const devnet = await open({ blocks: { mode: "manual" } });
  const waiting = await call(devnet, "reportPrices", { market: "BTC-PERP", price: "61000", mine: false });
  expect(waiting).toMatchObject({ status: "pending", height: null });
  expect(await call(devnet, "getDevnet")).toMatchObject({ pending: 1, blocks: { mode: "manual" }, epoch: 0 });
  const path = `/devnet/pending/${waiting.txId}`;
  expect(await call(devnet, "dropTransaction", undefined, path)).toEqual({ txId: waiting.txId, dropped: true });
  expect(await read(devnet, `/transactions/${waiting.txId}/confirmation`)).toMatchObject({ status: "dropped" });
  expectProblem(await askRaw(devnet, "dropTransaction", undefined, path), 404, "NOT_FOUND", "UNKNOWN_TRANSACTION");
  expect(devnet.host.pool.size).toBe(0);
});

test("snapshots nest: a revert to one drops the later ones and keeps that one", async () => {
  const devnet = await open();
  expect(await call(devnet, "takeSnapshot")).toEqual({ name: "1", height: 1 });
  await devnet.mine({ blocks: 2 });
  await call(devnet, "takeSnapshot", { name: "traded" });
  await devnet.mine();
  await call(devnet, "takeSnapshot");
  expect((await call(devnet, "listSnapshots")).map(({ name }: { name: string }) => name)).toEqual(["1", "traded", "2"]);
  expect(await call(devnet, "revert", { to: "traded" })).toEqual({ height: 3, epoch: 1 });
  expect((await call(devnet, "listSnapshots")).map(({ name }: { name: string }) => name)).toEqual(["1", "traded"]);
  expectProblem(await askRaw(devnet, "revert", { to: "2" }), 404, "NOT_FOUND", "UNKNOWN_SNAPSHOT");
  expect(await call(devnet, "revert", { to: 2 })).toEqual({ height: 2, epoch: 2 });
  expectProblem(await askRaw(devnet, "revert", { to: 9 }), 404, "NOT_FOUND", "HEIGHT_NOT_KEPT");
  expect(await call(devnet, "revert", { to: "1" })).toEqual({ height: 1, epoch: 3 });
});

// Goal: control is no second way to change the venue.
test("after every kind of operator transaction and a revert, the kept blocks lead from genesis to the same root", async () => {
  const devnet = await open();
  await devnet.setPrice("BTC-PERP", "50000");
  await devnet.setCollateral({ account: alice }, "5000000");
  await devnet.setPosition({ account: alice }, "BTC-PERP", "2");
  const { name } = devnet.snapshot();
  await devnet.setPosition({ account: alice }, "BTC-PERP", "-3");
  await devnet.revert(name);
  await devnet.impersonate({ account: bob }, "setLeverage", { market: "BTC-PERP", leverage: 3 });
  await devnet.reportPath("BTC-PERP", ["50100", "50200"], 1_000);
  await devnet.system("fundInsurance", { amount: "1" });
  await devnet.advanceToFunding("BTC-PERP");
  const { host } = devnet;
  const replay = new Simulation(createVenue(host.genesis));
  for (let height = 1; height <= host.state.height; height++) replay.apply(host.block(height)!);
  expect(computeRoot(replay.state)).toBe(computeRoot(host.state));
  const actions = Array.from({ length: host.state.height }, (_, at) => host.block(at + 1)!)
    .flatMap(({ transactions }) => transactions)
    .map(({ action }) => action);
  expect(new Set(actions)).toEqual(new Set(["oracleUpdate", "devnetSet", "devnetImpersonate", "fundInsurance"]));
});
