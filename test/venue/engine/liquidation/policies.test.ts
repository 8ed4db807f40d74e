import { describe, expect, test } from "vitest";
import { CLOSE_KINDS, INSURANCE_CAUSES, LIQUIDATION_STAGES } from "../../../../src/protocol/events.ts";
import type { ParameterTexts } from "../../../../src/protocol/parameters.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

const rich = { bob: "1000000", carol: "10000000" };

/** Maintenance 5 %, no fees of trades; alice is long some at 100. */
const open = (parameters: ParameterTexts, lots = "10", balance = "100", options: VenueOptions = {}) => {
  const v = new TestVenue({
    markets: { TEST: { maxSize: "1000000", positionLimit: "1000000", ...parameters } },
    accounts: { alice: balance, ...rich },
    prices: { TEST: "100" },
    ...options,
  });
  v.do(v.sell("bob", lots, "100"), v.buy("alice", lots, "100"));
  return v;
};
const stages = (story: Story) => story.of("liquidationStage").map(({ stage }) => LIQUIDATION_STAGES[stage]);
const insurance = (story: Story) =>
  story.of("insuranceChanged").map(({ delta, cause }) => [INSURANCE_CAUSES[cause], delta / 1e6]);
const closed = (v: TestVenue, story: Story) =>
  story
    .of("deleveraged")
    .map(
      ({ way, counterparty, size, value }) =>
        `${CLOSE_KINDS[way]} ${v.nameOf(counterparty as AccountRow)} ${size} for ${value / 1e6}`,
    );

describe("policy perplab is the default", () => {
  test("within the fillable price, at a fee", () => {
    const v = open({});
    v.do(v.buy("carol", "4", "93"), v.buy("carol", "50", "91"));
    const story = v.do(v.price("94"));
    expect([v.fills(story), insurance(story)]).toEqual([["4@93 carol>alice"], [["liquidationFee", 3.72]]]);
  });
});

describe("policy hyperliquid", () => {
  const policy = { liquidationPolicy: "hyperliquid" };

  test("goes to the book without a fee, down to the bankruptcy price and no further", () => {
    const v = open(policy);
    v.do(v.buy("carol", "2", "93"), v.buy("carol", "2", "90"), v.buy("carol", "50", "89"));
    const story = v.do(v.price("94"));
    expect([v.fills(story), insurance(story)]).toEqual([["2@93 carol>alice", "2@90 carol>alice"], []]);
  });

  test("a fifth of a large position goes first; for thirty seconds after it orders are for all of it; then a fifth again", () => {
    const v = open({ ...policy, priceBand: "1" }, "2000", "20100");
    v.do(v.buy("carol", "410", "93"));
    v.do(v.price("94.2"));
    expect(v.lots("alice")).toBe(1600);
    const at = v.state.timeMs;
    // All of the position is offered to the ten bids that are left.
    const all = v.runAt(at + 29_999, v.price("93.8"), v.buy("carol", "5000", "93"));
    expect([v.fills(all), all.of("liquidationStage")[0]?.cooldownMs]).toEqual([["10@93 carol>alice"], at + 30_000]);
    const again = v.runAt(at + 30_000);
    expect(v.fills(again)).toEqual(["318@93 carol>alice"]);
  });

  test("below two thirds of maintenance the backstop takes it instead of the book, with the margin left", () => {
    const v = open(policy, "10", "100", { backstops: { pool: "1000" } });
    v.do(v.buy("carol", "50", "92"));
    const story = v.do(v.price("93"));
    // The fills are the backstop's own, which begins to unwind in the same pass.
    expect(closed(v, story)).toEqual(["takeover pool 10 for 900"]);
    expect([v.usd("alice"), v.fills(story), stages(story)]).toEqual(["0", [], ["backstop", "completed"]]);
    const without = open(policy);
    without.do(without.buy("carol", "50", "92"));
    expect(without.fills(without.do(without.price("93")))).toEqual(["10@92 carol>alice"]);
  });

  test("without equity, deleverages at the mark of the block before, and the fund pays no account", () => {
    const v = open({ ...policy, insuranceCapMarket: "1" }, "10", "100", { insurance: "1000" });
    v.do(v.price("91"), v.buy("carol", "10", "80"));
    expect(v.lots("alice")).toBe(10);
    const story = v.do(v.price("85"));
    expect([closed(v, story), v.fills(story), insurance(story)]).toEqual([["previousMark bob 10 for 910"], [], []]);
    expect([v.usd("alice"), stages(story)]).toEqual(["10", ["deleveraging", "completed"]]);
  });

  test("the rest of a deficit is shared, not paid by the fund", () => {
    const v = open({ ...policy, insuranceCapMarket: "1" }, "10", "100", { insurance: "1000" });
    v.do(v.price("88"));
    // At 88 the account is already below zero, and the mark before it was 100. From now on 88 is the mark before.
    expect(v.lots("alice")).toBe(0);
    const w = open({ ...policy, insuranceCapMarket: "1" }, "10", "100", { insurance: "1000" });
    w.do(w.price("90.5"));
    w.do(w.status("cancelOnly"));
    const story = w.do(w.price("89"), w.price("88"));
    expect([insurance(story), w.lots("alice")]).toEqual([[], 0]);
  });
});

