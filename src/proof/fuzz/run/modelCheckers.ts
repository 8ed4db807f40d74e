import type { Block } from "../../../protocol/transaction.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { KeptModel } from "../../model/copyState.ts";
import { keepModel, LockStep } from "../differential/lockStep.ts";
import type { CheckerFactory } from "../shrink/checker.ts";
import type { FuzzViolation } from "./violation.ts";

/** The first difference between venue and model after a block that was applied with the model's probe. */
export function compareWithModel(model: LockStep, state: State, block: Block): FuzzViolation | undefined {
  const found = model.check(state, block);
  if (found === undefined) return undefined;
  const { after, difference, index, sides } = found;
  const entity = ENTITY.exec(difference)?.[0];
  return {
    kind: "model",
    invariant: "venueEqualsModel",
    height: block.height,
    observed: `after ${after}: ${difference}`,
    ...(index === undefined ? {} : { index }),
    ...(entity === undefined ? {} : { entity }),
    sides,
  };
}

/** Entity that a difference concerns, if its text names one. */
const ENTITY = /\b(account|order|intent|grant) \d+/;

/**
 * Checkers that run the reference model in lock step with the venue. Attached mid-chain, they resume from the model
 * saved at that block.
 */
export const MODEL_CHECKERS: CheckerFactory<KeptModel> = {
  forgets: true,
  open(state, kept) {
    const both = new LockStep(state.genesis, "block", state, kept);
    return {
      probe: both.probe,
      check(after, block) {
        const found = compareWithModel(both, after, block);
        return found === undefined ? [] : [found];
      },
      keep: () => keepModel(both.model),
    };
  },
};
