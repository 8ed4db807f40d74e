/** Intents of a grant that ends: what protects outlives an expiry, and fails at a revocation (INT-6). */
import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../../src/protocol/events.ts";
import { REJECTION_NAMES } from "../../../../src/protocol/rejections.ts";
import { scene } from "../../../helpers/intents.ts";
import type { IntentOptions, Step } from "../../../helpers/venue/traderSteps.ts";
import type { TestVenue } from "../../../helpers/venue.ts";

const STOP = { kind: "stop", trigger: "95", slippage: "0.1" } as const;
const ENTRY = { side: "buy", size: "5", orderType: "limit", price: "99", reduceOnly: true, legs: [STOP] } as const;

function open(terms: { scopes?: string; maxDailyNotional?: string; lifeMs?: number; maxOpenOrders?: string } = {}) {
  const v = scene();
  const { lifeMs = 86_400_000, ...rest } = terms;
  const id = v.authorize("dave", "bot", { ...rest, expiresAt: v.state.timeMs + lifeMs });
  return { v, id, bot: (step: Step) => v.by("bot", id, step) };
}
const entry = (v: TestVenue, more: IntentOptions = {}) => v.intent("dave", "oto", { ...ENTRY, ...more });
const falls = (v: TestVenue) => v.run(v.price("95", { mark: "95" }));
const failures = (v: TestVenue) =>
  v.lastStory!.of("intentFailed").map(({ code, position }) => [REJECTION_NAMES[code], position]);

describe("the grant expires", () => {
  test.each([true, false])(
    "a leg fires and only reduces, whatever it was placed as (reduce-only: %s)",
    (reduceOnly) => {
      const { v, bot } = open({ lifeMs: 4_000 });
      v.do(bot(entry(v, { reduceOnly })));
      v.do(v.sell("bob", "2", "99"));
      for (let block = 0; block < 4; block++) v.run();
      // The entry rests on, and what it fills is protected.
      v.do(v.sell("bob", "1", "99"));
      expect(v.intents("dave")).toEqual(["stop armed 3@95"]);
      v.do(v.sell("dave", "1", "90", { selfTrade: "cancelMaker" }));
      const story = falls(v);
      expect(v.lots("dave")).toBe(0);
      expect(story.of("intentExecuted")).toMatchObject([{ filled: 2, unfilled: 1 }]);
      expect(v.book().filter((line) => line.includes("dave"))).toEqual([]);
    },
  );

  test("a stop that only reduces fires; one that may add fails with the code of the end", () => {
    const { v, bot } = open({ lifeMs: 6_000 });
    v.do(v.buy("dave", "2", "110"));
    v.do(bot(v.intent("dave", "stop", { side: "sell", size: "2", trigger: "95", reduceOnly: true, slippage: "0.1" })));
    v.do(bot(v.intent("dave", "stop", { side: "sell", size: "1", trigger: "95", slippage: "0.1" })));
    for (let block = 0; block < 6; block++) v.run();
    falls(v);
    expect(v.lots("dave")).toBe(0);
    expect(failures(v).map(([code]) => code)).toEqual(["AUTHORIZATION_EXPIRED"]);
  });

  test("a leg without a position to reduce fails", () => {
    const { v, bot } = open({ lifeMs: 4_000 });
    v.do(bot(entry(v, { reduceOnly: false })));
    v.do(v.sell("bob", "2", "99"));
    v.do(v.sell("dave", "2", "90", { selfTrade: "cancelMaker" }));
    for (let block = 0; block < 4; block++) v.run();
    falls(v);
    expect(failures(v)).toEqual([["REDUCE_ONLY_WOULD_INCREASE", 0]]);
  });
});

