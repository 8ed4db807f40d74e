/** Faults that generated flows and the reading of the engine found, each as the shortest story that shows it. */
import { describe, expect, test } from "vitest";
import { getHead } from "../../src/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../src/engine/commitment/snapshot.ts";
import { TestVenue } from "../helpers/venue.ts";

/** The same steps on a venue and on its twin, restored from a snapshot just before them. */
function runTwice(venue: TestVenue, steps: Parameters<TestVenue["run"]>): { outcomes: unknown[]; heads: string[] } {
  const bytes = writeSnapshot(venue.state).slice();
  const first = venue.run(...steps);
  const head = getHead(venue.state);
  venue.state = readSnapshot(bytes);
  const second = venue.run(...steps);
  return { outcomes: [first.outcomes, second.outcomes], heads: [head, getHead(venue.state)] };
}

// A position row with orders but no size kept the funding index of the day it was made, and its first fill settled 0.
test("an order that rested through funding fills the same after a restore", () => {
  const venue = new TestVenue({
    markets: { TEST: { fundingMethod: "external" } },
    accounts: { alice: "1000", bob: "1000" },
    prices: { TEST: "100" },
  });
  venue.run(venue.buy("alice", "1", "100"));
  venue.run(venue.price("100", { funding: "0.001" }));
  const { heads } = runTwice(venue, [venue.sell("bob", "1", "100")]);
  expect(heads[1]).toBe(heads[0]);
});

// Bands of a market that settles were not worked out again when parameters changed, but were after a restore.
describe("a market that is being settled", () => {
  test("has the band of its present parameters, restored or not", () => {
    const venue = new TestVenue({ accounts: { alice: "10000" }, prices: { TEST: "100" } });
    venue.run(venue.buy("alice", "5", "90"));
    const [order] = venue.state.orders.id;
    venue.run(venue.update({ status: "settling", priceBand: "0.05" }));
    const { outcomes, heads } = runTwice(venue, [venue.amend("alice", order!, { size: "2" })]);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(heads[1]).toBe(heads[0]);
  });
});

// Names that every object has were taken for parameters and presets.
describe("names that every object has are no names of", () => {
  const venue = new TestVenue({});

  test.each(["constructor", "toString", "__proto__"])("parameters: %s", (name) => {
    expect(venue.run(venue.update({ [name]: "1" })).outcomes).toEqual(["PARAMETER_INVALID"]);
  });

  test.each(["constructor", "toString", "__proto__"])("presets: %s", (preset) => {
    expect(venue.run(venue.create("NEW", preset)).outcomes).toEqual(["PARAMETER_INVALID"]);
  });
});
