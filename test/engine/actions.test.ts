/**
 * Every action: accepted, and rejected for each of its reasons. One table per action of (reason, story); a last test
 * compares what the tables reached with the lists of codes, so that a new code without a test fails here.
 */
import { afterAll, describe, expect, test } from "vitest";
import { applyBlock } from "../../src/engine/applyBlock.ts";
import { writeCanonical } from "../../src/engine/commitment/canonical.ts";
import { readEvents } from "../../src/engine/events/readEvents.ts";
import { forkState, type State } from "../../src/engine/state/state.ts";
import { ACTION_NAMES, type ActionName, type Payloads } from "../../src/protocol/actions/index.ts";
import { EVENT_KINDS } from "../../src/protocol/events.ts";
import { HOUSE_STEP } from "../../src/protocol/houseSteps.ts";
import { INVALID_NAMES, REJECTION_NAMES, type RejectionCode } from "../../src/protocol/rejections.ts";
import { SIDE } from "../../src/protocol/words.ts";
import { addressOf, type IntentOptions, Reached, type Step, TestVenue, type VenueOptions } from "../helpers/venue.ts";

const reached = new Reached();

/** Alice and bob with 1,000 each, a house, a market at 100. */
const open = (options: VenueOptions = {}) =>
  new TestVenue(
    {
      accounts: { alice: "1000", "alice/1": "0", bob: "1000" },
      house: { house: "0" },
      prices: { TEST: "100" },
      ...options,
    },
    reached,
  );

/** Alice's deficit is left to bob, who has lost elsewhere: nobody insures, and withdrawals are paused. */
const uncovered = () => {
  const markets = { TEST: {}, MORE: { tickSize: "0.01" } };
  const v = open({ accounts: { alice: "100", bob: "200" }, markets, prices: { TEST: "100", MORE: "10" } });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  v.do(v.sell("house", "100", "10", { market: "MORE" }), v.buy("bob", "100", "10", { market: "MORE" }));
  v.do(v.price("85"), v.price("7.35", { market: "MORE" }));
  v.do(v.deposit("bob", "1000"));
  return v;
};

/** Alice long 5 at 100 against bob, whose other orders are gone. */
const long = (options: VenueOptions = {}) => {
  const v = open(options);
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
  return v;
};

/** The canonical form without what a rejected transaction may touch: nonces and the count of committed transactions. */
function formWithoutNonces(state: State): string {
  const copy = forkState(state);
  copy.consumed = 1;
  copy.authorityNonces.fill(0);
  for (const lane of ["nonceTrading", "nonceRisk", "nonceFunds", "nonceAdmin"] as const) {
    (copy.accounts[lane] as unknown as Float64Array).fill(0);
  }
  return Buffer.from(writeCanonical(copy)).toString("hex");
}

/** Runs a step that must be refused with a code, and shows that it changed nothing but its nonce (NON-3). */
function refused(v: TestVenue, step: Step, code: string): void {
  const idle = forkState(v.state);
  const timeMs = v.state.timeMs + 1000;
  applyBlock(idle, { height: idle.height + 1, timeMs, transactions: [] });
  const story = v.runAt(timeMs, step);
  expect(story.outcomes).toEqual([code]);
  expect(formWithoutNonces(v.state)).toBe(formWithoutNonces(idle));
  const committed = (REJECTION_NAMES as string[]).includes(code);
  expect(story.receipts[0]!.nonceConsumed).toBe(committed);
  expect(story.receipts[0]!.results).toBeUndefined();
  const { eventsFrom, eventsTo } = story.receipts[0]!;
  const events = readEvents(v.state.events.data, eventsFrom, eventsTo);
  expect(events.map(({ kind }) => kind)).toEqual(committed ? ["nonceAdvanced"] : []);
}

type Case = [code: RejectionCode, why: string, story: (v: TestVenue) => Step, start?: () => TestVenue];

function refusals(action: ActionName, cases: readonly Case[]): void {
  describe(`${action} is rejected`, () => {
    test.each(cases)("%s: %s", (code, _why, story, start = open) => {
      const v = start();
      const step = story(v);
      expect(step.action).toBe(action);
      refused(v, step, code);
    });
  });
}

