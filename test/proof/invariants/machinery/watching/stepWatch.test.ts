import { expect, test } from "vitest";
import { Flow } from "../../../../../src/proof/fuzz/flow/flow.ts";
import { headFromEffects } from "../../../../../src/proof/invariants/chain/headFromEffects.ts";
import { invariants } from "../../../../../src/proof/invariants/list.ts";
import { defineInvariant } from "../../../../../src/proof/invariants/machinery/defineInvariant.ts";
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

// Goal: a watch that stays at a venue checks as one that is set to it again. Method: several blocks at each venue, one
// of them with a fault, on two watches; then another venue.
test("a step watch that stays at a venue finds and counts the same", () => {
  const steps = record(16);
  const [staying, starting] = [new StepWatch(steps[0]!.before), new StepWatch(steps[0]!.before)];
  for (const [at, { before, block }] of steps.entries()) {
    const empty: Block = { ...block, transactions: [] };
    for (const [turn, tried] of [block, empty, block, empty].entries()) {
      const found = [staying, starting].map((watch) => {
        const after = forkState(before);
        watch.start(before, watch === staying && turn > 0);
        const result = applyBlock(after, tried, watch.probe);
        if (turn === 1 && at % 5 === 4) (after.accounts.collateral[0 as never] as number)++;
        return watch.check(before, after, tried, result, { heavy: turn === 3 && at === 15 });
      });
      expect(found[0], `block ${block.height}, turn ${turn}`).toEqual(found[1]);
      expect(found[0]!.length > 0).toBe(turn === 1 && at % 5 === 4);
    }
  }
  expect(staying.met).toEqual(starting.met);
});

test("turns of sweeps are counts: blocks of one height do not all get the same part", () => {
  const [step] = record(1);
  const turns: number[] = [];
  const seen = defineInvariant({
    id: "seen",
    sentence: "Notes the turn.",
    rules: [],
    when: "block",
    heavy: true,
    sweep: (_state, { turn }) => {
      turns.push(turn);
      return turn === 2 ? "the third" : undefined;
    },
  });
  const watch = new StepWatch(step!.before, [seen]);
  const found = Array.from({ length: 4 }, () => {
    check(watch, step!);
    return watch.checkHeavy(step!.before);
  });
  expect(turns).toEqual([0, 1, 2, 3]);
  expect(found.map(([violation]) => violation?.turn)).toEqual([undefined, undefined, 2, undefined]);
});

// Goal: effects and base are compared in every turn, the hash over them in one turn of eight. Method: each block has
// one of two faults; the effects are those of another time, or the engine hashes them wrongly.
test("wrong effects are found at once, a wrong hash of right effects in one turn of eight", () => {
  const steps = record(20);
  const turnsOf = (spoil: (after: State) => void) => {
    const watch = new StepWatch(steps[0]!.before, [headFromEffects]);
    return steps.flatMap((step) => check(watch, step, spoil).map(({ turn }) => turn));
  };
  const wrongTime = ({ events: { data }, height, timeMs }: State) => {
    const at = data.findIndex((word, place) => word === -1 && data[place + 1] === height && data[place + 2] === timeMs);
    data[at + 2]!++;
  };
  expect(turnsOf(wrongTime)).toEqual(steps.map((_step, turn) => turn));
  expect(turnsOf(({ chain }) => void Object.assign(chain, { headText: () => "00" }))).toEqual([0, 8, 16]);
  expect(turnsOf(() => {})).toEqual([]);
});
