import { expect, test } from "vitest";
import { BLOCKS, HouseFlows, SEEDS } from "../../../helpers/houseFlows.ts";

/** Kinds of events that drawn flows reach. */
const REACHED = [
  "fill",
  "orderOpened",
  "orderAmended in place",
  "orderAmended and moved",
  "orderResized",
  "orderCancelled replaced",
  "orderCancelled selfTrade",
  "orderCancelled expired",
  "orderCancelled reduceOnly",
  "printed",
  "intentTriggered",
  "intentCancelled",
];

// Goal: levels of a recorded book and lots ahead of it change the queues as ACC-1 and ACC-2 say. Method: drawn flows
// meet orders, stops and brackets of three traders and a second house at eight prices; the model applies the same
// blocks.
test("venue and model agree on drawn house flows between orders of traders", () => {
  const kinds = new Map<string, number>();
  let flows = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const drawn = new HouseFlows(seed);
    const done: string[] = [];
    for (let count = 0; count < BLOCKS; count++) {
      const block = drawn.next();
      done.push(...block.flows);
      flows += block.flows.length;
      for (const kind of block.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (block.difference !== undefined) expect(block.difference, `seed ${seed}: ${done.join("; ")}`).toBeUndefined();
    }
  }
  // An agreement about no flows, or about flows that meet nothing, proves nothing.
  expect(flows).toBeGreaterThan(2_500);
  expect(REACHED.filter((kind) => (kinds.get(kind) ?? 0) < 20)).toEqual([]);
});
