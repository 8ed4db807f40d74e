import { expect, test } from "vitest";
import { placeOrderOf } from "../../../src/client/strategy/requests.ts";
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
