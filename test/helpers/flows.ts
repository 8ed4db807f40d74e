/** Generated flows for tests: a venue somewhere on its way, with the step that led there. */

import { Flow } from "../../src/proof/fuzz/flow/flow.ts";
import { createStep, type Step } from "../../src/proof/invariants/machinery/defineInvariant.ts";
import type { Block } from "../../src/protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../src/venue/engine/genesis.ts";
import { forkState } from "../../src/venue/engine/state/forkState.ts";
import type { State } from "../../src/venue/engine/state/state.ts";

export interface Moment {
  readonly state: State;
  readonly step: Step;
}

/** Runs a flow from genesis and shows every block. Ends when `onBlock` answers true. */
export function runFlow(
  seed: number,
  blocks: number,
  onBlock: (state: State, block: Block, result: BlockResult) => boolean | void,
): State {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  for (let count = 0; count < blocks; count++) {
    const block = flow.next(state);
    if (onBlock(state, block, applyBlock(state, block)) === true) break;
  }
  return state;
}

/** The first moment of the first flow at which something is the case; a fork, to plant faults in. */
export function findMoment(isWanted: (moment: Moment) => boolean): Moment {
  for (let seed = 1; seed < 60; seed++) {
    const flow = new Flow(seed);
    const state = createVenue(flow.genesis);
    for (let count = 0; count < 200; count++) {
      const before = forkState(state);
      const block = flow.next(state);
      const moment = { state, step: createStep(before, block, applyBlock(state, block)) };
      if (isWanted(moment)) return { state, step: { ...moment.step, before } };
    }
  }
  throw new Error("no flow comes to such a moment");
}
