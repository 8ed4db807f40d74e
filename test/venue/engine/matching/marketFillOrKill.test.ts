import fc from "fast-check";
import { expect, test } from "vitest";
import { TestVenue } from "../../../helpers/venue.ts";

const accounts = { alice: "100000", bob: "100000", carol: "350" };

// Goal: a market order with FOK fills whole or changes nothing. Method: the same market order goes as FOK, IOC and GTC
// to three venues with the same book. IOC and GTC do the same. FOK does it too where they fill whole, and else nothing.
test("a market order with FOK does what IOC does, or nothing", () => {
  const offer = fc.record({
    who: fc.constantFrom("bob", "carol"),
    lots: fc.integer({ min: 1, max: 12 }),
    at: fc.integer({ min: 98, max: 106 }),
  });
  const drawn = fc.record({
    offers: fc.array(offer, { minLength: 1, maxLength: 6 }),
    lots: fc.integer({ min: 1, max: 30 }),
    slippage: fc.constantFrom("0.01", "0.03", "0.05"),
    short: fc.integer({ min: 0, max: 20 }),
    reduceOnly: fc.boolean(),
  });
  const seen = { filled: 0, killed: 0, cut: 0 };
  fc.assert(
    fc.property(drawn, ({ offers, lots, slippage, short, reduceOnly }) => {
      const play = (tif: "FOK" | "IOC" | "GTC") => {
        const v = new TestVenue({ markets: { TEST: {} }, accounts, prices: { TEST: "100" } });
        if (short > 0) v.run(v.buy("bob", `${short}`, "100"), v.sell("alice", `${short}`, "100"));
        for (const { who, lots: size, at } of offers) v.run(v.sell(who, `${size}`, `${at}`));
        const before = v.lots("alice");
        const story = v.run(
          v.order("alice", "buy", `${lots}`, undefined, { type: "market", slippage, tif, reduceOnly }),
        );
        const traded = v.lots("alice") - before;
        const status = story.receipts[0]!.results?.[0]?.status;
        const cancelled = story.events.flatMap((event) => (event.kind === "orderCancelled" ? [event] : []));
        return { outcome: story.outcomes[0], status, traded, cancelled };
      };
      const [fok, ioc, gtc] = [play("FOK"), play("IOC"), play("GTC")];
      expect(gtc).toEqual(ioc);
      expect(fok.outcome).toBe(ioc.outcome);
      if (ioc.outcome !== "applied") return;
      const whole = reduceOnly ? Math.min(lots, short) : lots;
      if (ioc.traded < whole) {
        seen.killed++;
        expect([fok.status, fok.traded]).toEqual(["cancelled", 0]);
        expect(fok.cancelled).toMatchObject([{ remaining: lots, cause: 1 }]);
        return;
      }
      // A maker in doubt may kill an order that would have filled (ORD-2).
      if (fok.traded === 0) return;
      expect(fok.traded).toBe(whole);
      if (whole === lots) {
        seen.filled++;
        expect(fok.status).toBe("filled");
      } else {
        seen.cut++;
        expect(fok.status).toBe("partiallyFilled");
        expect(fok.cancelled.at(-1)).toMatchObject({ remaining: lots - whole, cause: 3 });
      }
    }),
    { numRuns: 300, seed: 16 },
  );
  expect(Math.min(seen.filled, seen.killed, seen.cut)).toBeGreaterThan(20);
});
