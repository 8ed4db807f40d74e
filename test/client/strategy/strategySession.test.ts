import { Type } from "typebox";
import { expect, test } from "vitest";
import type { BlockFacts, DataHooks } from "../../../src/client/strategy/blockFacts.ts";
import type { Context } from "../../../src/client/strategy/context.ts";
import { MarketList } from "../../../src/client/strategy/marketList.ts";
import type { HookFailure, SessionPort } from "../../../src/client/strategy/sessionPort.ts";
import type { Strategy } from "../../../src/client/strategy/strategy.ts";
import type { StrategyAccount } from "../../../src/client/strategy/strategyAccount.ts";
import type { StrategyMarket } from "../../../src/client/strategy/strategyMarket.ts";
import { StrategySession } from "../../../src/client/strategy/strategySession.ts";

const orderRules = { name: "BTC", tickSize: 1e8, lotSize: 1e6, slippageMost: 0.1 };
const FLAT = { size: 0, entry: undefined, unrealized: 0, liquidationPrice: undefined };

/** A session over a port of one market that keeps what it is given. */
function openSession(hooks: Omit<Strategy, "id" | "params">) {
  const sent: unknown[] = [];
  const reported: unknown[] = [];
  const market = { name: "BTC", orderRules, lotSize: 0.01, maxSize: 100, smallestSize: 0.5 };
  const account = { inFlight: 0, free: 1, orders: () => [], position: () => FLAT };
  const port = {
    view: { markets: new MarketList([market]), account },
    send: {
      inFlight: 0,
      hasOrderFor: () => false,
      send: (id: string, action: string, _payload: object, nowMs: number) => void sent.push([id, action, nowMs]),
    },
    report: {
      metric: (name: string, value: number, timeMs: number) => void reported.push([name, value, timeMs]),
      log: (text: string, timeMs: number) => void reported.push([text, timeMs]),
      refused: (code: string, timeMs: number) => void reported.push([code, timeMs]),
      failed: (failure: HookFailure) => Object.assign(new Error("failed"), { failure }),
    },
  } as unknown as SessionPort<StrategyMarket, StrategyAccount<StrategyMarket>>;
  const strategy = { id: "test", params: Type.Object({}), ...hooks } as Strategy;
  const session = new StrategySession({ strategy, params: {}, seed: "s", idPrefix: "x", port });
  const step = (height: number, facts: Partial<BlockFacts> = {}) => {
    session.moveTo({ height, timeMs: height * 1_000 });
    const show = (hooks: DataHooks) => {
      if (hooks.takesTrades) hooks.takeTrade({ market: "BTC", timeMs: 1, price: 1, size: 1, side: undefined });
      if (hooks.takesBars) hooks.takeBar({ market: "BTC" } as never);
    };
    session.afterBlock({ reports: [], rejections: [], ...facts }, { show });
  };
  return { session, step, sent, reported };
}

const hookNames = ["onFunding", "onFill", "onCancel", "onLiquidation", "onReject", "onTrade", "onBar"] as const;

test("after a block the hooks are called in their order; position targets are sent last", () => {
  const seen: unknown[] = [];
  const recording = Object.fromEntries(hookNames.map((name) => [name, () => void seen.push(name)]));
  const { step, sent } = openSession({
    ...recording,
    init: () => void seen.push("init"),
    onBlock(ctx: Context) {
      seen.push(`onBlock ${ctx.now.height}`);
      ctx.setPosition(1);
      ctx.cancelAll();
    },
  });
  const one = { market: "BTC", timeMs: 1 } as never;
  const facts: BlockFacts = {
    reports: [
      { kind: "funding", funding: one },
      { kind: "liquidation", liquidation: one },
      { kind: "fill", fill: one },
      { kind: "cancellation", cancellation: one },
    ],
    rejections: [{ id: "x", timeMs: 1, code: "A", market: "" }],
  };
  step(1, facts);
  step(2);
  const data = ["onTrade", "onBar"];
  const reports = ["onFunding", "onLiquidation", "onFill", "onCancel", "onReject"];
  expect(seen).toEqual(["init", ...reports, ...data, "onBlock 1", ...data, "onBlock 2"]);
  expect(sent).toEqual([
    ["x1", "cancelAll", 1_000],
    ["x2", "placeOrder", 1_000],
    ["x3", "cancelAll", 2_000],
    ["x4", "placeOrder", 2_000],
  ]);
});

