import { writeCanonical } from "../../../venue/engine/commitment/canonical.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/**
 * A probe that compares the venue before and after each call of another one.
 *
 * @param onChange called if the other probe changed the venue: probes only read
 */
export function testedProbe(probe: Probe, onChange: () => void): Probe {
  const test = (state: State, call: () => void) => {
    const form = writeCanonical(state).slice();
    call();
    if (Buffer.compare(form, writeCanonical(state)) !== 0) onChange();
  };
  return {
    beforeBlock: (state, block, from) => test(state, () => probe.beforeBlock?.(state, block, from)),
    afterTransaction: (state, index) => test(state, () => probe.afterTransaction(state, index)),
    afterStep: (state, step) => test(state, () => probe.afterStep?.(state, step)),
  };
}
