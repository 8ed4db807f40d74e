import { describe, expect, test } from "vitest";
import { numberTexts, rulesOf } from "../../../../src/venue/simulation/explain/numberText.ts";
import { TestVenue } from "../../../helpers/venue.ts";

/** A tick is 0.5, a lot 0.01. */
const open = () =>
  new TestVenue({
    markets: { TEST: { tickSize: "0.5", lotSize: "0.01", minSize: "0.05", priceBand: "0.1", slippageMax: "0.05" } },
    accounts: { alice: "1000", bob: "1000" },
    prices: { TEST: "100" },
  });

const texts = (v: TestVenue, step: Parameters<TestVenue["run"]>[0]) => {
  const [transaction] = v.toTransactions([step]);
  const { code, numbers } = v.run(step).receipts[0]!;
  return numberTexts(code!, numbers!, rulesOf(v.state, transaction!, numbers));
};

describe("numbers of a rejection are decimals in the units of traders", () => {
  test.each<[string, (v: TestVenue) => Parameters<TestVenue["run"]>[0], Record<string, string>]>([
    [
      "a price out of its band",
      (v) => v.buy("alice", "1", "120.5"),
      { price: "120.5", index: "100", low: "90", high: "110" },
    ],
    ["a size that is too small", (v) => v.buy("alice", "0.04", "100"), { lots: "0.04", least: "0.05" }],
    ["a price off the grid", (v) => v.buy("alice", "1", "100.25"), { price: "100.25", tickSize: "0.5" }],
    ["a size off the grid", (v) => v.buy("alice", "1.001", "100"), { size: "1.001", lotSize: "0.01" }],
    ["a withdrawal", (v) => v.withdraw("alice", "1000.5"), { amount: "1000.5 USD", free: "1000 USD" }],
    [
      "a requirement",
      (v) => v.buy("alice", "101", "100"),
      { equity: "1000 USD", orderCost: "0 USD", required: "1010 USD" },
    ],
    [
      "what is beyond storable: a price of the oracle",
      (v) => v.price("80000000", { mark: "90000000" }),
      { price: "80000000", mark: "90000000", most: expect.stringMatching(/^\d+(\.\d+)?$/) as unknown as string },
    ],
    [
      "what is beyond storable: a payment",
      (v) => v.deposit("alice", "2300000000"),
      { amount: "2300000000 USD", limit: "2250000000 USD" },
    ],
    [
      "the second order of a batch",
      (v) => v.batch("alice", "all", v.buy("", "1", "90"), v.buy("", "1", "150")),
      { leg: "1", price: "150", index: "100", low: "90", high: "110" },
    ],
  ])("%s", (_what, step, wanted) => {
    const v = open();
    expect(texts(v, step(v))).toEqual(wanted);
  });

  test("an amendment, by the market of its order", () => {
    const v = open();
    const id = v.place(v.buy("alice", "1", "95"));
    expect(texts(v, v.amend("alice", id, { price: "150.5" }))).toEqual({
      price: "150.5",
      index: "100",
      low: "90",
      high: "110",
    });
    v.do(v.sell("bob", "1", "100"));
    expect(texts(v, v.buy("alice", "1", "100.5", { postOnly: true }))).toEqual({ price: "100.5", best: "100" });
  });
});
