import { expect, test } from "vitest";
import { adjustMarginOf, placeOrderOf } from "../../../src/client/strategy/requests.ts";
import { ORDER_TYPE, TIME_IN_FORCE } from "../../../src/protocol/words.ts";

const RULES = { name: "TEST", tickSize: 1e8, lotSize: 1e8, slippageMost: 0.1 };

// ORD-1: the time in force that a strategy asks for is the one of its order, of a market order, too.
test.each([
  [undefined, undefined, "IOC"],
  [undefined, "IOC", "IOC"],
  [undefined, "FOK", "FOK"],
  [undefined, "GTC", "GTC"],
  [100, undefined, "GTC"],
  [100, "FOK", "FOK"],
] as const)("price %s with %s is sent as %s", (price, timeInForce, sent) => {
  const order = { side: "buy" as const, size: 2, ...(price === undefined ? {} : { price }) };
  const payload = placeOrderOf(
    { ...order, ...(timeInForce === undefined ? {} : { timeInForce }) },
    RULES,
    "x" as never,
  );
  expect(payload.orderType).toBe(price === undefined ? ORDER_TYPE.market : ORDER_TYPE.limit);
  expect(payload.timeInForce).toBe(TIME_IN_FORCE[sent]);
});

// ACT-3: a margin of 6 decimals is sent to the unit, and one of more is refused.
test.each([
  [0.000001, 1],
  [0.1 + 0.2, 300_000],
  [1_234_567.891234, 1_234_567_891_234],
] as const)("an amount of %s USD is sent as %s units", (amount, units) => {
  expect(adjustMarginOf("add", amount, "TEST").amount).toBe(units);
  expect(() => adjustMarginOf("remove", amount + 0.0000005, "TEST")).toThrow(
    expect.objectContaining({ code: "ORDER_INVALID", place: "amount", hint: "round it to 6 decimals" }),
  );
});