const status = (name: Parameters<TestVenue["status"]>[0]) => () => {
  const v = long();
  v.do(v.status(name));
  return v;
};
const paused = (operation: string) => () => {
  const v = long();
  v.do(v.update({ [operation]: "on" }));
  return v;
};
const noPrice = () => open({ prices: {} });
const limits = (texts: Record<string, string>) => () => long({ markets: { TEST: texts } });
/** Oracle marks: the raw oracle has run away from the clamped index. */
const frozen = () => {
  const v = open({ markets: { TEST: { markMethod: "oracle" } } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
  v.do(v.sell("bob", "1", "102", { client: "rest" }));
  v.do(v.price("110"));
  return v;
};

/** Oracle marks, and no report for longer than they stay fresh. */
const stale = () => {
  const v = open({ markets: { TEST: { markMethod: "oracle", oracleStale: "10000" } } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
  v.runAt(v.state.timeMs + 10_001);
  return v;
};
/** As long a time between two blocks as the market does not trade over. */
const gap = () => {
  const v = open({ markets: { TEST: { markMethod: "oracle", blockGap: "10000" } } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"), v.buy("alice", "1", "90", { client: "rest" }));
  v.runAt(v.state.timeMs + 10_001);
  return v;
};

refusals("placeOrder", [
  ["MARKET_GAP", "it waits for a fresh price", (v) => v.buy("alice", "1", "100"), gap],
  ["PRICE_NOT_VALID", "the price is stale", (v) => v.buy("alice", "1", "100"), stale],
  ["MARKET_NOT_FOUND", "no such market", (v) => v.buy("alice", "1", "100", { market: "NONE" })],
  ["MARKET_CLOSED", "halted", (v) => v.buy("alice", "1", "100"), status("halted")],
  [
    "MARKET_CLOSED",
    "reduce-only market, order that may increase",
    (v) => v.sell("alice", "1", "100"),
    status("reduceOnly"),
  ],
  ["OPERATION_PAUSED", "trading is paused", (v) => v.buy("alice", "1", "100"), paused("pauseTrade")],
  [
    "MARKET_CLOSED",
    "post-only market, order that may take",
    (v) => v.sell("alice", "1", "100"),
    () => open({ markets: { TEST: { status: "postOnly" } } }),
  ],
  [
    "MARKET_CLOSED",
    "cancel-only market",
    (v) => v.sell("alice", "1", "100", { reduceOnly: true }),
    status("cancelOnly"),
  ],
  ["PRICE_UNAVAILABLE", "no reference price yet", (v) => v.buy("alice", "1", "100"), noPrice],
  ["PRICE_REQUIRED", "limit order without a price", (v) => v.order("alice", "buy", "1", undefined)],
  [
    "PRICE_REQUIRED",
    "market order with neither price nor bound",
    (v) => v.order("alice", "buy", "1", undefined, { type: "market" }),
  ],
  ["EXPIRY_MISMATCH", "GTT without an expiry", (v) => v.buy("alice", "1", "99", { tif: "GTT" })],
  ["EXPIRY_PASSED", "height behind", (v) => v.buy("alice", "1", "99", { tif: "GTT", height: v.state.height })],
  [
    "PRICE_REQUIRED",
    "slippage below zero",
    (v) => v.order("alice", "buy", "1", undefined, { type: "market", slippage: "-0.01" }),
  ],
  [
    "SLIPPAGE_TOO_LARGE",
    "a billionth above 10 %",
    (v) => v.order("alice", "buy", "1", undefined, { type: "market", slippage: "0.100000001" }),
  ],
  ["SIZE_NOT_POSITIVE", "size zero", (v) => v.buy("alice", "0", "100")],
  ["OFF_LOT", "half a lot", (v) => v.buy("alice", "0.5", "100")],
  ["OFF_TICK", "half a tick", (v) => v.buy("alice", "1", "100.5")],
  [
    "NUMERIC_LIMIT",
    "price above 2^31 - 1 ticks",
    (v) => v.buy("alice", "1", "21474836.48"),
    limits({ tickSize: "0.01" }),
  ],
  ["NUMERIC_LIMIT", "value beyond what is storable", (v) => v.buy("alice", "9000000", "1000")],
  ["SIZE_TOO_SMALL", "one below the smallest", (v) => v.buy("alice", "1", "100"), limits({ minSize: "2" })],
  ["SIZE_TOO_LARGE", "one above the largest", (v) => v.buy("alice", "7", "100"), limits({ maxSize: "6" })],
  ["NOTIONAL_TOO_SMALL", "a tick short", (v) => v.buy("alice", "3", "99"), limits({ minNotional: "300" })],
  ["PRICE_OUT_OF_BAND", "above", (v) => v.buy("alice", "1", "121")],
  ["PRICE_OUT_OF_BAND", "below", (v) => v.buy("alice", "1", "79")],
  [
    "CLIENT_ORDER_ID_USED",
    "of an open order",
    (v) => {
      v.do(v.buy("alice", "1", "90", { client: "mine" }));
      return v.buy("alice", "1", "91", { client: "mine" });
    },
  ],
  [
    "OPEN_ORDERS_LIMIT",
    "one more than allowed",
    (v) => {
      v.do(v.buy("alice", "1", "90"), v.buy("alice", "1", "91"));
      return v.buy("alice", "1", "92");
    },
    limits({ openOrdersMax: "2" }),
  ],
  ["REDUCE_ONLY_WOULD_INCREASE", "no position", (v) => v.buy("alice", "1", "100", { reduceOnly: true })],
  [
    "REDUCE_ONLY_WOULD_INCREASE",
    "the position's own side",
    (v) => v.buy("alice", "1", "100", { reduceOnly: true }),
    long,
  ],
  ["POST_ONLY_WITH_TAKING", "with IOC", (v) => v.buy("alice", "1", "100", { postOnly: true, tif: "IOC" })],
  ["POST_ONLY_WITH_TAKING", "with FOK", (v) => v.buy("alice", "1", "100", { postOnly: true, tif: "FOK" })],
  ["POST_ONLY_WITH_TAKING", "a market order", (v) => v.buy("alice", "1", "100", { postOnly: true, type: "market" })],
  [
    "POST_ONLY_WOULD_TAKE",
    "at the best price of the other side",
    (v) => {
      v.do(v.sell("bob", "1", "101"));
      return v.buy("alice", "1", "101", { postOnly: true });
    },
  ],
  ["EXPOSURE_FROZEN", "the oracle is beyond the clamped index", (v) => v.buy("alice", "1", "100"), frozen],
  [
    "INSUFFICIENT_MARGIN",
    "a unit short",
    (v) => v.buy("alice", "100", "100"),
    () => open({ accounts: { alice: "999.999999" } }),
  ],
]);

refusals("placeOrders", [
  ["NOTHING_TO_DO", "no orders", (v) => v.batch("alice", "each")],
  [
    "MARKET_NOT_FOUND",
    "all, one of them elsewhere",
    (v) => v.batch("alice", "all", v.buy("", "1", "99", { market: "NONE" })),
  ],
  ["ORDER_KILLED", "all, nothing to fill", (v) => v.batch("alice", "all", v.buy("", "1", "99", { tif: "FOK" }))],
]);

refusals("scheduleCancel", [
  ["NOTHING_TO_DO", "nothing to take back", (v) => v.schedule("alice", 0)],
  ["TIME_TOO_SOON", "a millisecond less than 5 s ahead", (v) => v.schedule("alice", v.state.timeMs + 1000 + 4_999)],
]);

refusals("amendOrder", [
  ["ORDER_NOT_FOUND", "no such id", (v) => v.amend("alice", 999, { size: "1" })],
  ["ORDER_NOT_FOUND", "no such client id", (v) => v.amend("alice", 0, { client: "none", size: "1" })],
  ["ORDER_NOT_FOUND", "named by nothing", (v) => v.amend("alice", 0, { size: "1" })],
  ["NOT_ORDER_OWNER", "another's", (v) => v.amend("alice", v.place(v.buy("bob", "2", "90")), { size: "1" })],
  [
    "NOT_ORDER_OWNER",
    "another subaccount's of the same owner",
    (v) => {
      v.do(v.transfer("alice", "alice/1", "100"));
      return v.amend("alice", v.place(v.buy("alice/1", "2", "90")), { size: "1" });
    },
  ],
  ["MARKET_CLOSED", "to a larger size in a halted market", (v) => halt(v, "halted", { size: "3" })],
  [
    "OPERATION_PAUSED",
    "to a larger size while trading is paused",
    (v) => {
      const id = v.place(v.buy("alice", "2", "90"));
      v.do(v.update({ pauseTrade: "on" }));
      return v.amend("alice", id, { size: "3" });
    },
  ],
  [
    "NOTHING_TO_DO",
    "to what it is",
    (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { size: "2", price: "90" }),
  ],
  ["NOTHING_TO_DO", "to nothing", (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), {})],
  ["OFF_LOT", "half a lot", (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { size: "1.5" })],
  ["OFF_TICK", "half a tick", (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { price: "90.5" })],
  [
    "NUMERIC_LIMIT",
    "value beyond what is storable",
    (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { size: "90000000" }),
  ],
  [
    "SIZE_TOO_SMALL",
    "below the smallest",
    (v) => v.amend("alice", v.place(v.buy("alice", "3", "90")), { size: "1" }),
    limits({ minSize: "2" }),
  ],
  [
    "SIZE_TOO_LARGE",
    "above the largest",
    (v) => v.amend("alice", v.place(v.buy("alice", "3", "90")), { size: "7" }),
    limits({ maxSize: "6" }),
  ],
  [
    "NOTIONAL_TOO_SMALL",
    "below the smallest",
    (v) => v.amend("alice", v.place(v.buy("alice", "4", "100")), { size: "2" }),
    limits({ minNotional: "300" }),
  ],
  [
    "PRICE_OUT_OF_BAND",
    "above the band",
    (v) => v.amend("alice", v.place(v.buy("alice", "2", "90")), { price: "121" }),
  ],
  [
    "EXPOSURE_FROZEN",
    "while the oracle runs away",
    (v) => v.amend("bob", v.state.orders.id[0 as never]!, { size: "2" }),
    frozen,
  ],
  [
    "INSUFFICIENT_MARGIN",
    "a lot too many",
    (v) => v.amend("alice", v.place(v.buy("alice", "100", "100")), { size: "101" }),
  ],
]);

/** Amends an order of alice in a market whose status changed after it rested. */
function halt(v: TestVenue, name: Parameters<TestVenue["status"]>[0], change: { size?: string; price?: string }): Step {
  const id = v.place(v.buy("alice", "2", "90"));
  v.do(v.status(name));
  return v.amend("alice", id, change);
}

refusals("cancelOrder", [
  ["ORDER_NOT_FOUND", "no such id", (v) => v.cancel("alice", 4711)],
  [
    "ORDER_NOT_FOUND",
    "cancelled before",
    (v) => {
      const id = v.place(v.buy("alice", "1", "90"));
      v.do(v.cancel("alice", id));
      return v.cancel("alice", id);
    },
  ],
  ["NOT_ORDER_OWNER", "another's", (v) => v.cancel("alice", v.place(v.buy("bob", "1", "90")))],
]);

const cancelMany = (v: TestVenue, orderIds: number[], clientOrderIds: string[] = []) =>
  v.act("alice", "cancelOrders", { orderIds, clientOrderIds } as unknown as Payloads["cancelOrders"]);

refusals("cancelOrders", [["NOTHING_TO_DO", "of none", (v) => cancelMany(v, [])]]);
refusals("cancelAll", [["MARKET_NOT_FOUND", "no such market", (v) => v.cancelAll("alice", "NONE")]]);

const stop = (v: TestVenue, more: IntentOptions = {}) =>
  v.intent("alice", "stop", { side: "sell", size: "1", trigger: "95", ...more });
const twap = (v: TestVenue, more: IntentOptions = {}) =>
  v.intent("alice", "twap", { side: "buy", size: "4", duration: 4000, interval: 1000, ...more });
const LEGS = [
  { kind: "takeProfit", trigger: "110" },
  { kind: "stop", trigger: "95" },
] as const;
const bracket = (v: TestVenue, more: IntentOptions = {}) =>
  v.intent("alice", "otoco", {
    side: "buy",
    size: "1",
    orderType: "limit",
    price: "99",
    reduceOnly: true,
    legs: LEGS,
    ...more,
  });

refusals("placeIntent", [
  ["MARKET_NOT_FOUND", "no such market", (v) => stop(v, { market: "NONE" })],
  ["MARKET_NOT_FOUND", "no such market for an entry", (v) => bracket(v, { market: "NONE" })],
  ["MARKET_CLOSED", "settling", (v) => stop(v), status("settling")],
  ["MARKET_CLOSED", "an entry while halted", (v) => bracket(v), status("halted")],
  ["INTENT_MALFORMED", "a stop without a trigger", (v) => stop(v, { trigger: "" })],
  ["INTENT_MALFORMED", "a stop that trails", (v) => stop(v, { trail: "1" })],
  ["INTENT_MALFORMED", "a stop with legs", (v) => stop(v, { legs: LEGS })],
  ["INTENT_MALFORMED", "a stop with a duration", (v) => stop(v, { duration: 1 })],
  ["INTENT_MALFORMED", "a stop with an interval", (v) => stop(v, { interval: 1 })],
  ["INTENT_MALFORMED", "size and share", (v) => stop(v, { fraction: "1", reduceOnly: true })],
  [
    "INTENT_MALFORMED",
    "more than all of the position",
    (v) => stop(v, { size: "", fraction: "1.1", reduceOnly: true }),
  ],
  ["INTENT_MALFORMED", "a share that may increase", (v) => stop(v, { size: "", fraction: "1" })],
  ["INTENT_MALFORMED", "a share of an entry", (v) => bracket(v, { size: "", fraction: "1" })],
  ["INTENT_MALFORMED", "nothing to trail by", (v) => v.intent("alice", "trailingStop", { size: "1" })],
  [
    "INTENT_MALFORMED",
    "two distances",
    (v) => v.intent("alice", "trailingStop", { size: "1", trail: "1", trailRate: "0.1" }),
  ],
  ["INTENT_MALFORMED", "a distance of all", (v) => v.intent("alice", "trailingStop", { size: "1", trailRate: "1" })],
  [
    "INTENT_MALFORMED",
    "a trailing stop with a trigger",
    (v) => v.intent("alice", "trailingStop", { size: "1", trail: "1", trigger: "9" }),
  ],
  ["INTENT_MALFORMED", "one leg of two", (v) => bracket(v, { legs: LEGS.slice(0, 1) })],
  ["INTENT_MALFORMED", "a group with a trigger of its own", (v) => bracket(v, { trigger: "95" })],
  ["INTENT_MALFORMED", "a group that trails itself", (v) => bracket(v, { trailRate: "0.1" })],
  [
    "INTENT_MALFORMED",
    "a leg without a trigger",
    (v) => bracket(v, { legs: [{ kind: "stop" }, { kind: "stop", trigger: "95" }] }),
  ],
  [
    "INTENT_MALFORMED",
    "a pair with a price of its own",
    (v) => v.intent("alice", "oco", { size: "1", price: "99", legs: LEGS }),
  ],
  ["INTENT_MALFORMED", "a schedule with a trigger", (v) => twap(v, { trigger: "95" })],
  ["INTENT_MALFORMED", "a schedule that trails", (v) => twap(v, { trail: "1" })],
  ["INTENT_MALFORMED", "a schedule of limit orders", (v) => twap(v, { orderType: "limit", price: "99" })],
  ["INTENT_MALFORMED", "a schedule without an interval", (v) => twap(v, { interval: 0 })],
  ["INTENT_MALFORMED", "a schedule without a duration", (v) => twap(v, { duration: 0 })],
  ["INTENT_MALFORMED", "a duration of no whole number of intervals", (v) => twap(v, { duration: 4001 })],
  ["PRICE_UNAVAILABLE", "no mark yet", (v) => stop(v), noPrice],
  [
    "PRICE_UNAVAILABLE",
    "nothing traded that a stop could trail",
    (v) => v.intent("alice", "trailingStop", { size: "1", trail: "1", source: "last" }),
  ],
  ["PRICE_REQUIRED", "a limit order without a price", (v) => stop(v, { orderType: "limit" })],
  ["PRICE_REQUIRED", "a market order without a bound", (v) => stop(v, { slippage: "" })],
  ["EXPIRY_MISMATCH", "an order good till nothing", (v) => stop(v, { timeInForce: "GTT" })],
  ["EXPIRY_MISMATCH", "an entry good till nothing", (v) => bracket(v, { timeInForce: "GTT" })],
  ["EXPIRY_PASSED", "a last height behind", (v) => stop(v, { goodTilHeight: 1 })],
  ["EXPIRY_PASSED", "a last time behind", (v) => stop(v, { goodTilTime: 1 })],
  ["SLIPPAGE_TOO_LARGE", "above the market's most", (v) => stop(v, { slippage: "0.100000001" })],
  ["SIZE_NOT_POSITIVE", "nothing", (v) => stop(v, { size: "" })],
  ["OFF_LOT", "half a lot", (v) => stop(v, { size: "0.5" })],
  ["OFF_TICK", "between ticks", (v) => stop(v, { orderType: "limit", price: "94.5" })],
  [
    "NUMERIC_LIMIT",
    "a price beyond what is storable",
    (v) => stop(v, { price: "89000000", size: "1" }),
    () => open({ markets: { TEST: { tickSize: "0.01", lotSize: "1" } } }),
  ],
  ["SIZE_TOO_SMALL", "below the market's least", (v) => stop(v), limits({ minSize: "2" })],
  ["SIZE_TOO_SMALL", "slices of less than a lot", (v) => twap(v, { size: "3" })],
  ["SIZE_TOO_LARGE", "above the market's largest", (v) => stop(v, { size: "6" }), limits({ maxSize: "5" })],
  ["TRIGGER_PASSED", "a stop at the mark", (v) => stop(v, { trigger: "100" })],
  [
    "TRIGGER_PASSED",
    "a take-profit at the index",
    (v) => v.intent("alice", "takeProfit", { size: "1", trigger: "100", source: "index" }),
  ],
  [
    "TRIGGER_PASSED",
    "a distance of the whole price",
    (v) => v.intent("alice", "trailingStop", { size: "1", trail: "100" }),
  ],
  [
    "INTENTS_LIMIT",
    "one more than the venue allows",
    (v) => {
      v.do(stop(v));
      return v.intent("alice", "oco", { size: "1", legs: LEGS });
    },
    () => open({ genesis: { intentsMax: 2 } }),
  ],
  ["REDUCE_ONLY_WOULD_INCREASE", "no position", (v) => stop(v, { reduceOnly: true })],
  [
    "REDUCE_ONLY_WOULD_INCREASE",
    "on the position's own side",
    (v) => stop(v, { side: "buy", trigger: "105", reduceOnly: true }),
    long,
  ],
  ["INSUFFICIENT_MARGIN", "an entry too large", (v) => bracket(v, { size: "1000" })],
  [
    "POST_ONLY_WITH_TAKING",
    "an entry at the market that may only make",
    (v) => bracket(v, { orderType: "market", price: "", slippage: "0.01", postOnly: "reject" }),
  ],
]);

refusals("cancelIntent", [
  ["INTENT_NOT_FOUND", "no such id", (v) => v.cancelIntent("alice", 4711)],
  ["INTENT_NOT_FOUND", "no such name", (v) => v.cancelIntent("alice", 0, "mine")],
  ["INTENT_NOT_FOUND", "no id and no name", (v) => v.cancelIntent("alice", 0)],
  ["NOT_INTENT_OWNER", "another's", (v) => v.cancelIntent("bob", v.place(stop(v)))],
]);

test("an intent is taken at its bounds", () => {
  const v = long({ genesis: { intentsMax: 6 } });
  v.do(stop(v, { trigger: "99.99999999", slippage: "0.1" }));
  v.do(stop(v, { size: "", fraction: "1", reduceOnly: true }), twap(v), bracket(v));
  v.do(v.cancelIntent("alice", v.place(stop(v))));
  expect(v.intents("alice")).toHaveLength(5);
});

refusals("closePosition", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.close("alice", { market: "NONE", slippage: "0.01" })],
  ["MARKET_CLOSED", "halted", (v) => v.close("alice", { slippage: "0.01" }), status("halted")],
  ["OPERATION_PAUSED", "trading is paused", (v) => v.close("alice", { slippage: "0.01" }), paused("pauseTrade")],
  ["POSITION_NOT_FOUND", "no position", (v) => v.close("alice", { slippage: "0.01" })],
  ["PRICE_REQUIRED", "no bound", (v) => v.close("alice", {}), long],
  ["SLIPPAGE_TOO_LARGE", "above the market's most", (v) => v.close("alice", { slippage: "0.2" }), long],
  ["OFF_LOT", "half a lot", (v) => v.close("alice", { size: "0.5", slippage: "0.01" }), long],
  ["OFF_TICK", "half a tick", (v) => v.close("alice", { price: "99.5" }), long],
  [
    "NUMERIC_LIMIT",
    "price above 2^31 - 1 ticks",
    (v) => v.close("alice", { price: "21474836.48" }),
    limits({ tickSize: "0.01" }),
  ],
  ["PRICE_OUT_OF_BAND", "below the band", (v) => v.close("alice", { price: "70" }), long],
  [
    "CLIENT_ORDER_ID_USED",
    "of an open order",
    (v) => {
      v.do(v.sell("alice", "1", "110", { client: "mine" }));
      return v.close("alice", { slippage: "0.01", client: "mine" });
    },
    long,
  ],
  [
    "INSUFFICIENT_MARGIN",
    "would sell below what margin bears",
    (v) => {
      // 100 at 100 with 1,000; at 96, 600 is above maintenance 480: selling all at 87 would cost 900 more than the mark.
      v.do(v.sell("bob", "100", "100"), v.buy("alice", "100", "100"));
      v.do(v.price("96"));
      return v.close("alice", { price: "87" });
    },
  ],
]);

refusals("setLeverage", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.leverage("alice", 2, "NONE")],
  [
    "NOTHING_TO_DO",
    "what it is",
    (v) => {
      v.do(v.leverage("alice", 3));
      return v.leverage("alice", 3);
    },
  ],
  ["LEVERAGE_OUT_OF_RANGE", "zero", (v) => v.leverage("alice", 0)],
  ["LEVERAGE_OUT_OF_RANGE", "one above the first tier's", (v) => v.leverage("alice", 11)],
  [
    "INSUFFICIENT_MARGIN",
    "needs more than there is",
    (v) => {
      v.do(v.sell("bob", "50", "100"), v.buy("alice", "50", "100"));
      return v.leverage("alice", 4);
    },
  ],
]);

refusals("setMarginMode", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.mode("alice", "isolated", "NONE")],
  ["MARGIN_MODE_FIXED", "of the house", (v) => v.mode("house", "isolated")],
  [
    "MARKET_IN_USE",
    "with an open order",
    (v) => {
      v.do(v.buy("alice", "1", "90"));
      return v.mode("alice", "isolated");
    },
  ],
  [
    "MARKET_IN_USE",
    "with an intent",
    (v) => {
      v.do(v.intent("alice", "stop", { side: "buy", size: "1", trigger: "120", slippage: "0.1" }));
      return v.mode("alice", "isolated");
    },
  ],
  ["NOTHING_TO_DO", "what it is", (v) => v.mode("alice", "cross")],
  [
    "INSUFFICIENT_FREE_COLLATERAL",
    "more than is free",
    (v) => {
      v.do(v.sell("bob", "100", "100"), v.buy("alice", "100", "100"));
      v.do(v.price("99.9"));
      return v.mode("alice", "isolated");
    },
  ],
  [
    "INSUFFICIENT_MARGIN",
    "back to a cross that could not carry it",
    (v) => {
      v.do(v.mode("alice", "isolated"));
      v.do(v.sell("bob", "100", "100"), v.buy("alice", "100", "100"));
      v.do(v.price("99.9"));
      return v.mode("alice", "cross");
    },
  ],
]);

