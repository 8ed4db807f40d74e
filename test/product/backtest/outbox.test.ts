import fc from "fast-check";
import { expect, test } from "vitest";
import { Outbox } from "../../../src/product/backtest/outbox.ts";
import { STRATEGY } from "../../../src/product/backtest/participants.ts";

// Goal: messages of one connection keep their order, whatever latencies are drawn.
// Method: sends at drawn times with drawn latencies; the reference takes the greatest arrival so far.
test("a transaction never overtakes an earlier one, and none is early", () => {
  let held = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(200)), { minLength: 1, maxLength: 40 }), (sends) => {
      let latencyMs = 0;
      const outbox = new Outbox({ account: STRATEGY, latency: () => latencyMs, firstMs: 1_000 });
      const dues: number[] = [];
      let nowMs = 1_000;
      for (const [place, [afterMs, drawn]] of sends.entries()) {
        nowMs += afterMs;
        latencyMs = drawn;
        outbox.send(`t${place}`, "cancelAll", { market: "", intents: false }, nowMs);
        const own = nowMs + Math.max(1, drawn);
        dues.push(Math.max(own, dues.at(-1) ?? 0));
        if (dues.at(-1)! > own) held++;
      }
      const taken: string[] = [];
      for (let timeMs = 1_000; outbox.inFlight > 0; timeMs++) {
        for (const { transaction, dueMs } of outbox.take(1, timeMs)) {
          expect(dueMs).toBe(timeMs);
          expect(dueMs).toBe(dues[taken.length]);
          taken.push(transaction.header.clientTxId);
        }
      }
      expect(taken).toEqual(sends.map((_, place) => `t${place}`));
    }),
  );
  expect(held).toBeGreaterThan(50);
});

test("what is sent before the first block is in the first block, however long the latency", () => {
  const outbox = new Outbox({ account: STRATEGY, latency: () => 5_000, firstMs: 1_000 });
  outbox.send("t1", "setLeverage", { market: "BTC", leverage: 2 }, 999);
  expect(outbox.dueMs).toBe(1_000);
  outbox.send("t2", "cancelAll", { market: "", intents: false }, 1_000);
  expect(outbox.take(1, 1_000)).toHaveLength(1);
  expect(outbox.dueMs).toBe(6_000);
});
