import type { Block } from "../../../protocol/transaction.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { type KeptModel, keepModel, LockStep } from "../differential/lockStep.ts";
import type { CheckerFactory } from "../shrink/checker.ts";
import type { FuzzViolation } from "./violation.ts";

/** What venue and model do not share after a block that was applied to the venue with the model's probe. */
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

/** What a difference is about, where it says so. */
const ENTITY = /\b(account|order|intent|grant) \d+/;

/** Eyes with the reference model beside the venue; in the middle of a chain they go on with the model that was kept there. */
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