refusals("adjustIsolatedMargin", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.adjust("alice", "add", "1", "NONE")],
  ["POSITION_NOT_ISOLATED", "no position", (v) => v.adjust("alice", "add", "1")],
  [
    "POSITION_NOT_ISOLATED",
    "isolated, but flat",
    (v) => {
      v.do(v.mode("alice", "isolated"));
      return v.adjust("alice", "add", "1");
    },
  ],
  ...(
    [
      ["NOTHING_TO_DO", "0"],
      ["NUMERIC_LIMIT", "3000000000"],
      ["INSUFFICIENT_FREE_COLLATERAL", "900.1"],
    ] as const
  ).map(([code, text]): [RejectionCode, string, (v: TestVenue) => Step] => [
    code,
    text,
    (v) => {
      v.do(v.mode("alice", "isolated"));
      v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
      return v.adjust("alice", "add", text);
    },
  ]),
]);

refusals("transfer", [
  ["OPERATION_PAUSED", "withdrawals are paused", (v) => v.transfer("alice", "bob", "1"), paused("pauseWithdraw")],
  ["NOTHING_TO_DO", "nothing", (v) => v.transfer("alice", "bob", "0")],
  ["SAME_ACCOUNT", "to itself", (v) => v.transfer("alice", "alice", "1")],
  [
    "NUMERIC_LIMIT",
    "beyond what an account may hold",
    (v) => v.transfer("alice", "bob", "1"),
    () => open({ accounts: { alice: "10", bob: "2250000000" } }),
  ],
  ["INSUFFICIENT_FREE_COLLATERAL", "a unit too much", (v) => v.transfer("alice", "bob", "1000.000001")],
]);

