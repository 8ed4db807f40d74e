import { expect, test } from "vitest";
import { CaseRun, type FixedPayloads } from "../../../../../src/product/scenario/run/caseRun.ts";
import { compareModel } from "../../../../../src/proof/fuzz/differential/compareModel.ts";
import { LetterBlocks } from "../../../../../src/proof/fuzz/explore/world/letterBlocks.ts";
import { Path } from "../../../../../src/proof/fuzz/explore/world/path.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../../../src/venue/engine/commitment/root.ts";
import { forkState } from "../../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../../src/venue/engine/state/state.ts";
import { openWorld, TRADERS } from "./worldHelpers.ts";

const start = openWorld(TRADERS, true).starts[0]!;
const letters = [...start.alphabet.letters.entries()].filter(([, { needs }]) => needs.length === 0);
const blocks = new LetterBlocks(start);

/** All sequences of up to two blocks, each with the venue that its blocks lead to from the start. */
function listSequences(): { sequence: number[]; state: State }[] {
  const root = { sequence: [] as number[], state: start.point.state };
  const extend = ({ sequence, state }: typeof root) =>
    letters.map(([letter, { planned }]) => {
      const next = forkState(state);
      const block = new CaseRun(start.plan, start.digest, { state: next, labels: new Map() }).build(planned);
      applyBlock(next, block);
      return { sequence: [...sequence, letter], state: next };
    });
  const one = extend(root);
  return [root, ...one, ...one.flatMap(extend)];
}

// Goal: the state of a sequence does not depend on the sequences before it, whose states and memory are used again.
test("a path leads to the same venue and model in whatever order its sequences come", () => {
  const sequences = listSequences();
  const path = new Path(start, blocks);
  for (const step of [1, 7, 5]) {
    for (let turn = 0; turn < sequences.length; turn++) {
      const { sequence, state } = sequences[(turn * step) % sequences.length]!;
      const { state: reached, model } = path.reach(sequence).point;
      expect([computeRoot(reached), getHead(reached)]).toEqual([computeRoot(state), getHead(state)]);
      expect(compareModel(reached, { ...model!, tools: undefined as never })).toBeUndefined();
    }
  }
  expect(new Set(sequences.map(({ state }) => computeRoot(state))).size).toBeGreaterThan(20);
});

test("a sequence that has all but its last block in common with the one before costs one block", () => {
  let applied = 0;
  const path = new Path(start, blocks, {
    apply(state, block, probe) {
      applied++;
      return applyBlock(state, block, probe);
    },
  });
  const sequences = listSequences().filter(({ sequence }) => sequence.length === 2);
  for (const { sequence } of sequences) path.reach(sequence);
  expect(applied).toBe(sequences.length + letters.length);
});

test("payloads that are kept make the same blocks as new ones, and depend on the file alone", () => {
  const text = TRADERS.replace(
    "- { name: cancels",
    `- { name: takes all out, transactions: [{ from: bob, withdraw: { amount: all } }] }
  - name: a time
    transactions:
      - { from: bob, placeOrder: { side: buy, size: "1", price: "98", timeInForce: GTT, goodTilTime: +1m } }
  - { name: cancels`,
  );
  const { plan, digest, alphabet, point } = openWorld(text).starts[0]!;
  const fixed: FixedPayloads = new Map();
  const state = forkState(point.state);
  for (let round = 0; round < 3; round++) {
    for (const { planned } of alphabet.letters.filter(({ needs }) => needs.length === 0)) {
      const from = { state, labels: new Map() };
      const block = new CaseRun(plan, digest, from, fixed).build(planned);
      expect(block).toEqual(new CaseRun(plan, digest, from).build(planned));
      applyBlock(state, block);
    }
  }
  const kept = [...fixed.keys()].map(({ action }) => action);
  const built = alphabet.letters.flatMap(({ planned }) => planned.steps.map(({ action }) => action));
  const count = (list: readonly string[], action: string) => list.filter((one) => one === action).length;
  // Both traders bid and take, and the maker sells; the order that lasts a minute is of two traders as well.
  expect([count(built, "placeOrder"), count(kept, "placeOrder")]).toEqual([7, 5]);
  expect([count(built, "withdraw"), count(kept, "withdraw")]).toEqual([4, 2]);
});
