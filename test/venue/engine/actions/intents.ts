/** Conditional orders and schedules. */
import { expect, test } from "vitest";
import type { IntentOptions } from "../../../helpers/venue/traderSteps.ts";
import type { TestVenue } from "../../../helpers/venue.ts";
import { limits, long, noPrice, open, refusals, status } from "./stage.ts";

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
  ["EXPIRY_PASSED", "a last height in the past", (v) => stop(v, { goodTilHeight: 1 })],
  ["EXPIRY_PASSED", "a last time in the past", (v) => stop(v, { goodTilTime: 1 })],
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