refusals("withdraw", [
  ["OPERATION_PAUSED", "withdrawals are paused", (v) => v.withdraw("alice", "1"), paused("pauseWithdraw")],
  ["MARKET_GAP", "a market of the account waits for a fresh price", (v) => v.withdraw("alice", "1"), gap],
  ["PRICE_NOT_VALID", "the price of a market of the account is stale", (v) => v.withdraw("alice", "1"), stale],
  ["NOTHING_TO_DO", "nothing", (v) => v.withdraw("alice", "0")],
  ["INSUFFICIENT_FREE_COLLATERAL", "a unit too much", (v) => v.withdraw("alice", "1000.000001")],
  [
    "OUTFLOW_LIMIT",
    "a unit more than may leave the venue",
    (v) => v.withdraw("alice", "5.000001"),
    () => open({ genesis: { outflow: { hourly: { amount: "5" } } } }),
  ],
  ["WITHDRAWALS_PAUSED", "a deficit was not covered", (v) => v.withdraw("bob", "1"), uncovered],
]);

refusals("oracleUpdate", [
  ["SOURCE_NOT_FOUND", "the market names no sources", (v) => v.report({ nobody: "100" })],
  [
    "PRICE_NOT_VALID",
    "a source reports nothing",
    (v) => v.report({ a: "0" }),
    () => {
      const v = open({ markets: { TEST: { sources: "a:1" } }, prices: {} });
      v.do(v.report({ a: "100" }));
      return v;
    },
  ],
  ["MARKET_NOT_FOUND", "no such market", (v) => v.price("100", { market: "NONE" })],
  ["NOTHING_TO_DO", "reports nothing", (v) => v.price("0")],
  ["NUMERIC_LIMIT", "a price that a full position could not be valued at", (v) => v.price("89000000")],
  ["NUMERIC_LIMIT", "a mark likewise", (v) => v.price("100", { mark: "89000000" })],
]);

