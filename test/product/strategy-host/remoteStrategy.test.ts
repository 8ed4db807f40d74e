import { expect, test } from "vitest";
import type { HookName } from "../../../src/client/strategy/strategy.ts";
import type { BacktestResult } from "../../../src/product/backtest/backtestResult.ts";
import { isBacktestError } from "../../../src/product/backtest/errors.ts";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import type { Channel } from "../../../src/product/strategy-host/channel.ts";
import { readDefinition } from "../../../src/product/strategy-host/definition.ts";
import type { WireBar } from "../../../src/product/strategy-host/messages.ts";
import { createRemoteStrategy } from "../../../src/product/strategy-host/remoteStrategy.ts";
import { HOUR, memorySource, START, type TestEvent } from "../backtest/memorySource.ts";
import { type Ask, type Script, ScriptedClient, type Scripts } from "./scriptedClient.ts";

const BARS = 40;
const closes = Array.from({ length: BARS }, (_, bar) => 10_000 + Math.round(300 * Math.sin(bar / 3)));
const events = closes.map(
  (close, bar): TestEvent => ({
    kind: "bar",
    timeMs: START + (bar + 1) * HOUR,
    ohlc: [close, close + 20, close - 20, close],
    volume: 100,
    intervalMs: HOUR,
  }),
);
const options = () => ({ data: memorySource(events), tick: "1", lot: "0.01", latencyMs: 0 });

async function play(scripts: Scripts, hooks: readonly HookName[] = ["onBar"], batch = 16): Promise<ScriptedClient> {
  const client = new ScriptedClient(scripts);
  const strategy = createRemoteStrategy(readDefinition({ id: "scripted", hooks }), client, batch);
  await runBacktest({ ...options(), strategy });
  return client;
}

/** A strategy that asks at some bars, counted from 0. */
function at(asks: Readonly<Record<number, readonly Ask[]>>): Scripts {
  let bar = 0;
  return {
    *onBar(): Script {
      yield* asks[bar++] ?? [];
    },
  };
}

const barsOf = (client: ScriptedClient) =>
  client.seen.filter((seen) => Array.isArray(seen) && Array.isArray(seen[0])).length;

test("a strategy that does nothing gets more and more bars at once, up to the batch", async () => {
  const client = await play(at({}));
  expect(client.longest).toBe(16);
  expect(barsOf(client)).toBe(BARS);
  // The start, then 1, 2, 4, 8 and 16 bars, 8 more, and the last: until the data has ended, a longer bar may follow.
  expect(client.messages).toBe(8);
});

test("with a batch of one, every bar is a message", async () => {
  expect((await play(at({}), ["onBar"], 1)).messages).toBe(BARS + 1);
});

test("an answer belongs to the bar at which it was asked for", async () => {
  const client = await play(at({ 0: [["setPosition", 1, {}]], 20: [["prices", null]], 25: [["prices", null]] }));
  const prices = client.seen.filter((seen) => Array.isArray(seen) && seen.length === 5 && typeof seen[2] === "number");
  expect(prices.map((price) => (price as number[])[2])).toEqual([closes[20], closes[25]]);
});

test("reads leave the bars that were sent, an action drops them", async () => {
  const reads = await play(at(Object.fromEntries(closes.map((_, bar) => [bar, [["account"]]]))));
  expect(reads.longest).toBe(16);
  const acts = await play(at(Object.fromEntries(closes.map((_, bar) => [bar, [["setLeverage", 1, null]]]))));
  expect(acts.longest).toBeLessThanOrEqual(2);
  expect(barsOf(acts)).toBe(BARS);
});

test("an order that rests is in the venue before the next bar is shown", async () => {
  const client = await play(at({ 0: [["place", { side: "buy", size: 0.5, price: 9_500 }]], 2: [["orders", null]] }));
  expect(client.seen).toContainEqual([expect.objectContaining({ side: "buy", price: 9_500, remaining: 0.5 })]);
});

