import { expect, test } from "vitest";
import { Flow } from "../../../../../src/proof/fuzz/flow/flow.ts";
import { invariants } from "../../../../../src/proof/invariants/list.ts";
import { defineInvariant } from "../../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { Watch, type WatchOptions } from "../../../../../src/proof/invariants/machinery/watching/watch.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../../src/venue/engine/genesis.ts";
import type { State } from "../../../../../src/venue/engine/state/state.ts";

const BLOCKS = 40;

interface Played {
  /** Heights of the blocks whose moments the watch checked. */
  readonly seen: readonly number[];
  readonly met: ReadonlyMap<string, number>;
}

/** Plays a flow under all invariants, none of which it breaks. */
function play(options: WatchOptions, hasProbe: (height: number) => boolean): Played {
  const flow = new Flow(5);
  const state = createVenue(flow.genesis);
  const seen = new Set<number>();
  const looks = defineInvariant({
    id: "looks",
    sentence: "It is checked.",
    rules: ["BLK"],
    when: "transaction",
    touched: ({ block }) => void seen.add(block.height),
  });
  const watch = new Watch(state, { ...options, invariants: [...invariants, looks] });
  for (let at = 0; at < BLOCKS; at++) {
    const block = flow.next(state);
    const result = applyBlock(state, block, hasProbe(block.height) ? watch.probe : undefined);
    expect(watch.check(state, block, result), `block ${block.height}`).toEqual([]);
  }
  return { seen: [...seen], met: watch.met };
}

const ALL = Array.from({ length: BLOCKS }, (_block, at) => at + 1);

test.each([0, 1, 3, 4_000])("blocks without the probe are all checked if every %i-th is swept", (every) => {
  const pace = { sweepEvery: every, heavyEvery: every };
  const without = play(pace, () => false);
  expect(without).toEqual(play(pace, () => true));
  expect(without.seen).toEqual(ALL);
});

// Goal: the first block without the probe has no fork from before if nothing was to be swept. An older fork catches up
// if blocks are kept for news. Otherwise the block is missed, without a false alarm and without a loss for other
// blocks.
test.each([
  [0, [9, 20]],
  [3, []],
  [4_000, []],
])("blocks come with and without the probe if every %i-th is swept", (every, unseen) => {
  const { seen } = play({ sweepEvery: every, heavyEvery: every }, (height) => ![9, 10, 11, 20].includes(height));
  expect(ALL.filter((height) => !seen.includes(height))).toEqual(unseen);
});

// Goal: a known invariant that writes is found, though only some sweeps and moments are compared. Method: one of them
// gets another check for the time of the test.
test.each(["sweep", "touched"] as const)("a known invariant whose %s changes the venue is found", (name) => {
  const guilty = invariants.find((one) => one[name] !== undefined && one.kinds === undefined)!;
  const check = guilty[name];
  const broken = new Set<string>();
  try {
    Object.assign(guilty, {
      [name]: (where: { readonly state?: State } & State) => {
        (where.state ?? where).accounts.collateral[0 as never]!++;
      },
    });
    const flow = new Flow(5);
    const state = createVenue(flow.genesis);
    const watch = new Watch(state, { sweepEvery: 1, thorough: false });
    for (let at = 0; at < BLOCKS && broken.size === 0; at++) {
      const block = flow.next(state);
      for (const found of watch.check(state, block, applyBlock(state, block, watch.probe)))
        if (found.broken === "changedVenue") broken.add(found.invariant);
    }
  } finally {
    Object.assign(guilty, { [name]: check });
  }
  expect([...broken]).toEqual([guilty.id]);
});
