import { expect, test } from "vitest";
import { Flow } from "../../../../../src/proof/fuzz/flow/flow.ts";
import { defineInvariant } from "../../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { Watch } from "../../../../../src/proof/invariants/machinery/watching/watch.ts";
import type { Block } from "../../../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { computeRoot } from "../../../../../src/venue/engine/commitment/root.ts";
import { readEvents } from "../../../../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../../../../src/venue/engine/genesis.ts";

/** Heights at which each of some invariants was swept. */
function play(count: number, sizeOf: (block: Block) => number): { blocks: number; swept: number[]; heavy: number[][] } {
  const flow = new Flow(39);
  const state = createVenue(flow.genesis);
  const swept: number[] = [];
  const heavy: number[][] = [[], []];
  const note = (id: string, list: number[], isHeavy: boolean) =>
    defineInvariant({
      id,
      sentence: "It is checked.",
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

// Goal: full blocks are checked as often per transaction. Method: blocks of at most eight, which count as two.
test("full blocks count as several", () => {
  const { swept, heavy } = play(20, () => 8);
  expect(swept.length).toBeGreaterThanOrEqual(8);
  expect(heavy.map((list) => list.length)).toEqual([expect.toSatisfy((n) => n >= 4), expect.toSatisfy((n) => n >= 4)]);
});

// Goal: the first event of a kind is checked in its block, with the venue as it was before. Method: nothing else
// is due for thousands of blocks: each such venue is an old fork that caught up.
test("a block with a new kind of event is swept, from the venue before it", () => {
  const flow = new Flow(20);
  const state = createVenue(flow.genesis);
  const roots = [computeRoot(state)];
  const swept: number[] = [];
  const news = defineInvariant({
    id: "news",
    sentence: "It is checked.",
    rules: ["BLK"],
    when: "block",
    news: 1,
    sweep(after, { before, block }) {
      swept.push(block.height);
      expect(after.height).toBe(block.height);
      expect(before.height).toBe(block.height - 1);
      expect(computeRoot(before)).toBe(roots[block.height - 1]);
      return undefined;
    },
  });
  const seldom = { ...news, id: "seldom", news: 3, sweep: () => void seldomSwept++ };
  let seldomSwept = 0;
  const watch = new Watch(state, { invariants: [news, seldom], sweepEvery: 4_000, heavyEvery: 4_000 });
  const reported = new Set<string>();
  const first: number[] = [];
  for (let count = 0; count < 120; count++) {
    const block = flow.next(state);
    const result = applyBlock(state, block, watch.probe);
    expect(watch.check(state, block, result)).toEqual([]);
    roots.push(computeRoot(state));
    const stages = readEvents(result.events, result.from, result.to).flatMap((event) =>
      event.kind === "liquidationStage" ? [`${event.stage}`] : [],
    );
    if (stages.some((stage) => !reported.has(stage))) first.push(block.height);
    for (const stage of stages) reported.add(stage);
  }
  expect(first.length).toBeGreaterThan(1);
  expect(swept).toEqual(expect.arrayContaining(first));
  expect(swept.length).toBeLessThan(60);
  expect(seldomSwept).toBe(Math.floor(swept.length / 3));
});
