import { expect, test } from "vitest";
import { applyBlock } from "../../src/engine/applyBlock.ts";
import { createVenue } from "../../src/engine/genesis.ts";
import { Flow } from "../../src/generators/flow.ts";
import { defineInvariant } from "../../src/invariants/defineInvariant.ts";
import { Watch } from "../../src/invariants/watch.ts";
import type { Block } from "../../src/protocol/transaction.ts";

/** Heights at which a sweep of each of some invariants came. */
function play(count: number, sizeOf: (block: Block) => number): { blocks: number; swept: number[]; heavy: number[][] } {
  const flow = new Flow(5);
  const state = createVenue(flow.genesis);
  const swept: number[] = [];
  const heavy: number[][] = [[], []];
  const note = (id: string, list: number[], isHeavy: boolean) =>
    defineInvariant({
      id,
      sentence: "It is looked at.",
      rules: ["BLK"],
      when: "block",
      ...(isHeavy ? { heavy: true } : {}),
      sweep(_state, { block }) {
        list.push(block.height);
        return undefined;
      },
    });
  const invariants = [note("light", swept, false), note("one", heavy[0]!, true), note("two", heavy[1]!, true)];
  const watch = new Watch(state, { invariants, sweepEvery: 4, heavyEvery: 8 });
  for (let at = 0; at < count; at++) {
    const drawn = flow.next(state);
    const block = { ...drawn, transactions: drawn.transactions.slice(0, sizeOf(drawn)) };
    expect(watch.check(state, block, applyBlock(state, block, watch.probe))).toEqual([]);
  }
  return { blocks: count, swept, heavy };
}

test("small blocks are swept by their height, and heavy checks take turns", () => {
  const { swept, heavy } = play(20, () => 3);
  expect(swept).toEqual([4, 8, 12, 16, 20]);
  expect(heavy).toEqual([
    [8, 16],
    [7, 15],
  ]);
});

// Goal: full blocks are not looked at less often for each transaction. Method: blocks of eight, which count as two.
test("full blocks count as several", () => {
  const { swept, heavy } = play(20, () => 8);
  expect(swept.length).toBeGreaterThanOrEqual(9);
  expect(heavy.map((list) => list.length)).toEqual([expect.toSatisfy((n) => n >= 4), expect.toSatisfy((n) => n >= 4)]);
});
