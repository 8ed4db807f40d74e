import { describe, expect, test } from "vitest";
import { placeProtectedOf, protectOf, triggerOf } from "../../../src/client/strategy/intentRequests.ts";
import { INTENT_KIND, ORDER_TYPE, PRICE_SOURCE } from "../../../src/protocol/words.ts";

const RULES = { name: "TEST", tickSize: 1e8, lotSize: 1e6, slippageMost: 0.1 };
const refused = (place: string) => expect.objectContaining({ code: "ORDER_INVALID", place });

describe("a request for an intent", () => {
  test("names every field of the venue's intent that it was given", () => {
    const stop = triggerOf(
      "stop",
      { trigger: 95.5, source: "last", size: 1.25, reduceOnly: false, untilMs: 7, slippage: 0.02, timeInForce: "FOK" },
      "sell",
      RULES,
      "t1",
    );
    expect(stop).toMatchObject({
      kind: INTENT_KIND.stop,
      trigger: 95.5e8,
      source: PRICE_SOURCE.last,
      size: 1.25e8,
      fraction: 0,
      reduceOnly: false,
      goodTilTime: 7,
      orderType: ORDER_TYPE.market,
      slippage: 2e7,
      timeInForce: 2,
      clientIntentId: "t1",
    });
    const trail = triggerOf("trailingStop", { trailRate: 0.01, price: 90, postOnly: true }, "sell", RULES, "t2");
    expect(trail).toMatchObject({ trailRate: 1e7, trail: 0, orderType: ORDER_TYPE.limit, price: 90e8, postOnly: 1 });
    expect(trail).toMatchObject({ size: 0, fraction: 1e9, reduceOnly: true, slippage: 0 });
  });

  test("is a pair with two legs and a single intent with one, of an entry or of a position", () => {
    const legs = { stop: 90, takeProfit: 110 };
    expect(protectOf(legs, "sell", RULES, "t").kind).toBe(INTENT_KIND.oco);
    expect(protectOf({ takeProfit: 110 }, "sell", RULES, "t").kind).toBe(INTENT_KIND.takeProfit);
    expect(protectOf({ stop: { trail: 3 } }, "sell", RULES, "t").kind).toBe(INTENT_KIND.trailingStop);
    const entry = { side: "buy" as const, size: 1 };
    expect(placeProtectedOf({ ...entry, ...legs }, RULES, "t").kind).toBe(INTENT_KIND.otoco);
    expect(placeProtectedOf({ ...entry, stop: 90 }, RULES, "t").kind).toBe(INTENT_KIND.oto);
  });

  test("is refused with the field at fault", () => {
    const arm = (kind: "stop" | "trailingStop", fields: object) => () =>
      triggerOf(kind, fields as never, "sell", RULES, "t");
    expect(arm("stop", { trigger: 0 })).toThrow(refused("trigger"));
    expect(arm("stop", { trigger: 1, trail: 2 })).toThrow(refused("trail"));
    expect(arm("stop", { trigger: 1, reduceOnly: false })).toThrow(refused("size"));
    expect(arm("stop", { trigger: 1, price: 2, slippage: 0.1 })).toThrow(refused("slippage"));
    expect(arm("stop", { trigger: 1, price: 2.5 })).toThrow(refused("price"));
    expect(arm("stop", { trigger: 1, untilMs: 0.5 })).toThrow(refused("untilMs"));
    expect(arm("stop", { trigger: 1, limit: 3 })).toThrow(refused("limit"));
    expect(arm("trailingStop", {})).toThrow(refused("trail"));
    expect(arm("trailingStop", { trail: 1, trailRate: 0.1 })).toThrow(refused("trail"));
    expect(arm("trailingStop", { trailRate: 1 })).toThrow(refused("trailRate"));
    expect(() => protectOf({}, "sell", RULES, "t")).toThrow(refused("stop"));
    const reducing = { side: "buy" as const, size: 1, stop: 90, reduceOnly: true };
    expect(() => placeProtectedOf(reducing, RULES, "t")).toThrow(refused("reduceOnly"));
  });
});