describe("policy dydx", () => {
  const policy = { liquidationPolicy: "dydx" };

  test("a position up to 1,000 USD goes whole, and up to a percent and a half of it is the fee", () => {
    const v = open(policy);
    v.do(v.buy("carol", "50", "94"));
    const story = v.do(v.price("94"));
    expect([v.fills(story), insurance(story)]).toEqual([["10@94 carol>alice"], [["liquidationFee", 14.1]]]);
  });

  test("of a larger one a tenth, but no less than 1,000 USD, in every block, without a cooldown", () => {
    const v = open(policy, "2000", "20100");
    v.do(v.buy("carol", "5000", "94"));
    expect(v.fills(v.do(v.price("94.2")))).toEqual(["200@94 carol>alice"]);
    expect(v.fills(v.do(v.price("94")))).toEqual(["180@94 carol>alice"]);
    const small = open(policy, "20", "201");
    small.do(small.buy("carol", "50", "94"));
    // 1,000 of 1,884 USD, in lots of 94.2, rounded down.
    expect(small.fills(small.do(small.price("94.2")))).toEqual(["10@94 carol>alice"]);
  });

  test("of an account at most 100,000 USD a block", () => {
    const v = open(policy, "20000", "201000", { accounts: { alice: "201000", bob: "10000000", carol: "10000000" } });
    v.do(v.buy("carol", "20000", "94"));
    // 100,000 / 94.2 = 1,061.5; a tenth would be 2,000.
    expect(v.fills(v.do(v.price("94.2")))).toEqual(["1061@94 carol>alice"]);
  });

  test("the fillable price may lie beyond the bankruptcy price; the fund then pays, though equity is left", () => {
    const v = open(policy, "10", "100", { insurance: "1000" });
    v.do(v.buy("carol", "50", "89"));
    // At 92: equity 20, maintenance 46, bankruptcy price 90, fillable 92 * (1 - 0.075 * 26 / 46) = 88.1.
    const story = v.do(v.price("92"));
    expect([v.fills(story), insurance(story)]).toEqual([["10@89 carol>alice"], [["cover", -10]]]);
    expect(v.usd("alice")).toBe("0");
  });

  test("with equity no account is deleveraged; without it, at the bankruptcy price, and lots that no account can take stay", () => {
    const v = open(policy);
    expect([closed(v, v.do(v.price("91"))), v.lots("alice")]).toEqual([[], 10]);
    expect(closed(v, v.do(v.price("85")))).toEqual(["deleveraging bob 10 for 900"]);
    const more = { market: "MORE" };
    const w = new TestVenue({
      markets: { TEST: policy, MORE: { tickSize: "0.01" } },
      accounts: { alice: "100", bob: "200", dave: "100000" },
      prices: { TEST: "100", MORE: "10" },
    });
    w.do(w.sell("bob", "10", "100"), w.buy("alice", "10", "100"));
    w.do(w.sell("dave", "100", "10", more), w.buy("bob", "100", "10", more));
    const story = w.do(w.price("85"), w.price("7.35", more));
    expect([closed(w, story), w.lots("alice"), stages(story)]).toEqual([[], 10, ["bookClosing", "deleveraging"]]);
  });
});

describe("policy binance", () => {
  const policy = { liquidationPolicy: "binance", insuranceCapMarket: "1" };

  test("one order for all of it, however large, limited by the bankruptcy price, at a fee", () => {
    const v = open(policy, "2000", "20100");
    v.do(v.buy("carol", "5000", "90"));
    const story = v.do(v.price("94.2"));
    // Bankruptcy price 89.95: the fee is the rest of each lot.
    expect([v.fills(story), insurance(story)]).toEqual([["2000@90 carol>alice"], [["liquidationFee", 100]]]);
  });

  test("the backstop acts instead of the fund, whatever equity is left; without one the rest waits", () => {
    const v = open(policy, "10", "100", { backstops: { pool: "1000" } });
    expect(closed(v, v.do(v.price("94")))).toEqual(["takeover pool 10 for 900"]);
    const loss = open(policy, "10", "100", { backstops: { pool: "1000" } });
    expect(closed(loss, loss.do(loss.price("85")))).toEqual(["takeover pool 10 for 900"]);
    expect(loss.health("pool").equity).toBe(950e6);
    const alone = open(policy);
    expect([closed(alone, alone.do(alone.price("94"))), alone.lots("alice")]).toEqual([[], 10]);
  });

  test("without equity the fund pays for fills beyond the bankruptcy price; the lots beyond its caps are deleveraged", () => {
    const v = open(policy, "10", "100", { insurance: "21" });
    v.do(v.buy("carol", "10", "86"));
    const story = v.do(v.price("85"));
    expect([v.fills(story), insurance(story), closed(v, story)]).toEqual([
      ["5@86 carol>alice"],
      [["cover", -20]],
      ["deleveraging bob 5 for 450"],
    ]);
  });
});

test("a margin account in two markets is closed in each by that market's policy", () => {
  const more = { market: "MORE" };
  const v = new TestVenue({
    markets: { TEST: { liquidationPolicy: "hyperliquid" }, MORE: {} },
    accounts: { alice: "111", ...rich },
    prices: { TEST: "100", MORE: "100" },
  });
  v.do(v.sell("bob", "6", "100"), v.buy("alice", "6", "100"));
  v.do(v.sell("bob", "5", "100", more), v.buy("alice", "5", "100", more));
  v.do(v.buy("carol", "1", "93"), v.buy("carol", "1", "94", more));
  const story = v.do(v.price("94"), v.price("94", more));
  // Only the second pays a fee.
  expect(insurance(story)).toEqual([["liquidationFee", 0.94]]);
  expect(story.of("fill").map(({ market }) => market)).toEqual([0, 1]);
});
