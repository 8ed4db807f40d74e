import type { VenueEvent } from "../../../protocol/events.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Answer, Step } from "../machinery/defineInvariant.ts";
import type { Moment } from "../machinery/moment.ts";
import type { Tally } from "../machinery/tally.ts";

/** Events of a risk pass, or of the block that it was a step of. */
export interface ReportedSteps extends Tally {
  readonly events: readonly VenueEvent[];
}

/** Runs a check over the events of a risk pass: right after the pass, and again after the block. */
export function afterRiskPass(check: (state: State, reported: ReportedSteps) => Answer) {
  return {
    moments: ["riskPassed"] as const,
    touched: (moment: Moment): Answer => check(moment.state, moment),
    sweep: (state: State, step: Step): Answer => check(state, step),
  };
}
