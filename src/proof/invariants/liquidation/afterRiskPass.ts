import type { VenueEvent } from "../../../protocol/events.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Answer, Step } from "../defineInvariant.ts";
import type { Moment } from "../moment.ts";
import type { Tally } from "../tally.ts";

/** Events of a risk pass, or of the block that it was a step of. */
export interface ReportedSteps extends Tally {
  readonly events: readonly VenueEvent[];
}

/** Looks at a story that a risk pass tells: right after it, and after a block once more. */
export function afterRiskPass(check: (state: State, reported: ReportedSteps) => Answer) {
  return {
    touched: (moment: Moment): Answer => (moment.step === "riskPassed" ? check(moment.state, moment) : undefined),
    sweep: (state: State, step: Step): Answer => check(state, step),
  };
}