test("an order of less than a lot takes an id and is rejected with the next block, before the venue's rejections", () => {
  const rejections: unknown[] = [];
  const { step, sent, reported } = openSession({
    onReject: (_ctx, rejection) => void rejections.push(rejection),
    onBlock({ now, place }) {
      // Actions work on their own, too.
      if (now.height === 1) place({ side: "buy", size: 0.001 });
      if (now.height === 1) place({ side: "buy", size: 1 });
    },
  });
  step(1);
  step(2, { rejections: [{ id: "x2", timeMs: 2_000, code: "INSUFFICIENT_MARGIN", market: "BTC" }] });
  expect(sent).toEqual([["x2", "placeOrder", 1_000]]);
  expect(reported).toEqual([["SIZE_TOO_SMALL", 1_000]]);
  expect(rejections).toEqual([
    { id: "x1", timeMs: 1_000, code: "SIZE_TOO_SMALL", smallestSize: 0.5 },
    { id: "x2", timeMs: 2_000, code: "INSUFFICIENT_MARGIN" },
  ]);
});

test("a hook that fails ends in the error of the port, with hook, block and advice", () => {
  const failing = openSession({ onBlock: (ctx) => void ctx.place({ side: "buy", size: 0.015 }) });
  const waiting = openSession({ onBar: (async () => Promise.reject(new Error("late"))) as never });
  const own = openSession({ onEnd: (ctx) => void ctx.cancel("x1") });
  const of = (call: () => void) => {
    try {
      call();
    } catch (error) {
      return (error as { failure: HookFailure }).failure;
    }
    return undefined;
  };
  expect(of(() => failing.step(7))).toMatchObject({
    strategy: "test",
    hook: "onBlock",
    height: 7,
    timeMs: 7_000,
    reason: "size 0.015 is not a multiple of 0.01",
    hint: "round it with market.roundPrice or market.roundSize",
  });
  expect(of(() => waiting.step(1))).toMatchObject({ hook: "onBar", reason: expect.stringContaining("promise") });
  expect(of(() => own.session.end())).toMatchObject({
    hook: "onEnd",
    reason: "the run has ended; nothing can be sent",
    hint: "send before onEnd",
  });
});

test("a strategy cannot reach the session by its context", () => {
  const { session } = openSession({});
  const { context } = session;
  const calls = ["moveTo", "afterBlock", "end", "takeTrade", "takeBar", "dueMs", "hasRefused", "isWaiting"];
  expect(calls.filter((name) => name in context)).toEqual([]);
  expect(calls.filter((name) => name in session)).toEqual(calls);
});

test("a market that is not there, and a metric that is no number, are refused", () => {
  const { session, reported } = openSession({});
  expect(() => session.context.place({ side: "buy", size: 1, market: "ETH" })).toThrow(
    expect.objectContaining({ code: "ORDER_INVALID", place: "market", hint: "markets are BTC" }),
  );
  expect(() => session.context.metric("gap", Number.NaN)).toThrow(expect.objectContaining({ code: "METRIC_INVALID" }));
  session.context.metric("gap", 2);
  session.context.log("seen");
  expect(reported).toEqual([
    ["gap", 2, 0],
    ["seen", 0],
  ]);
});

test("a session without recorded series, as of a service, says so where one is read", () => {
  const failures: unknown[] = [];
  const { step } = openSession({
    onBlock(ctx: Context) {
      try {
        ctx.series("oi");
      } catch (error) {
        failures.push(error);
      }
    },
  });
  step(1);
  expect(failures).toMatchObject([
    { code: "SERIES_UNKNOWN", place: "series", hint: expect.stringContaining("a service has none") },
  ]);
});
