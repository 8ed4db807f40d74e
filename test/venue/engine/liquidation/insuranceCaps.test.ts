import { describe, expect, test } from "vitest";
import type { ParameterTexts } from "../../../../src/protocol/parameters.ts";
import { readCanonical, writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const rich = { bob: "100000", carol: "1000000" };
const DAY_MS = 86_400_000;

/** Each of some accounts is long 10 at 100 with 100; carol bids 86 for all of it. At 85 each lot costs the fund 4. */
const open = (who: readonly string[], fund: string, parameters: ParameterTexts = {}) => {
  const v = new TestVenue({
    markets: { TEST: parameters },
    accounts: { ...Object.fromEntries(who.map((name) => [name, "100"])), ...rich },
    insurance: fund,
    prices: { TEST: "100" },
  });
  for (const name of who) v.do(v.sell("bob", "10", "100"), v.buy(name, "10", "100"));
  v.do(v.buy("carol", `${who.length * 10}`, "86"));
  return v;
};
const paid = (story: Story) =>
  story
    .of("insuranceChanged")
    .filter(({ delta }) => delta < 0)
    .map(({ delta }) => -delta / 1e6);
const deleveraged = (story: Story) => story.of("deleveraged").reduce((sum, { size }) => sum + size, 0);

describe("the fund pays within its caps (LIQ-4)", () => {
  test.each([
    ["40.000001", [40], 0],
    ["40", [40], 0],
    ["39.999999", [36], 1],
    ["3.999999", [], 10],
    ["0", [], 10],
  ])("an account gets at most %s a day; the rest is deleveraged", (cap, wanted, left) => {
    const story = ((v) => v.do(v.price("85")))(open(["alice"], "1000", { insuranceCapAccount: cap }));
    expect([paid(story), deleveraged(story)]).toEqual([wanted, left]);
  });

  test.each([
    ["80", [40, 40]],
    ["79.999999", [40, 36]],
    ["0", []],
  ])("an owner's subaccounts together get at most %s", (cap, wanted) => {
    const v = open(["alice", "alice/1"], "1000", { insuranceCapOwner: cap });
    expect(paid(v.do(v.price("85")))).toEqual(wanted);
  });

  test("two owners do not share a cap of an owner, nor one of an account", () => {
    const v = open(["alice", "erin"], "1000", { insuranceCapOwner: "40", insuranceCapAccount: "40" });
    expect(paid(v.do(v.price("85")))).toEqual([40, 40]);
  });

  test.each([
    ["80", [40, 40]],
    ["76", [40, 36]],
    ["40", [40]],
  ])("all together get at most %s in a block, and as much again in the next", (cap, wanted) => {
    const v = open(["alice", "erin"], "1000", { insuranceCapBlock: cap });
    expect(paid(v.do(v.price("85")))).toEqual(wanted);
    v.do(v.price("100"), v.deposit("dave", "100"));
    v.do(v.sell("bob", "10", "100"), v.buy("dave", "10", "100"), v.cancelAll("carol"));
    v.do(v.buy("carol", "10", "86"));
    expect(paid(v.do(v.price("85")))).toEqual([40]);
  });

  test("a market gets a share of the fund a day, measured on the fund without what it paid today", () => {
    // 4 % of 1,000 for the first, then 4 % of 960 + 40, of which nothing is left.
    const v = open(["alice", "erin"], "1000", { insuranceCapMarket: "0.04" });
    expect(paid(v.do(v.price("85")))).toEqual([40]);
    const w = open(["alice", "erin"], "1000", { insuranceCapMarket: "0.08" });
    expect(paid(w.do(w.price("85")))).toEqual([40, 40]);
    const x = open(["alice", "erin"], "999.999999", { insuranceCapMarket: "0.08" });
    expect(paid(x.do(x.price("85")))).toEqual([40, 36]);
  });

  test("the day is the UTC day of block time; caps of another day count for nothing", () => {
    const caps = { insuranceCapAccount: "40", insuranceCapOwner: "40", insuranceCapMarket: "0.04" };
    const again = (gapMs: number) => {
      const v = open(["alice"], "1000", caps);
      v.runAt(DAY_MS - 2, v.price("85"));
      expect(v.total("insurance")).toBe(960_000_000n);
      v.runAt(DAY_MS - 1, v.price("100"), v.deposit("alice", "100"));
      const at = v.state.timeMs + gapMs;
      const copies = [v.state, readCanonical(writeCanonical(v.state).slice()), readImage(writeImage(v.state).slice())];
      return copies.map((state) => {
        v.state = state;
        v.runAt(at, v.sell("bob", "10", "100"), v.buy("alice", "10", "100"), v.buy("carol", "10", "86"));
        return [...paid(v.runAt(at + 1, v.price("85"))), v.total("insurance")];
      });
    };
    // On the new day, 4 % of 960.
    expect(again(1)).toEqual(Array(3).fill([36, 924_000_000n]));
    const v = open(["alice"], "1000", caps);
    v.runAt(DAY_MS + 5, v.price("85"));
    v.runAt(DAY_MS + 6, v.price("100"), v.deposit("alice", "100"));
    v.state = readImage(writeImage(v.state).slice());
    v.runAt(DAY_MS + 7, v.sell("bob", "10", "100"), v.buy("alice", "10", "100"), v.buy("carol", "10", "86"));
    expect(paid(v.runAt(2 * DAY_MS - 1, v.price("85")))).toEqual([]);
  });

  test("a deficit is paid within the caps too, and the rest is shared", () => {
    const cornered = (cap: string) => {
      const more = { market: "MORE" };
      const v = new TestVenue({
        markets: { TEST: { insuranceCapAccount: cap }, MORE: { tickSize: "0.01" } },
        accounts: { alice: "100", bob: "200", dave: "100000" },
        prices: { TEST: "100", MORE: "10" },
        insurance: "45",
      });
      v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
      v.do(v.sell("dave", "100", "10", more), v.buy("bob", "100", "10", more));
      return v.do(v.price("85"), v.price("7.35", more));
    };
    // The close-out at the mark leaves a deficit of 50.
    expect([paid(cornered("45")), cornered("45").of("lossSocialized")[0]?.amount]).toEqual([[45], 5e6]);
    expect([paid(cornered("44.999999")), cornered("44.999999").of("lossSocialized")[0]?.amount]).toEqual([
      [44.999999],
      5_000_001,
    ]);
    expect(paid(cornered("0"))).toEqual([]);
  });

  test("a share above 1 is refused", () => {
    const v = open(["alice"], "1000");
    expect(v.try(v.update({ insuranceCapMarket: "1.000001" }))).toBe("PARAMETER_INVALID");
    expect(v.try(v.update({ insuranceCapMarket: "1" }))).toBe("applied");
  });
});