refusals("deposit", [
  ["NOTHING_TO_DO", "nothing", (v) => v.deposit("alice", "0")],
  ["NUMERIC_LIMIT", "beyond what an account may hold", (v) => v.deposit("alice", "2249999000.000001")],
]);

refusals("faucetMint", [
  [
    "FEATURE_DISABLED",
    "no faucet",
    (v) => v.mint("alice", "1"),
    () => open({ genesis: { features: { faucet: false } } }),
  ],
  ["NOTHING_TO_DO", "nothing", (v) => v.mint("alice", "0")],
  ["NUMERIC_LIMIT", "beyond what an account may hold", (v) => v.mint("alice", "2249999000.000001")],
]);

refusals("fundInsurance", [["NOTHING_TO_DO", "nothing", (v) => v.fund("0")]]);

refusals("createMarket", [
  ["MARKET_EXISTS", "its name is taken", (v) => v.create("TEST", "minimal")],
  ["PARAMETER_INVALID", "unknown preset", (v) => v.create("NEW", "none")],
  ["PARAMETER_INVALID", "unknown parameter", (v) => v.create("NEW", "minimal", { colour: "red" })],
  ["STATUS_NOT_REACHABLE", "begins halted", (v) => v.create("NEW", "minimal", { status: "halted" })],
]);

refusals("updateMarket", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.update({ takerFee: "0.001" }, "NONE")],
  ["NOTHING_TO_DO", "nothing", (v) => v.update({})],
  ["PARAMETER_INVALID", "a fixed parameter", (v) => v.update({ tickSize: "2" })],
  ["STATUS_NOT_REACHABLE", "settled without a price", (v) => v.status("settled")],
  ["STATUS_NOT_REACHABLE", "halted to reduce-only", (v) => v.status("reduceOnly"), status("halted")],
  ["NUMERIC_LIMIT", "a position limit that the mark would not fit", (v) => v.update({ positionLimit: "89000000" })],
  [
    "NUMERIC_LIMIT",
    "a position limit below what is open, so that prices could grow beyond what it can be valued at",
    (v) => v.update({ positionLimit: "999" }),
    () => {
      const v = open({ accounts: { alice: "1000000", bob: "1000000" } });
      v.do(v.sell("bob", "1000", "100"), v.buy("alice", "1000", "100"));
      return v;
    },
  ],
]);

refusals("settleMarket", [
  ["MARKET_NOT_FOUND", "no such market", (v) => v.settle("100", "NONE")],
  [
    "STATUS_NOT_REACHABLE",
    "settled before",
    (v) => {
      v.do(v.settle("100"));
      return v.settle("100");
    },
  ],
  ["PRICE_REQUIRED", "at nothing", (v) => v.settle("0")],
  ["NUMERIC_LIMIT", "at a price that no position could be valued at", (v) => v.settle("89000000")],
]);

const devnet = () => open({ genesis: { features: { devnet: true } } });

refusals("devnetSet", [
  ["FEATURE_DISABLED", "no devnet", (v) => v.setCollateral("alice", "5")],
  ["MARKET_NOT_FOUND", "no such market", (v) => v.setPrice("100", "NONE"), devnet],
  [
    "MARKET_CLOSED",
    "prices stand still",
    (v) => {
      v.do(v.status("settling"));
      return v.setPrice("100");
    },
    devnet,
  ],
  ["NOTHING_TO_DO", "as it is", (v) => v.setCollateral("alice", "1000"), devnet],
  ["PRICE_REQUIRED", "a price of nothing", (v) => v.setPrice("0"), devnet],
  ["NUMERIC_LIMIT", "a price that a full position could not be valued at", (v) => v.setPrice("89000000"), devnet],
  ["NUMERIC_LIMIT", "beyond what an account may hold", (v) => v.setCollateral("alice", "2250000000.000001"), devnet],
]);

refusals("devnetImpersonate", [
  ["FEATURE_DISABLED", "no devnet", (v) => v.impersonate(v.buy("alice", "1", "90"))],
  ["CARRIED_INVALID", "no JSON", (v) => v.impersonate(v.buy("alice", "1", "90"), "{"), devnet],
  ["CARRIED_INVALID", "a field is missing", (v) => v.impersonate(v.buy("alice", "1", "90"), "{}"), devnet],
  ["CARRIED_INVALID", "an authority's action", (v) => v.impersonate(v.fund("5")), devnet],
  ["CARRIED_INVALID", "nobody's account", (v) => v.impersonate(v.withdraw("zoe", "5")), devnet],
]);

const flow = (v: TestVenue, steps: number[][], market = "TEST", account = "house") =>
  v.act("operator", "houseFlow", {
    market,
    account: addressOf(account),
    subaccount: 0,
    steps: new Uint8Array(Float64Array.from(steps.flat()).buffer),
  } as Payloads["houseFlow"]);
const { quote, rest, clear, print, last } = HOUSE_STEP;

refusals("houseFlow", [
  ["MARKET_NOT_FOUND", "no such market", (v) => flow(v, [[quote, 99, 5, SIDE.buy]], "NONE")],
  ["NOT_HOUSE", "a normal account", (v) => flow(v, [[quote, 99, 5, SIDE.buy]], "TEST", "alice")],
  ["NOT_HOUSE", "no account", (v) => flow(v, [[quote, 99, 5, SIDE.buy]], "TEST", "nobody")],
  ["STEPS_MALFORMED", "unknown kind", (v) => flow(v, [[5, 99, 5, 0]])],
  ["STEPS_MALFORMED", "price zero", (v) => flow(v, [[quote, 0, 5, 0]])],
  ["STEPS_MALFORMED", "half a lot", (v) => flow(v, [[quote, 99, 0.5, 0]])],
  ["STEPS_MALFORMED", "no side", (v) => flow(v, [[quote, 99, 5, 2]])],
  ["STEPS_MALFORMED", "no number", (v) => flow(v, [[quote, Number.NaN, 5, 0]])],
  ["STEPS_MALFORMED", "cut short", (v) => flow(v, [[quote, 99, 5]])],
  [
    "STEPS_MALFORMED",
    "more orders than ids are set aside",
    (v) =>
      flow(
        v,
        Array.from({ length: 65 }, () => [rest, 99, 1, 0]),
      ),
  ],
  ["MARKET_CLOSED", "halted", (v) => flow(v, [[quote, 99, 5, SIDE.buy]]), status("halted")],
  ["OPERATION_PAUSED", "trading is paused", (v) => flow(v, [[quote, 99, 5, SIDE.buy]]), paused("pauseTrade")],
]);

