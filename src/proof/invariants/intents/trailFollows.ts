import { EVENT_CODES } from "../../../protocol/events.ts";
import { INTENT_KIND, SIDE } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

/** Best price so far of a trailing stop, and the side on which it trades. */
interface Trail {
  readonly sells: boolean;
  extreme: number;
}

export const trailFollows = defineInvariant<Map<number, Trail>>({
  id: "trailFollows",
  sentence: "The extreme of a trailing stop only improves: it rises for a sell and falls for a buy.",
  rules: ["INT-1"],
  when: "events",
  kinds: ["intentPlaced", "intentArmed", "intentTrailed"],
  start: readTrails,
  event(moment, at, trails) {
    const { data } = moment;
    const intent = data[at + 1]!;
    if (data[at] === EVENT_CODES.intentPlaced) {
      if (data[at + AT.intentPlaced.way] !== INTENT_KIND.trailingStop) return undefined;
      trails.set(intent, {
        sells: data[at + AT.intentPlaced.side] === SIDE.sell,
        extreme: data[at + AT.intentPlaced.extreme]!,
      });
      return undefined;
    }
    const trail = trails.get(intent);
    if (trail === undefined) return undefined;
    if (data[at] === EVENT_CODES.intentArmed) {
      trail.extreme = data[at + AT.intentArmed.extreme]!;
      return undefined;
    }
    moment.met++;
    const before = trail.extreme;
    trail.extreme = data[at + AT.intentTrailed.extreme]!;
    const better = trail.sells ? trail.extreme > before : trail.extreme < before;
    return better || before === 0 ? undefined : `intent ${intent} trailed from ${before} to ${trail.extreme}`;
  },
});

function readTrails({ intents }: State): Map<number, Trail> {
  const trails = new Map<number, Trail>();
  for (let row = 0 as never; row < intents.rows.high; row++) {
    if (!intents.rows.isLive(row) || intents.kind[row] !== INTENT_KIND.trailingStop) continue;
    trails.set(intents.id[row]!, { sells: intents.side[row] === SIDE.sell, extreme: intents.extreme[row]! });
  }
  return trails;
}
