import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Flow } from "../../../src/proof/fuzz/flow/flow.ts";
import { Watch } from "../../../src/proof/invariants/machinery/watching/watch.ts";
import { isEngineError } from "../../../src/protocol/engineError.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { readSnapshot, writeSnapshot } from "../../../src/venue/engine/commitment/snapshot.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";

const arbitrarySeed = fc.integer({ min: 0, max: 2 ** 32 - 1 });

// Goal: no flow of transactions, valid or not, breaks an invariant.
describe("no generated flow breaks", () => {
  test("an invariant of a block", () => {
    fc.assert(
      fc.property(arbitrarySeed, (seed) => {
        const flow = new Flow(seed);
        const state = createVenue(flow.genesis);
        const watch = new Watch(state);
        for (let count = 0; count < 60; count++) {
          const block = flow.next(state);
          expect(watch.check(state, block, applyBlock(state, block))).toEqual([]);
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  test("an invariant of a transaction", () => {
    fc.assert(
      fc.property(arbitrarySeed, (seed) => {
        const flow = new Flow(seed);
        const state = createVenue(flow.genesis);
        const watch = new Watch(state, { sweepEvery: 0, heavyEvery: 0, thorough: true });
        for (let count = 0; count < 60; count++) {
          const block = flow.next(state);
          expect(watch.check(state, block, applyBlock(state, block, watch.probe))).toEqual([]);
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});

// Goal: no invariant is silent because its case never occurs. Method: sixty flows with occasional sweeps.
test("every invariant meets its case repeatedly", () => {
  const met = new Map<string, number>();
  for (let seed = 1; seed <= 60; seed++) {
    const flow = new Flow(seed);
    const state = createVenue(flow.genesis);
    const watch = new Watch(state, { sweepEvery: 3, heavyEvery: 23 });
    for (let count = 0; count < 100; count++) {
      const block = flow.next(state);
      expect(watch.check(state, block, applyBlock(state, block, watch.probe))).toEqual([]);
    }
    for (const [id, times] of watch.met) met.set(id, (met.get(id) ?? 0) + times);
  }
  // Debt without a position is covered in the block that causes it, and few accounts trade where positions may only
  // shrink.
  const rare = ["noFlatDebt", "reduceOnlyMarkets"];
  expect([...met].filter(([id, times]) => times === 0 && !rare.includes(id))).toEqual([]);
});

test("a watch may begin at a restored venue", () => {
  const flow = new Flow(23);
  const origin = createVenue(flow.genesis);
  for (let count = 0; count < 60; count++) applyBlock(origin, flow.next(origin));
  const state = readSnapshot(writeSnapshot(origin));
  const watch = new Watch(state);
  for (let count = 0; count < 20; count++) {
    const block = flow.next(state);
    expect(watch.check(state, block, applyBlock(state, block))).toEqual([]);
  }
});

test("as an observer of a loop a watch stops at the first violation, with its name and height", () => {
  const flow = new Flow(3);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state);
  const first = flow.next(state);
  watch.onBlock(state, first, applyBlock(state, first));
  const second = flow.next(state);
  const result = applyBlock(state, second);
  state.accounts.collateral[1 as never]!++;
  try {
    watch.onBlock(state, second, result);
    expect.unreachable();
  } catch (error) {
    if (!isEngineError(error, "INVARIANT_VIOLATED")) throw error;
    expect(error.details).toMatchObject({ invariant: "conservation", height: 2 });
  }
});

test("a broken structure that a check cannot read is a violation", () => {
  const flow = new Flow(3);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state);
  const block = flow.next(state);
  const result = applyBlock(state, block);
  state.accounts.collateral[1 as never] = Number.NaN as never;
  const names = watch.check(state, block, result).map(({ invariant }) => invariant);
  expect(names).toEqual(expect.arrayContaining(["storable", "conservation", "equityFromScratch"]));
});
