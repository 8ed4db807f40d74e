import { expect, test } from "vitest";
import { Flow } from "../../../../../src/proof/fuzz/flow/flow.ts";
import { invariants } from "../../../../../src/proof/invariants/list.ts";
import { StepWatch } from "../../../../../src/proof/invariants/machinery/watching/stepWatch.ts";
import type { Block } from "../../../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../../src/venue/engine/state/state.ts";

/** A flow's states with the block after each. */
function record(blocks: number): { before: State; block: Block }[] {
  const flow = new Flow(3);
  const state = createVenue(flow.genesis);
  return Array.from({ length: blocks }, () => {
    const before = forkState(state);
    const block = flow.next(state);
    applyBlock(state, block);
    return { before, block };
  });
}

function check(watch: StepWatch, { before, block }: { before: State; block: Block }, spoil?: (after: State) => void) {
  const after = forkState(before);
  watch.start(before);
  const result = applyBlock(after, block, watch.probe);
  spoil?.(after);
  return watch.check(before, after, block, result, { heavy: false });
}

test("a step watch can be set to any state of a chain, in any order", () => {
  const steps = record(30);
  const watch = new StepWatch(steps[0]!.before);
  for (const step of [...steps].reverse()) expect(check(watch, step), `block ${step.block.height}`).toEqual([]);
  expect(watch.met.get("conservation")).toBeGreaterThan(0);
});

test("a violation is reported once, and the next start forgets it", () => {
  const steps = record(12);
  const watch = new StepWatch(steps[0]!.before);
  const spoiled = check(watch, steps[11]!, ({ accounts }) => void (accounts.collateral[0 as never] as number)++);
  expect(spoiled.map(({ invariant }) => invariant)).toContain("conservation");
  expect(check(watch, steps[11]!)).toEqual([]);
});

test("heavy invariants are checked only if they are asked for", () => {
  const [step] = record(1);
  const heavy = invariants.filter(({ heavy: isHeavy, sweep }) => isHeavy === true && sweep !== undefined);
  expect(heavy.length).toBeGreaterThan(0);
  const watch = new StepWatch(step!.before, heavy);
  const met = () => [...watch.met.values()].reduce((sum, count) => sum + count, 0);
  check(watch, step!);
  expect(met()).toBe(0);
  const after = forkState(step!.before);
  watch.start(step!.before);
  watch.check(step!.before, after, step!.block, applyBlock(after, step!.block, watch.probe), { heavy: true });
  expect(met()).toBeGreaterThan(0);
});
