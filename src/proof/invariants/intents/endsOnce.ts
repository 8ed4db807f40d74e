import { EVENT_CODES } from "../../../protocol/events.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

const ENDS: ReadonlySet<number> = new Set([
  EVENT_CODES.intentExecuted,
  EVENT_CODES.intentFailed,
  EVENT_CODES.intentCancelled,
  EVENT_CODES.intentExpired,
]);

export const endsOnce = defineInvariant<Set<number>>({
  id: "endsOnce",
  sentence: "An intent ends once: executed, failed, cancelled or expired. No later event names it.",
  rules: ["INT"],
  catalogue: ["T08"],
  when: "events",
  kinds: [
    "intentPlaced",
    "intentArmed",
    "intentTrailed",
    "intentTriggered",
    "intentSliced",
    "intentExecuted",
    "intentFailed",
    "intentCancelled",
    "intentExpired",
  ],
  start: () => new Set(),
  event(moment, at, ended) {
    const { data } = moment;
    const intent = data[at + 1]!;
    moment.met++;
    if (ended.has(intent)) return `intent ${intent} has ended and has a later event`;
    if (ENDS.has(data[at]!)) ended.add(intent);
    return undefined;
  },
});
