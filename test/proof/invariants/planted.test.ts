import { describe, expect, test } from "vitest";
import { invariants } from "../../../src/proof/invariants/list.ts";
import type { Invariant, Step } from "../../../src/proof/invariants/machinery/defineInvariant.ts";
import { KindSet } from "../../../src/proof/invariants/machinery/ledger/fieldsOf.ts";
import { getClientOrderId } from "../../../src/venue/engine/book/extras.ts";
import { forkState } from "../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { listOrders, listPositions } from "../../../src/venue/engine/state/walk.ts";
import { findMoment } from "../../helpers/flows.ts";
import { admissionPlants } from "./planted/admission.ts";
import { chainPlants } from "./planted/chain.ts";
import { deficitPlants } from "./planted/deficit.ts";
import { fundingPlants } from "./planted/funding.ts";
import { liquidationPlants } from "./planted/liquidation.ts";
import { marginPlants } from "./planted/margin.ts";
import { orderPlants } from "./planted/orders.ts";
import { findClosing, type Plants } from "./planted/plant.ts";
import { positionPlants } from "./planted/positions.ts";
import { statePlants } from "./planted/state.ts";

/** A venue with everything that invariants check. */
const rich = findMoment(({ state }) => {
  const open = listPositions(state).filter((at) => state.positions.signedLots[at] !== 0);
  const closing = open.find((at) => findClosing(state, at) !== undefined);
  const named = listOrders(state).some((row) => getClientOrderId(state, row) !== "");
  const twoSided = state.books.some(({ bestBid, bestAsk }) => bestBid !== 0 && bestAsk !== 0);
  const holders = new Set(open.map((at) => state.positions.account[at]));
  return closing !== undefined && named && twoSided && holders.size >= 3 && listOrders(state).length >= 6;
});

/** Faults by the id of the invariant that finds them. */
const plants: Plants = {
  ...statePlants,
  ...orderPlants,
  ...positionPlants,
  ...marginPlants,
  ...fundingPlants,
  ...liquidationPlants,
  ...deficitPlants,
  ...admissionPlants,
  ...chainPlants,
};

describe("a planted fault is found by the invariant that forbids it", () => {
  for (const invariant of invariants) {
    for (const { fault, at, plant, check } of plants[invariant.id] ?? []) {
      test(`${invariant.id}: ${fault}`, () => {
        const { state, step } = at === undefined ? rich : at();
        // The same step without the fault passes.
        const clean = forkState(state);
        expect(runSweep(invariant, clean, step)).toBeUndefined();
        const planted = forkState(state);
        const changed = countKinds(plant(planted, step) ?? step);
        expect(check?.(planted, changed) ?? runSweep(invariant, planted, changed)).toBeTypeOf("string");
      });
    }
  }

  test("and every invariant has one, if it sweeps", () => {
    const swept = invariants.filter(({ sweep }) => sweep !== undefined);
    expect(Object.keys(plants).sort()).toEqual(swept.map(({ id }) => id).sort());
  });
});

/** A step whose kinds are those of its events, which a fault may have changed. */
function countKinds(step: Step): Step {
  return { ...step, kinds: KindSet.of(step.events.map(({ kind }) => kind)) };
}

/**
 * Runs an invariant as a watch does, if the block has one of its events. Its memory knows the venue as it was before
 * the step.
 */
function runSweep(invariant: Invariant, state: State, step: Step): string | undefined {
  if (invariant.sweepKinds !== undefined && !KindSet.of(invariant.sweepKinds).meets(step.kinds)) return undefined;
  const memory = invariant.start?.(forkState(step.before));
  const answer = invariant.sweep!(state, step, memory as never);
  return typeof answer === "object" ? answer.observed : answer;
}
