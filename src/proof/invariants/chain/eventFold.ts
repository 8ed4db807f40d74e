import { writeCanonical } from "../../../venue/engine/commitment/canonical.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { describeDifference, findDifference } from "../machinery/fold/firstDifference.ts";
import { foldEvents, startFold } from "../machinery/fold/foldEvents.ts";
import type { FoldedVenue } from "../machinery/fold/folded.ts";
import { readFolded } from "../machinery/fold/readFolded.ts";
import { writeFolded } from "../machinery/fold/writeFolded.ts";

export const eventFold = defineInvariant<FoldedVenue>({
  id: "eventFold",
  sentence: "The events of a chain, folded into an empty venue, yield its canonical form and so its root.",
  rules: ["EVT-3", "DET-2"],
  catalogue: ["G05"],
  when: "block",
  heavy: true,
  news: 1,
  start: startFold,
  sweep(state, step, venue) {
    step.met += step.events.length;
    try {
      foldEvents(venue, step.result);
    } catch (error) {
      return (error as Error).message;
    }
    if (Buffer.compare(writeFolded(venue), writeCanonical(state)) === 0) return undefined;
    const difference = findDifference(tidy(venue), tidy(readFolded(state)));
    return difference === undefined ? "the forms differ, the venues do not" : describeDifference(difference);
  },
});

/** Without the rows that a canonical form omits: empty positions, and memory of flat ones. */
function tidy(venue: FoldedVenue): FoldedVenue {
  for (const { positions } of venue.accounts) {
    for (const [market, position] of positions) {
      if (position.signedLots !== 0) continue;
      Object.assign(position, { cost: 0, funding: 0n, fundingRemainder: 0, cooldown: 0 });
      if (position.leverage === 0 && position.orders.length === 0) positions.delete(market);
    }
  }
  return venue;
}