describe("a transaction is inadmissible, and leaves no trace", () => {
  const header = (more: Step["header"]) => (v: TestVenue) => v.act("alice", "noop", {}, more);
  test.each([
    ["WRONG_NETWORK", header({ network: "other" })],
    ["WRONG_NETWORK", header({ network: "other", verdict: false, nonce: 9 })],
    ["INVALID_SIGNATURE", header({ verdict: false })],
    ["INVALID_SIGNATURE", header({ verdict: false, nonce: 9 })],
    ["AUTHORIZATION_MISSING", header({ signer: addressOf("bob") })],
    ["WRONG_DOMAIN", header({ nonceDomain: "system" })],
    ["VALIDITY_TOO_LONG", header({ validFrom: 0, validUntil: 1201 })],
    ["NOT_YET_VALID", header({ validFrom: 3, validUntil: 5 })],
    ["EXPIRED", header({ validFrom: 0, validUntil: 1 })],
    ["NONCE_GAP", header({ nonce: 1 })],
    ["NONCE_GAP", header({ nonce: 9e15 })],
  ] as const)("%s", (code, story) => {
    const v = open();
    refused(v, story(v), code);
  });

  test("ACCOUNT_NOT_FOUND: nobody ever paid in", () => {
    const v = open();
    refused(v, v.act("nobody", "noop", {}), "ACCOUNT_NOT_FOUND");
    refused(v, v.act("alice/7", "noop", {}), "ACCOUNT_NOT_FOUND");
  });

  test("WRONG_DOMAIN: an order in the risk lane", () => {
    const v = open();
    const order = v.buy("alice", "1", "90");
    refused(v, { ...order, header: { nonceDomain: "risk" } }, "WRONG_DOMAIN");
  });

  test("NONCE_TOO_LOW: the same nonce again, also after a rejection", () => {
    const v = open();
    v.do(v.act("alice", "noop", {}));
    refused(v, v.act("alice", "noop", {}, { nonce: 0 }), "NONCE_TOO_LOW");
    expect(v.try(v.cancel("alice", 1))).toBe("ORDER_NOT_FOUND");
    refused(v, v.act("alice", "noop", {}, { nonce: 1 }), "NONCE_TOO_LOW");
    expect(v.try(v.act("alice", "noop", {}, { nonce: 2 }))).toBe("applied");
  });

  test("NONCE_USED: the same nonce again where trading lanes have a window, also after a rejection", () => {
    const v = open({ genesis: { nonces: { trading: "window:4" } } });
    expect(v.try({ ...v.amend("alice", 1, { price: "91" }), header: { nonce: 2 } })).toBe("ORDER_NOT_FOUND");
    refused(v, v.act("alice", "noop", {}, { nonce: 2 }), "NONCE_USED");
    expect(v.run(v.act("alice", "noop", {}, { nonce: 1 })).of("nonceUsed")).toMatchObject([
      { lane: -1, nonce: 1, next: 3 },
    ]);
    refused(v, v.act("alice", "noop", {}, { nonce: 1 }), "NONCE_USED");
  });

  test("NOT_AUTHORITY: a system action by a user, or by another authority", () => {
    const v = open();
    const mint = v.deposit("alice", "1");
    refused(v, { ...mint, who: "alice" }, "NOT_AUTHORITY");
    refused(v, { ...mint, who: "faucet" }, "NOT_AUTHORITY");
    refused(v, { ...mint, header: { signer: addressOf("alice") } }, "NOT_AUTHORITY");
  });

  test("WRONG_VERSION: of protocol or envelope", () => {
    const v = open();
    for (const field of ["protocolVersion", "envelopeVersion"] as const) {
      const [transaction] = v.toTransactions([v.act("alice", "noop", {})]);
      const header = { ...transaction!.header, [field]: 77 };
      const story = v.apply(v.state.timeMs + 1, [{ ...transaction!, header }]);
      expect(story.outcomes).toEqual(["WRONG_VERSION"]);
      expect(v.nextNonce("alice", "trading")).toBe(0);
    }
  });

  test("the validity range includes both its ends, and 1,200 blocks are not too long", () => {
    const v = open();
    const here = v.state.height + 1;
    const at = (validFrom: number, validUntil: number) => v.act("alice", "noop", {}, { validFrom, validUntil });
    expect(v.try(at(here, here + 1200))).toBe("applied");
    expect(v.try(at(here - 1, here + 1))).toBe("applied");
    expect(v.try(at(0, here + 2))).toBe("applied");
    expect(v.try(at(0, here + 2))).toBe("EXPIRED");
  });

  test("lanes are apart: a gap in one stops no other", () => {
    const v = open();
    expect(v.try(v.act("alice", "noop", {}, { nonce: 5 }))).toBe("NONCE_GAP");
    for (const nonceDomain of ["trading", "risk", "funds", "admin"] as const) {
      expect(v.try(v.act("alice", "noop", {}, { nonceDomain }))).toBe("applied");
      expect(v.nextNonce("alice", nonceDomain)).toBe(1);
    }
    expect([v.nextNonce("bob", "trading"), v.nextNonce("alice/1", "trading")]).toEqual([0, 0]);
  });
});

