import type { Block } from "../../../protocol/transaction.ts";
import { forgetVolumes } from "../fees/volume.ts";
import { lapseRestarts } from "../funding/stepFunding.ts";
import { openWindows } from "../margin/gates.ts";
import type { ModelState } from "../state.ts";

/** Before anything else: the time moves, and the state of the last block is reset. */
export function openBlock(state: ModelState, block: Block): void {
  state.elapsedMs = block.timeMs - state.timeMs;
  state.height = block.height;
  state.timeMs = block.timeMs;
  state.emitted = [];
  state.coveredInBlock = 0n;
  for (const market of state.markets) {
    market.previousLast = market.last;
    market.previousIndex = market.index;
    market.previousMark = market.mark;
    market.low = 0n;
    market.high = 0n;
    market.funding.settle = false;
  }
  state.outflow.unpaid = 0n;
  openWindows(state);
  forgetVolumes(state);
  lapseRestarts(state);
}
