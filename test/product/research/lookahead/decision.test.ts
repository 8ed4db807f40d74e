import { expect, test } from "vitest";
import { type Decision, listDifferences } from "../../../../src/product/research/lookahead/decision.ts";

const decide = (strategy: string, timeMs: number, market = "BTC") =>
  ({ strategy, timeMs, action: "closePosition", payload: { market, size: 0 } }) as Decision;

test("differences of several strategies come by time, each the first of its strategy, up to the time that is compared", () => {
  const recorded = [decide("b", 1), decide("a", 1), decide("b", 2), decide("a", 3), decide("a", 9)];
  const changed = [decide("a", 1), decide("b", 1), decide("b", 2, "ETH"), decide("a", 3, "ETH"), decide("c", 9)];
  const names = ["a", "b", "c"];
  // The order of the strategies within a block is no difference.
  expect(listDifferences(recorded, changed, 1, names)).toEqual([]);
  const found = listDifferences(recorded, changed, 5, names);
  expect(found.map(({ name, timeMs }) => [name, timeMs])).toEqual([
    ["b", 2],
    ["a", 3],
  ]);
  expect(found[0]).toMatchObject({ recorded: decide("b", 2), changed: decide("b", 2, "ETH") });
  const [, , third] = listDifferences(recorded, changed, 9, names);
  expect(third).toMatchObject({ name: "c", recorded: undefined, timeMs: 9 });
});