describe("an action is applied", () => {
  test("orders rest, cancel by id, by client id, several at once, and all", () => {
    const v = open();
    const ids = ["90", "91", "92", "93"].map((at) => v.place(v.buy("alice", "1", at, { client: `at${at}` })));
    v.do(v.cancel("alice", ids[0]!));
    v.do(v.act("alice", "cancelOrder", { orderId: 0, clientOrderId: "at91" } as Payloads["cancelOrder"]));
    const other = v.place(v.buy("bob", "1", "80"));
    const story = v.do(cancelMany(v, [ids[2]!, ids[2]!, other], ["at93", "none"]));
    expect(story.receipts[0]!.results).toEqual([
      { orderId: ids[2], status: "cancelled" },
      { orderId: ids[2], status: "rejected", code: "ORDER_NOT_FOUND" },
      { orderId: other, status: "rejected", code: "NOT_ORDER_OWNER" },
      { orderId: ids[3], status: "cancelled" },
      { orderId: 0, status: "rejected", code: "ORDER_NOT_FOUND" },
    ]);
    v.do(v.buy("alice", "1", "90"), v.sell("alice", "1", "110"), v.cancelAll("alice"));
    expect(v.book()).toEqual(["buy 1@80 bob"]);
    v.do(v.cancelAll("alice"), v.cancelAll("alice", "TEST"));
    // A client order id is free again once its order is gone, and each subaccount has its own.
    v.do(v.transfer("alice", "alice/1", "500"));
    v.do(v.buy("alice", "1", "90", { client: "at90" }), v.buy("alice/1", "1", "90", { client: "at90" }));
  });

  test("several orders in one transaction", () => {
    const v = open();
    v.do(v.batch("alice", "all", v.buy("", "1", "98"), v.buy("", "2", "97")));
    expect(v.book()).toEqual(["buy 1@98 alice", "buy 2@97 alice"]);
  });

  test("orders may be cancelled later", () => {
    const v = open();
    v.do(v.buy("alice", "1", "98"), v.schedule("alice", v.state.timeMs + 6000));
    expect(v.book()).toEqual(["buy 1@98 alice"]);
    v.runAt(v.state.timeMs + 6000);
    expect(v.book()).toEqual([]);
  });

  test("cancelAll of one market leaves the other alone", () => {
    const v = open({ markets: { TEST: {}, MORE: {} }, prices: { TEST: "100", MORE: "10" } });
    v.do(v.buy("alice", "1", "90"), v.buy("alice", "1", "9", { market: "MORE" }), v.cancelAll("alice", "TEST"));
    expect([v.book("TEST"), v.book("MORE")]).toEqual([[], ["buy 1@9 alice"]]);
  });

  test("closePosition closes all, or part, within its bound, and takes own orders out of its way", () => {
    const v = long();
    v.do(v.buy("bob", "2", "99"), v.buy("bob", "9", "98"));
    v.do(v.close("alice", { size: "1", slippage: "0.01" }));
    expect(v.lots("alice")).toBe(4);
    v.do(v.sell("alice", "1", "105", { reduceOnly: true }));
    const story = v.do(v.close("alice", { price: "98" }));
    expect(v.fills(story)).toEqual(["1@99 bob>alice", "3@98 bob>alice"]);
    expect([v.lots("alice"), v.book()]).toEqual([0, ["buy 6@98 bob"]]);
  });

  test("closePosition of a short buys, and closes no more than there is", () => {
    const v = long();
    v.do(v.sell("alice", "9", "101"));
    v.do(v.close("bob", { size: "50", slippage: "0.05" }));
    expect([v.lots("bob"), v.lots("alice")]).toEqual([0, 0]);
  });

  test("the house closes whatever its equity is", () => {
    const v = open();
    v.do(flow(v, [[quote, 100, 50, SIDE.sell]]));
    v.do(v.buy("alice", "50", "100"));
    v.do(v.price("110"), v.sell("alice", "50", "110"));
    v.do(v.close("house", { slippage: "0.01" }));
    expect([v.lots("house"), v.usd("house")]).toEqual([0, "-500"]);
  });

  test("money in, money out, to oneself, to others, to accounts that come into being by it", () => {
    const v = open();
    const story = v.do(v.deposit("carol", "5", "wire 7"), v.mint("carol", "2"), v.fund("3"));
    expect(story.texts).toEqual(["wire 7"]);
    v.do(v.transfer("alice", "alice/1", "400"), v.transfer("alice", "dave", "1"), v.withdraw("alice", "599"));
    expect(["alice", "alice/1", "carol", "dave"].map((name) => v.usd(name))).toEqual(["0", "400", "7", "1"]);
    expect([v.total("insurance"), v.total("withdrawals")]).toEqual([3_000_000n, 599_000_000n]);
  });

  // Subaccounts are 32 bits without a sign.
  test("the last subaccount is an account like any other", () => {
    const v = open();
    v.do(v.transfer("alice", "alice/4294967295", "1"), v.transfer("alice", "alice/4294967295", "2"));
    expect(v.usd("alice/4294967295")).toBe("3");
    v.do(v.withdraw("alice/4294967295", "3"));
    expect(v.state.accounts.rows.count).toBe(5);
  });

  test("leverage, markets, parameters, status, noop", () => {
    const v = open();
    v.do(
      v.create("NEW", "minimal", { takerFee: "0.001" }),
      v.update({ makerFee: "0.0001" }, "NEW"),
      v.leverage("alice", 3),
      v.act("alice", "noop", {}),
    );
    v.do(v.leverage("alice", 10));
    expect(v.state.marketNames).toEqual(["TEST", "NEW"]);
    expect(v.state.parameters[1]).toMatchObject({ takerFee: 1000, makerFee: 100 });
  });

  test("margin mode, and collateral to an isolated position and back", () => {
    const v = open();
    v.do(v.mode("alice", "isolated"));
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    v.do(v.adjust("alice", "add", "5"), v.adjust("alice", "remove", "3"));
    expect([v.usd("alice"), v.isolated("alice")]).toEqual(["898", "102"]);
    v.do(v.mode("alice", "cross"));
    expect(v.usd("alice")).toBe("1000");
  });

  test("in a reduce-only market orders that reduce go, in a post-only market orders that only make", () => {
    const v = status("reduceOnly")();
    v.do(v.sell("alice", "1", "105", { reduceOnly: true }));
    const early = open({ markets: { TEST: { status: "postOnly" } } });
    early.do(early.buy("bob", "1", "90", { postOnly: true }));
  });

  test("in any status an order may be cancelled, or made smaller in its place", () => {
    const v = long();
    const id = v.place(v.buy("alice", "3", "90"));
    v.do(v.status("halted"));
    v.do(v.amend("alice", id, { size: "2" }), v.cancel("alice", id));
  });

  test("house flows quote, rest, clear, print and move the last price", () => {
    const v = open();
    v.do(
      flow(v, [
        [quote, 99, 5, SIDE.buy],
        [rest, 98, 7, SIDE.buy],
        [quote, 101, 5, SIDE.sell],
      ]),
    );
    expect(v.book()).toEqual(["buy 5@99 house", "buy 7@98 house", "sell 5@101 house"]);
    v.do(v.sell("alice", "3", "99"));
    // An unchanged price keeps its place, and prints shrink the house's own quote.
    v.do(
      flow(v, [
        [quote, 99, 4, SIDE.buy],
        [print, 99, 1, SIDE.sell],
        [clear, 1, 0, SIDE.sell],
        [last, 97, 0, 0],
      ]),
    );
    expect(v.book()).toEqual(["buy 3@99 house"]);
    expect(v.state.markets.last[v.marketRow()]).toBe(97);
    expect(v.lots("house")).toBe(3);
  });
});

// Goal: of several faults the one that stands first in the table is told (ACT-2). Method: transactions with two faults.
describe("precedence: of two faults the first in the table is reported", () => {
  const pairs: [string, (v: TestVenue) => Step, RejectionCode[], (() => TestVenue)?][] = [
    ["closed and no price", (v) => v.buy("alice", "1", "0"), ["MARKET_CLOSED", "PRICE_REQUIRED"], status("halted")],
    ["no mark and size zero", (v) => v.buy("alice", "0", "100"), ["PRICE_UNAVAILABLE", "SIZE_NOT_POSITIVE"], noPrice],
    ["no price and size zero", (v) => v.buy("alice", "0", "0"), ["PRICE_REQUIRED", "SIZE_NOT_POSITIVE"]],
    [
      "slippage and lot",
      (v) => v.order("alice", "buy", "0.5", undefined, { type: "market", slippage: "0.5" }),
      ["SLIPPAGE_TOO_LARGE", "OFF_LOT"],
    ],
    ["lot and tick", (v) => v.buy("alice", "0.5", "100.5"), ["OFF_LOT", "OFF_TICK"]],
    ["limit and size", (v) => v.buy("alice", "9000000", "1000"), ["NUMERIC_LIMIT", "SIZE_TOO_LARGE"]],
    ["size and band", (v) => v.buy("alice", "20000", "150"), ["SIZE_TOO_LARGE", "PRICE_OUT_OF_BAND"]],
    [
      "band and client id",
      (v) => {
        v.do(v.buy("alice", "1", "90", { client: "x" }));
        return v.buy("alice", "1", "150", { client: "x" });
      },
      ["PRICE_OUT_OF_BAND", "CLIENT_ORDER_ID_USED"],
    ],
    [
      "reduce-only and post-only",
      (v) => v.buy("alice", "1", "100", { reduceOnly: true, postOnly: true, tif: "IOC" }),
      ["REDUCE_ONLY_WOULD_INCREASE", "POST_ONLY_WITH_TAKING"],
    ],
    ["frozen and margin", (v) => v.buy("alice", "9000", "100"), ["EXPOSURE_FROZEN", "INSUFFICIENT_MARGIN"], frozen],
    [
      "transfer to oneself of too much",
      (v) => v.transfer("alice", "alice", "5000"),
      ["INSUFFICIENT_FREE_COLLATERAL", "SAME_ACCOUNT"],
    ],
    ["transfer to oneself of nothing", (v) => v.transfer("alice", "alice", "0"), ["NOTHING_TO_DO", "SAME_ACCOUNT"]],
    [
      "house flow of no house in a closed market",
      (v) => flow(v, [[9, 0, 0, 0]], "TEST", "alice"),
      ["NOT_HOUSE", "STEPS_MALFORMED"],
      status("halted"),
    ],
    [
      "malformed steps in a closed market",
      (v) => flow(v, [[9, 0, 0, 0]]),
      ["STEPS_MALFORMED", "MARKET_CLOSED"],
      status("halted"),
    ],
    ["amend off the lot in a closed market", (v) => halt(v, "halted", { size: "2.5" }), ["MARKET_CLOSED", "OFF_LOT"]],
    [
      "amend to the same in a closed market",
      (v) => halt(v, "halted", { size: "2" }),
      ["MARKET_CLOSED", "NOTHING_TO_DO"],
    ],
    [
      "leverage that is the present one and is too much by now",
      (v) => {
        v.do(v.leverage("alice", 10));
        v.do(v.update({ tier1: "0 0.2 0.1" }));
        return v.leverage("alice", 10);
      },
      ["NOTHING_TO_DO", "LEVERAGE_OUT_OF_RANGE"],
    ],
    [
      "faucet and amount",
      (v) => v.mint("alice", "0"),
      ["FEATURE_DISABLED", "NOTHING_TO_DO"],
      () => open({ genesis: { features: { faucet: false } } }),
    ],
  ];
  test.each(pairs)("%s", (_why, story, [first, second], start = open) => {
    expect(REJECTION_NAMES.indexOf(first!)).toBeLessThan(REJECTION_NAMES.indexOf(second!));
    const v = start();
    refused(v, story(v), first!);
  });
});

