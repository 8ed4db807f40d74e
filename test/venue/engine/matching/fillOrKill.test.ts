import fc from "fast-check";
import { expect, test } from "vitest";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import { TestVenue } from "../../../helpers/venue.ts";

/** A venue in lock step with the model, which decides itself when an order is killed, except in doubt (ORD-2). */
class Doubled extends TestVenue {
  declare both?: LockStep;

  override apply(timeMs: number, transactions: readonly Transaction[]): Story {
    this.both ??= new LockStep(this.genesis);
    const story = super.apply(timeMs, transactions);
    expect(this.both.apply({ height: this.state.height, timeMs, transactions })?.difference).toBeUndefined();
    return story;
  }
}

// Goal: for any book, a fill-or-kill fills whole or not at all. It is killed only where as an IOC it would not have
// filled whole, or was in doubt, which the model knows, too. Method: random makers with little margin, small limits,
// shared owners, reduce-only orders and positions; the same order is sent as FOK and as IOC to two venues with the same
// past.
test("a fill-or-kill fills whole or not at all", () => {
  const names = ["bob", "bob/1", "carol", "dave", "house"];
  const maker = fc.record({
    who: fc.constantFrom(...names),
    lots: fc.integer({ min: 1, max: 30 }),
    at: fc.integer({ min: 96, max: 104 }),
    reduceOnly: fc.boolean(),
  });
  const past = fc.record({
    positions: fc.array(
      fc.record({ who: fc.constantFrom(...names), lots: fc.integer({ min: 1, max: 20 }), buys: fc.boolean() }),
      { maxLength: 5 },
    ),
    makers: fc.array(maker, { minLength: 1, maxLength: 12 }),
    mark: fc.integer({ min: 92, max: 108 }),
    lots: fc.integer({ min: 1, max: 60 }),
    selfTrade: fc.constantFrom("cancelTaker" as const, "cancelMaker" as const, "decrement" as const),
    taker: fc.constantFrom("alice", "bob/2"),
    scope: fc.constantFrom("account" as const, "owner" as const),
    open: fc.constantFrom("300", "60", "30"),
  });
  const outcomes = { filled: 0, cancelled: 0, killedInVain: 0 };
  fc.assert(
    fc.property(past, ({ positions, makers, mark, lots, selfTrade, taker, scope, open }) => {
      const play = (tif: "FOK" | "IOC") => {
        const v = new Doubled({
          markets: { TEST: { positionLimit: "40", openInterestLimit: open, makerFee: "0.0003", takerFee: "0.0005" } },
          accounts: {
            alice: "100000",
            "bob/2": "100000",
            bob: "350",
            "bob/1": "350",
            carol: "350",
            dave: "350",
            erin: "100000",
          },
          house: { house: "0", other: "0" },
          prices: { TEST: "100" },
        });
        for (const { who, lots: size, buys } of positions) {
          if (buys)
            v.run(
              v.sell("other", `${size}`, "100"),
              v.buy(who, `${size}`, "100", { tif: "IOC" }),
              v.cancelAll("other"),
            );
          else
            v.run(
              v.buy("other", `${size}`, "100"),
              v.sell(who, `${size}`, "100", { tif: "IOC" }),
              v.cancelAll("other"),
            );
        }
        for (const { who, lots: size, at, reduceOnly } of makers)
          v.run(v.sell(who, `${size}`, `${at}`, { reduceOnly }));
        v.run(v.price(`${mark}`));
        const story = v.run(v.buy(taker, `${lots}`, "104", { tif, selfTrade, scope }));
        return { outcome: story.outcomes[0], status: story.receipts[0]!.results?.[0]?.status, lots: v.lots(taker) };
      };
      const fok = play("FOK");
      const ioc = play("IOC");
      expect(fok.outcome).toBe(ioc.outcome);
      expect(fok.status).not.toBe("partiallyFilled");
      if (fok.status === "filled") {
        outcomes.filled++;
        expect([ioc.status, ioc.lots]).toEqual(["filled", lots]);
      } else {
        outcomes.cancelled++;
        if (ioc.status === "filled" && ioc.lots === lots) outcomes.killedInVain++;
      }
    }),
    {
      numRuns: 400,
      seed: 20_250_924,
      // A plain order ends the reduce-only one after it, whose owner is then in doubt.
      examples: [
        [
          {
            positions: [{ who: "bob", lots: 1, buys: true }],
            makers: [
              { who: "bob", lots: 1, at: 97, reduceOnly: false },
              { who: "bob", lots: 13, at: 96, reduceOnly: false },
              { who: "bob", lots: 1, at: 96, reduceOnly: true },
            ],
            mark: 92,
            lots: 14,
            selfTrade: "cancelTaker" as const,
            taker: "alice",
            scope: "account" as const,
            open: "300",
          },
        ],
      ],
    },
  );
  expect(outcomes.filled).toBeGreaterThan(30);
  expect(outcomes.cancelled).toBeGreaterThan(30);
  // Doubt is allowed, and rare.
  expect(outcomes.killedInVain).toBeLessThan(15);
});