test("an entry that exhausts its grant keeps its stop", () => {
  const { v, bot } = open({ scopes: "trade", maxDailyNotional: "495", lifeMs: 60_000 });
  v.do(bot(entry(v)));
  v.do(v.sell("bob", "5", "99"));
  expect(v.try(bot(v.buy("dave", "1", "90")))).toBe("AUTHORIZATION_EXHAUSTED");
  expect(falls(v).of("intentExecuted")).toMatchObject([{ filled: 5 }]);
  expect(v.lots("dave")).toBe(0);
});

describe("the grant is revoked", () => {
  test.each([false, true])(
    "a leg fails at once, names the position, and takes its entry (orders too: %s)",
    (orders) => {
      const { v, id, bot } = open();
      const order = v.place(bot(entry(v)));
      const other = v.place(bot(v.buy("dave", "1", "91")));
      v.do(v.sell("bob", "2", "99"));
      v.do(v.revoke("dave", id, orders));
      expect(failures(v)).toEqual([["AUTHORIZATION_REVOKED", 2]]);
      const gone = v.lastStory!.of("orderCancelled");
      expect(gone.map(({ order: at, remaining, cause }) => [at, remaining, cause])).toEqual([
        [order, 3, CANCEL_CAUSE.revoked],
        ...(orders ? [[other, 1, CANCEL_CAUSE.revoked]] : []),
      ]);
      expect(v.intents("dave")).toEqual([]);
      expect(v.lots("dave")).toBe(2);
    },
  );

  test("a leg that still waits fails without a position, and its entry goes", () => {
    const { v, id, bot } = open();
    v.do(bot(entry(v)));
    v.do(v.revoke("dave", id));
    expect(failures(v)).toEqual([["AUTHORIZATION_REVOKED", 0]]);
    expect(v.book().filter((line) => line.includes("dave"))).toEqual([]);
  });

  test("intents that may add stay until they fire, unless the revocation cancels them", () => {
    const adds = (v: TestVenue) =>
      v.intent("dave", "stop", { side: "sell", size: "1", trigger: "95", slippage: "0.1" });
    const kept = open();
    kept.v.do(kept.bot(adds(kept.v)));
    kept.v.do(kept.v.revoke("dave", kept.id));
    expect(kept.v.intents("dave")).toHaveLength(1);
    falls(kept.v);
    expect(failures(kept.v)).toEqual([["AUTHORIZATION_REVOKED", 0]]);
    const cancelled = open();
    cancelled.v.do(cancelled.bot(adds(cancelled.v)));
    cancelled.v.do(cancelled.v.revoke("dave", cancelled.id, true));
    expect(cancelled.v.lastStory!.of("intentCancelled")).toMatchObject([{ cause: INTENT_CAUSE.authorization }]);
  });

  test("a leg whose order rests stays without cancelOrders, and goes with it", () => {
    for (const orders of [false, true]) {
      const { v, id, bot } = open();
      const take = { kind: "takeProfit", trigger: "105", orderType: "limit", price: "106" } as const;
      v.do(bot(v.intent("dave", "otoco", { ...ENTRY, legs: [STOP, take] })));
      v.do(v.sell("bob", "2", "99"));
      v.do(v.price("105", { mark: "105" }));
      expect(v.intents("dave")).toEqual(["stop armed 2@95", "takeProfit triggered 2@105"]);
      v.do(v.revoke("dave", id, orders));
      expect(failures(v)).toEqual([["AUTHORIZATION_REVOKED", 2]]);
      expect(v.intents("dave")).toEqual(orders ? [] : ["takeProfit triggered 2@105"]);
    }
  });

  test("an expired grant cannot be revoked; the owner cancels its legs", () => {
    const { v, id, bot } = open({ lifeMs: 3_000 });
    v.do(bot(entry(v)));
    v.do(v.sell("bob", "2", "99"));
    for (let block = 0; block < 4; block++) v.run();
    expect(v.try(v.revoke("dave", id))).toBe("NOTHING_TO_DO");
    v.do(v.cancelAll("dave", "", true));
    expect(v.intents("dave")).toEqual([]);
  });
});