describe("limits hold to the unit: at the edge it goes, one beyond it does not", () => {
  test("smallest and largest size, smallest value, band", () => {
    const v = open({
      markets: { TEST: { minSize: "2", maxSize: "9", minNotional: "300" } },
      accounts: { alice: "100000" },
    });
    v.do(v.buy("alice", "3", "100"), v.buy("alice", "9", "100"), v.buy("alice", "4", "80"), v.buy("alice", "3", "120"));
  });

  test("margin: exactly enough, and a unit short", () => {
    for (const [balance, outcome] of [
      ["1000", "applied"],
      ["999.999999", "INSUFFICIENT_MARGIN"],
    ] as const) {
      const v = open({ accounts: { alice: balance } });
      expect(v.try(v.buy("alice", "100", "100"))).toBe(outcome);
    }
    // A buy above the mark is charged what it would lose at once, and the fee, both in full: 1,000 for 100 lots, 100 lost,
    // and 10,100 * 0.000299, which is no whole number of units times 1,000.
    for (const [balance, outcome] of [
      ["1103.0199", "applied"],
      ["1103.019899", "INSUFFICIENT_MARGIN"],
    ] as const) {
      const v = open({ markets: { TEST: { takerFee: "0.000299" } }, accounts: { alice: balance } });
      expect(v.try(v.buy("alice", "100", "101"))).toBe(outcome);
    }
  });

  test("free collateral: exactly, and a unit more", () => {
    const v = long();
    // 5 lots at 100: a tenth of 500 must stay.
    expect(v.try(v.withdraw("alice", "950.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
    expect(v.try(v.withdraw("alice", "950"))).toBe("applied");
    // Profit may not leave before it is realised; a loss counts.
    v.do(v.price("110"));
    expect(v.try(v.withdraw("alice", "0.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
  });

  test("free collateral where leverage is high: a tenth of notional stays, not the initial requirement", () => {
    const v = long({ markets: { TEST: { tier1: "0 0.02 0.01" } } });
    expect(v.try(v.transfer("alice", "bob", "950.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
    expect(v.try(v.transfer("alice", "bob", "950"))).toBe("applied");
  });

  test("open orders", () => {
    const v = open({ markets: { TEST: { openOrdersMax: "2" } } });
    v.do(v.buy("alice", "1", "90"), v.buy("alice", "1", "91"));
    expect(v.try(v.buy("alice", "1", "92"))).toBe("OPEN_ORDERS_LIMIT");
    // An order that cannot rest is not counted.
    expect(v.try(v.buy("alice", "1", "92", { tif: "IOC" }))).toBe("applied");
  });

  test("slippage, leverage", () => {
    const v = open();
    expect(v.try(v.order("alice", "buy", "1", undefined, { type: "market", slippage: "0.1" }))).toBe("applied");
    expect([v.try(v.leverage("alice", 1)), v.try(v.leverage("alice", 10))]).toEqual(["applied", "applied"]);
  });

  test("collateral of an account", () => {
    const v = open({ accounts: { alice: "0" } });
    v.do(v.deposit("alice", "2250000000"));
    expect(v.try(v.deposit("alice", "0.000001"))).toBe("NUMERIC_LIMIT");
  });
});

describe("the house is exempt from bands and limits of size, not from what is storable", () => {
  test("far from the band", () => {
    const v = open({ markets: { TEST: { maxSize: "5" } } });
    v.do(v.sell("house", "50", "500"), v.buy("house", "50", "1"));
    expect(v.try(v.buy("house", "90000000", "100"))).toBe("NUMERIC_LIMIT");
  });
});

// What grants allow in detail is tested in authorization/authorization.test.ts; here every code and event is met once.
test("the operator of a devnet sets collateral and acts for others", () => {
  const v = devnet();
  v.do(v.setCollateral("alice", "5"));
  v.do(v.impersonate(v.withdraw("alice", "5")));
  expect(v.usd("alice")).toBe("0");
});

test("a market is settled, and those who gained pay for those who cannot", () => {
  const v = open({ accounts: { alice: "60", bob: "1000" } });
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"), v.buy("bob", "1", "90"));
  const story = v.do(v.settle("80"));
  expect(story.of("settlementHaircut")).toHaveLength(1);
  expect([v.usd("alice"), v.usd("bob")]).toEqual(["0", "1060"]);
});

test("a market that is funded in another way drops its samples", () => {
  const v = open();
  const story = v.do(v.update({ fundingMethod: "hyperliquid" }));
  expect(story.of("premiumsCleared")[0]).toMatchObject({ settledMs: 0 });
});

describe("an agent's action", () => {
  const cases: [string, Parameters<TestVenue["grant"]>[2], (v: TestVenue) => Step][] = [
    ["AUTHORIZATION_SCOPE", { scopes: "cancel" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_SUBACCOUNT", { subaccounts: "1" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_MARKET", { markets: "" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_ORDER_LIMIT", { maxOrderNotional: "89" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_POSITION_LIMIT", { maxPositionNotional: "99" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_DAILY_LIMIT", { maxDailyNotional: "89" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_OPEN_ORDERS", { maxOpenOrders: "0" }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_NOT_YET_VALID", { validFrom: 1_000_000 }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_EXPIRED", { expiresAt: 4_000 }, (v) => v.buy("alice", "1", "90")],
    ["AUTHORIZATION_FOREIGN", {}, (v) => v.buy("bob", "1", "90")],
  ];
  test.each(cases)("%s", (code, terms, story) => {
    const v = open();
    const id = v.authorize("alice", "bot", terms);
    v.run();
    expect(v.try(v.by("bot", id, story(v)))).toBe(code);
  });

  test("applies, and ends with its grant", () => {
    const v = open();
    const id = v.authorize("alice", "bot", { maxDailyNotional: "90", scopes: "trade", expiresAt: 80_000_000 });
    const other = v.authorize("alice", "bot");
    v.do(v.by("bot", id, v.buy("alice", "1", "90")), v.revoke("alice", other));
    expect(v.try(v.by("bot", id, v.buy("alice", "1", "90")))).toBe("AUTHORIZATION_EXHAUSTED");
    expect(v.try(v.by("bot", other, v.buy("alice", "1", "90")))).toBe("AUTHORIZATION_REVOKED");
    expect(v.try(v.revoke("alice", `0x${"0".repeat(64)}`))).toBe("GRANT_NOT_FOUND");
    expect(v.try(v.grant("alice", "bot", { scopes: "owner" }))).toBe("GRANT_INVALID");
  });
});

afterAll(() => {
  const missing = [...INVALID_NAMES, ...REJECTION_NAMES, ...ACTION_NAMES.map((name) => `${name} applied`)].filter(
    (name) => !reached.names.has(name),
  );
  expect(missing).toEqual([]);
  // Kinds of events that only open interest, liquidations, sampled funding and intents bring have tests of their own.
  const elsewhere = /^(initialRate|liquidation|deleveraged|lossSocialized|badDebt|backstop|funding|dust|intent|volume)/;
  expect(EVENT_KINDS.filter((kind) => !elsewhere.test(kind) && !reached.names.has(kind))).toEqual([]);
});
