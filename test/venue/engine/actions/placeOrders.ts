/** Orders as they are placed, one or several at a time. */
import { describe, expect, test } from "vitest";
import { frozen, limits, long, noPrice, open, paused, refusals, restarting, stale, status } from "./stage.ts";

refusals("placeOrder", [
  ["MARKET_RESTARTING", "it waits for a fresh price", (v) => v.buy("alice", "1", "100"), restarting],
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
  ["EXPIRY_PASSED", "height in the past", (v) => v.buy("alice", "1", "99", { tif: "GTT", height: v.state.height })],
  [
    "FIELD_REFUSED",
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

describe("an action is applied", () => {
  test("several orders in one transaction", () => {
    const v = open();
    v.do(v.batch("alice", "all", v.buy("", "1", "98"), v.buy("", "2", "97")));
    expect(v.book()).toEqual(["buy 1@98 alice", "buy 2@97 alice"]);
  });

  test("in a reduce-only market orders that reduce go, in a post-only market orders that only make", () => {
    const v = status("reduceOnly")();
    v.do(v.sell("alice", "1", "105", { reduceOnly: true }));
    const early = open({ markets: { TEST: { status: "postOnly" } } });
    early.do(early.buy("bob", "1", "90", { postOnly: true }));
  });
});
