import { expect, test } from "vitest";
import type { ApiResponse } from "../../../../src/client/api/endpoint.ts";
import { streamActions } from "../../../../src/client/sdk/actions/streamActions.ts";
import { createVenueClient, http, inProcess } from "../../../../src/client/sdk/index.ts";
import { createDevnet, type Devnet } from "../../../../src/server/devnet/createDevnet.ts";
import { FaultPlan } from "../../../../src/server/devnet/faults/plan.ts";
import { expectProblem, JSON_HEADERS } from "../../helpers/service.ts";

const status = (devnet: Devnet) => devnet.endpoint.request({ method: "GET", path: "/api/v1/status" });

function ask(devnet: Devnet, method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<ApiResponse> {
  const sent = body === undefined ? {} : { headers: JSON_HEADERS, body: JSON.stringify(body) };
  return devnet.endpoint.request({ method, path: `/devnet/faults${path}`, ...sent });
}
const listOf = async (response: Promise<ApiResponse>) => JSON.parse((await response).body).data;

test("faults are made, listed and ended under control, which itself never fails", async () => {
  const devnet = await createDevnet();
  const made = await listOf(ask(devnet, "POST", "", { kind: "reset" }));
  expect(made).toEqual({ id: "f1", rule: { kind: "reset" }, met: 0, struck: 0 });
  await listOf(ask(devnet, "POST", "", { kind: "limited", operation: "getStatus", ms: 0 }));
  await expect(status(devnet)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(await listOf(ask(devnet, "GET", ""))).toMatchObject([
    { met: 1, struck: 1 },
    { met: 1, struck: 1 },
  ]);
  expect(await listOf(ask(devnet, "DELETE", "/f1"))).toMatchObject([{ id: "f2" }]);
  const limited = expectProblem(await status(devnet), 429, "RATE_LIMITED", "INJECTED");
  expect(limited.retryAfterMs).toBe(0);
  expectProblem(await ask(devnet, "DELETE", "/f1"), 404, "NOT_FOUND", "UNKNOWN_FAULT");
  expect(await listOf(ask(devnet, "DELETE", ""))).toEqual([]);
  expect((await status(devnet)).status).toBe(200);
});

test.each([
  { kind: "reset", channel: "book" },
  { kind: "streamGap", operation: "getStatus" },
  { kind: "reset", point: "afterSync" },
  { kind: "crash" },
  { kind: "latency" },
  { kind: "clockSkew" },
  { kind: "limited", ms: -1 },
  { kind: "limited", jitterMs: 1 },
  { kind: "streamStall" },
  { kind: "streamStall", ms: 5, operation: "getStatus" },
  { kind: "diskFull", point: "afterSync" },
  { kind: "syncFailure", file: "other" },
  { kind: "crash", point: "afterSync", file: "log" },
  { kind: "nothing" },
  { kind: "reset", probability: 2 },
  { kind: "reset", probability: "1.5" },
])("%j is no fault", async (rule) => {
  const devnet = await createDevnet();
  expectProblem(await ask(devnet, "POST", "", rule), 400, "VALIDATION_ERROR");
  expect(devnet.faults.list()).toEqual([]);
});

test("a probability is text in a request, since bodies have whole numbers alone", async () => {
  const devnet = await createDevnet();
  const made = await listOf(ask(devnet, "POST", "", { kind: "reset", probability: "0.5", seed: 3 }));
  expect(made).toMatchObject({ rule: { probability: "0.5" } });
  const plan = new FaultPlan();
  plan.add({ kind: "reset", probability: "0.5", seed: 3 });
  const struck = Array.from({ length: 400 }, () => plan.strikes(["reset"], {}).length).filter((count) => count > 0);
  expect(Math.abs(struck.length - 200)).toBeLessThan(40);
});

test("a fault skips its first occasions, strikes its number of times, and is drawn by its seed alone", () => {
  const run = (seed: number) => {
    const plan = new FaultPlan();
    plan.add({ kind: "reset", skip: 3, times: 4, probability: 0.5, seed });
    return Array.from({ length: 40 }, () => plan.strikes(["reset"], {}).length).join("");
  };
  expect(run(1)).toBe(run(1));
  expect(run(1)).not.toBe(run(2));
  expect(run(1).slice(0, 3)).toBe("000");
  expect([...run(1)].filter((struck) => struck === "1")).toHaveLength(4);
  const plan = new FaultPlan();
  plan.add({ kind: "latency", ms: 10, jitterMs: 5, probability: 1 });
  const drawn = new Set(Array.from({ length: 200 }, () => plan.strikes(["latency"], {})[0]!.ms));
  expect([...drawn].sort()).toEqual([10, 11, 12, 13, 14, 15]);
});

test("delays apply before and after a request", async () => {
  const slept: number[] = [];
  const devnet = await createDevnet({ sleep: async (ms) => void slept.push(ms) });
  for (const rule of [
    { kind: "latency", ms: 7 },
    { kind: "late", ms: 3 },
    { kind: "latency", ms: 1 },
  ] as const) {
    devnet.faults.add(rule);
  }
  expect((await status(devnet)).status).toBe(200);
  expect(slept).toEqual([8, 3]);
});

test("a skewed clock is reported, and block times do not change", async () => {
  const devnet = await createDevnet();
  const reported = async () => JSON.parse((await status(devnet)).body).data.serverTimeMs;
  const before = await reported();
  devnet.faults.add({ kind: "clockSkew", ms: -5_000 });
  expect(await reported()).toBe(before - 5_000);
  const { timeMs } = devnet.host.state;
  await devnet.mine();
  expect(devnet.host.state.timeMs).toBe(timeMs + 1_000);
});

const quote = (devnet: Devnet, count: number) =>
  devnet.impersonate({ account: devnet.accounts[0]!.address }, "placeOrder", {
    ...{ market: "BTC-PERP", side: "buy", orderType: "limit", size: "0.01", price: String(59_000 + count) },
  });

test.each(["streamGap", "streamDuplicate", "streamReorder", "streamChecksum", "streamDrop", "streamStall"] as const)(
  "a client's book is the venue's in the end, whatever %s does to its stream",
  async (kind) => {
    const devnet = await createDevnet();
    const client = createVenueClient({ transport: inProcess(devnet), retry: { baseMs: 1, mostMs: 5 } }).extend(
      streamActions,
    );
    const followed = client.followBook({ market: "BTC-PERP" });
    await followed.ready();
    const ms = kind === "streamStall" ? { ms: 4 } : {};
    devnet.faults.add({ kind, channel: "book", probability: 0.4, seed: 3, times: 6, ...ms });
    // What comes within a stall meets no other, so how many messages it takes depends on the machine.
    const struck = () => devnet.faults.list()[0]!.struck;
    for (let count = 0; count < 30 || (struck() <= 2 && count < 500); count++) {
      await quote(devnet, count);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(struck()).toBeGreaterThan(2);
    // No message may follow the last change, so the test makes one without a fault.
    devnet.faults.clear();
    await expect
      .poll(
        async () => {
          await quote(devnet, 100 + devnet.host.state.height);
          await new Promise((resolve) => setTimeout(resolve, 10));
          return followed.isReady && followed.height === devnet.host.state.height;
        },
        { timeout: 300_000 },
      )
      .toBe(true);
    const { bids } = JSON.parse(
      (await devnet.endpoint.request({ method: "GET", path: "/api/v1/markets/BTC-PERP/book?depth=50" })).body,
    ).data;
    expect(followed.book.bids.slice(0, 50)).toEqual(bids);
    followed.close();
  },
);

test("a stalled book restarts with a snapshot that has the latest change", async () => {
  const stalls: (() => void)[] = [];
  const devnet = await createDevnet({ sleep: () => new Promise((resolve) => stalls.push(resolve)) });
  const client = createVenueClient({ transport: inProcess(devnet) }).extend(streamActions);
  const followed = client.followBook({ market: "BTC-PERP" });
  await followed.ready();
  devnet.faults.add({ kind: "streamStall", channel: "book", times: 1, ms: 1 });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let count = 0; count < 3; count++) await quote(devnet, count);
  await turn();
  expect(followed.book.bids).toEqual([]);
  for (const end of stalls) end();
  await turn();
  await quote(devnet, 3);
  await turn();
  expect(followed).toMatchObject({ isReady: true, height: devnet.host.state.height, corruptions: 0 });
  expect(followed.book.bids.map(([price]) => price)).toEqual(["59003", "59002", "59001", "59000"]);
  followed.close();
});

test("faults strike streams over the network, too", async () => {
  const devnet = await createDevnet();
  const { url, socketUrl } = await devnet.listen();
  const client = createVenueClient({ transport: http(url, { socketUrl }), retry: { baseMs: 1, mostMs: 5 } }).extend(
    streamActions,
  );
  const followed = client.followBook({ market: "BTC-PERP" });
  await followed.ready();
  devnet.faults.add({ kind: "streamChecksum", times: 1 });
  await quote(devnet, 1);
  await expect.poll(() => followed.corruptions).toBe(1);
  await expect.poll(() => followed.isReady && followed.height).toBe(devnet.host.state.height);
  followed.close();
  await devnet.close();
});

// A book is paused and restarts with a snapshot. Trades must not be lost, so a client that does not read them is cut,
// and resumes.
test("a stalled client is informed, and has every trade in the end, once", async () => {
  const devnet = await createDevnet({ makers: { count: 2, seed: 5 } });
  const { url, socketUrl } = await devnet.listen();
  const client = createVenueClient({ transport: http(url, { socketUrl }), retry: { baseMs: 1, mostMs: 5 } }).extend(
    streamActions,
  );
  const [reported, cut] = [[] as string[], [] as string[]];
  const subscription = client.follow(
    { channel: "trades", market: "BTC-PERP" },
    {
      onSnapshot: ({ data }) => reported.push(...data.map(({ tradeId }) => tradeId)),
      onDelta: ({ data }) => reported.push(...data.map(({ tradeId }) => tradeId)),
      onResync: (reason) => cut.push(reason),
    },
  );
  const raw: string[] = [];
  const plain = new WebSocket(socketUrl);
  plain.onmessage = ({ data }) => raw.push(String(data));
  const closed = new Promise<number>((resolve) => {
    plain.onclose = ({ code }) => resolve(code);
  });
  await expect.poll(() => raw.length).toBe(1);
  plain.send(JSON.stringify({ op: "subscribe", id: 1, channel: "trades", market: "BTC-PERP" }));
  await expect.poll(() => raw.length).toBe(3);
  devnet.faults.add({ kind: "streamStall", channel: "trades", times: 4, ms: 2_000 });
  const trade = () =>
    devnet.impersonate({ account: devnet.accounts[0]!.address }, "placeOrder", {
      ...{ market: "BTC-PERP", side: "buy", orderType: "limit", timeInForce: "IOC", size: "0.001", price: "61000" },
    });
  for (let count = 0; count < 20; count++) {
    await trade();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(devnet.faults.list()[0]!.struck).toBe(4);
  const trades = async () => {
    const { body } = await devnet.endpoint.request({
      method: "GET",
      path: "/api/v1/markets/BTC-PERP/trades?limit=500",
    });
    return (JSON.parse(body).data as { tradeId: string }[]).map(({ tradeId }) => tradeId);
  };
  await expect.poll(async () => new Set(reported).size === (await trades()).length, { timeout: 300_000 }).toBe(true);
  expect(reported).toHaveLength(new Set(reported).size);
  expect(cut).toEqual([]);
  // One that speaks the protocol by itself reads what was sent before, then why it was cut.
  expect(await closed).toBe(4408);
  expect(raw.slice(3).map((text) => JSON.parse(text))).toMatchObject([
    { type: "delta" },
    { type: "error", code: "SLOW_CONSUMER", fatal: true },
  ]);
  subscription.close();
  await devnet.close();
});
