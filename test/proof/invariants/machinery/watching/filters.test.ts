import { expect, test } from "vitest";
import { Flow } from "../../../../../src/proof/fuzz/flow/flow.ts";
import { invariants } from "../../../../../src/proof/invariants/list.ts";
import type { Invariant } from "../../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { Watch } from "../../../../../src/proof/invariants/machinery/watching/watch.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../../src/venue/engine/genesis.ts";

/**
 * An invariant that also checks steps and blocks at which it has nothing to check. A step that it names is a part of
 * its sentence and stays.
 */
function checkEverywhere({ moments, skipsEmptySteps, sweepKinds, ...invariant }: Invariant): Invariant {
  return moments === undefined || moments.includes("transaction") ? invariant : { ...invariant, moments };
}

/** Blocks of a flow: all kinds of traffic, risk passes and changes of markets among them. */
function watchFlow(seed: number, blocks: number, chosen: readonly Invariant[]) {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state, { invariants: chosen, heavyEvery: 0, thorough: false });
  const found = Array.from({ length: blocks }, () => {
    const block = flow.next(state);
    return watch.check(state, block, applyBlock(state, block, watch.probe));
  });
  return { met: watch.met, nearest: watch.nearest, found: found.flat() };
}

const filtered = invariants.filter(
  ({ moments, skipsEmptySteps, sweepKinds }) => moments ?? skipsEmptySteps ?? sweepKinds,
);

/** Invariants whose case these flows do not have. */
const RARE: readonly string[] = ["worstFirst", "reduceOnlyMarkets"];

// Goal: an invariant that leaves out moments, empty steps or blocks leaves out no case. Method: the same flows with and
// without these filters; each check counts the cases that it compared.
test("moments and blocks that an invariant leaves out have no case", () => {
  expect(filtered.length).toBeGreaterThan(20);
  const silent = new Set(filtered.map(({ id }) => id));
  for (let seed = 1; seed <= 6; seed++) {
    const own = watchFlow(seed, 50, filtered);
    const everywhere = watchFlow(seed, 50, filtered.map(checkEverywhere));
    expect(own.found).toEqual([]);
    expect(own).toEqual(everywhere);
    for (const [id, count] of own.met) if (count > 0) silent.delete(id);
  }
  expect([...silent]).toEqual(RARE);
});
