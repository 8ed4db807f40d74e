import { expect, test } from "vitest";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import type { Apply } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import { shrinkChronicle } from "../../../../src/proof/fuzz/shrink/shrinkScript.ts";
import { type Violation, Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import type { Block } from "../../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { loose } from "../../../helpers/loose.ts";

/** A venue in which a refused attempt leaves a trace. */
function leave(trace: (state: State, code: number) => void): Apply {
  return (state, block, probe) =>
    applyBlock(state, block, {
      beforeBlock: (venue, of, from) => probe?.beforeBlock?.(venue, of, from),
      afterTransaction: (venue, index) => {
        trace(venue, venue.receipts.codes[index]!);
        probe?.afterTransaction?.(venue, index);
      },
      afterStep: (venue, step) => probe?.afterStep?.(venue, step),
    });
}

/** Plays a flow up to the first violation. */
function fail(seed: number, apply: Apply) {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state, { sweepEvery: 8, heavyEvery: 64 });
  const blocks: Block[] = [];
  let found: Violation | undefined;
  while (found === undefined && blocks.length < 200) {
    const block = flow.next(state);
    blocks.push(block);
    found = watch.check(state, block, apply(state, block, watch.probe))[0];
  }
  return { chronicle: { genesis: flow.genesis, blocks }, failure: found! };
}

// Goal: the passes of the shrinker drop refused transactions first, and must keep the one that matters.
test.each([
  ["a rejection that pays a unit", (state: State, code: number) => code > 0 && loose(state.accounts.collateral)[0]!++],
  ["a rejection that takes a nonce", (state: State, code: number) => code > 0 && loose(state.accounts.nonceRisk)[0]!++],
  ["an inadmissible one that pays", (state: State, code: number) => code < 0 && loose(state.accounts.collateral)[0]!++],
  [
    "a rejection with a place in a queue",
    (state: State, code: number) => {
      if (code > 0) loose(state.accounts.queuedSince)[0] = state.height;
    },
  ],
] as const)("%s is shrunk to at most 10 transactions", (_fault, trace) => {
  for (const seed of [3, 8]) {
    const apply = leave((state, code) => void trace(state, code));
    const { chronicle, failure } = fail(seed, apply);
    const shrunk = shrinkChronicle(chronicle, failure, { apply, candidates: 1_000 })!;
    expect(shrunk.failure.invariant).toBe(failure.invariant);
    expect(shrunk.transactions).toBeLessThanOrEqual(10);
  }
});