test("a call that cannot be carried out is an answer, and the strategy continues", async () => {
  const client = await play(at({ 1: [["place", { side: "buy", size: 1.005 }]], 3: [["log", "still here"]] }));
  expect(client.seen).toContainEqual(expect.objectContaining({ code: "ORDER_INVALID", place: "size" }));
  expect(barsOf(client)).toBe(BARS);
});

test("a hook that fails ends the run at its bar, with the result up to there", async () => {
  const client = new ScriptedClient(at({ 0: [["setPosition", 1, {}]], 30: [["raise"]] }));
  const strategy = createRemoteStrategy(readDefinition({ id: "scripted", hooks: ["onBar"] }), client, 16);
  const error = await runBacktest({ ...options(), strategy }).catch((thrown: unknown) => thrown);
  if (!isBacktestError(error, "STRATEGY_FAILED")) throw error;
  expect(error.message).toContain("it failed");
  expect(error.hint).toContain("/script.py:1:1");
  expect((error.result as BacktestResult).stopped).toMatchObject({
    reason: "strategyFailed",
    timeMs: START + 31 * HOUR,
  });
});

test.each<readonly [string, unknown[], string]>([
  ["no list", ["nothing"], "a message is a list"],
  ["an unknown tag", [["thanks", 0]], "expected ask, done or raise"],
  ["no place", [["done"]], "the place of the bar is missing"],
  ["a place that no bar has", [["done", 3]], "there is no bar 3"],
  [
    "a place before the present bar",
    [
      ["ask", 0, "account", []],
      ["done", -1],
    ],
    "there is no bar -1",
  ],
  ["a call that there is not", [["ask", 0, "withdraw", []]], 'there is no call "withdraw"'],
  ["a member of every object as a call", [["ask", 0, "constructor", []]], 'there is no call "constructor"'],
  ["arguments that are no list", [["ask", 0, "account", {}]], "expected ask, done or raise"],
])("%s ends the run", async (_name, replies, reason) => {
  const left = [...replies];
  const channel: Channel = { send: () => undefined, receive: () => left.shift() };
  const strategy = createRemoteStrategy(readDefinition({ id: "scripted", hooks: ["onBar"] }), channel);
  await expect(runBacktest({ ...options(), strategy })).rejects.toThrow(reason);
});

test.each<readonly [string, unknown, string]>([
  ["no map", 3, "strategy is a map"],
  ["an unknown field", { id: "a", hooks: [], speed: 1 }, "no field speed"],
  ["an unknown hook", { id: "a", hooks: ["onMoon"] }, 'no hook "onMoon"'],
  ["a parameter of no type", { id: "a", hooks: [], params: { x: { type: "date", default: 1 } } }, "has the type"],
  ["an unknown field of a parameter", { id: "a", hooks: [], params: { x: { typ: "x" } } }, "has no field typ"],
])("a definition with %s is refused", (_name, given, reason) => {
  expect(() => readDefinition(given)).toThrow(reason);
});

test("parameters are checked by their bounds and choices", async () => {
  const definition = readDefinition({
    id: "a",
    hooks: ["onBar"],
    params: {
      size: { type: "number", default: 1, exclusiveMinimum: 0 },
      mode: { type: "string", default: "fast", choices: ["fast", "slow"] },
    },
  });
  const start = async (params: Record<string, string | number>) => {
    const client = new ScriptedClient({});
    await runBacktest({ ...options(), strategy: createRemoteStrategy(definition, client), params });
    return client.seen[0];
  };
  await expect(start({ size: 0 })).rejects.toThrow("parameter size cannot be 0");
  await expect(start({ mode: "medium" })).rejects.toThrow("parameter mode cannot be");
  expect(await start({ mode: "slow" })).toEqual([
    "start",
    { size: 1, mode: "slow" },
    expect.anything(),
    expect.anything(),
  ]);
});

test("bars keep their decimals on the way", async () => {
  const bars: WireBar[] = [];
  await play({
    *onBar(bar): Script {
      bars.push(bar);
      yield ["log", `${bar[6]}`];
    },
  });
  expect(bars.map((bar) => bar[6])).toEqual(closes);
});
