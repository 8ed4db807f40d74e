import { readCanonical, writeCanonical } from "../../../venue/engine/commitment/canonical.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const roundTrip = defineInvariant({
  id: "roundTrip",
  sentence: "A canonical form that is read and written again is equal byte for byte.",
  rules: ["DET-3"],
  catalogue: ["D03"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    step.met++;
    const once = writeCanonical(state);
    let again: Uint8Array;
    try {
      again = writeCanonical(readCanonical(once));
    } catch (error) {
      return (error as Error).message;
    }
    if (once.length !== again.length) return `${once.length} bytes became ${again.length}`;
    if (Buffer.compare(once, again) === 0) return undefined;
    const place = once.findIndex((byte, at) => byte !== again[at]);
    return `byte ${place} of ${once.length} changed`;
  },
});
