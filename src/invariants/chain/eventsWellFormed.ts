import { EVENT_WIDTHS } from "../../engine/events/readEvents.ts";
import { EVENT_KINDS } from "../../protocol/events.ts";
import { defineInvariant } from "../defineInvariant.ts";

export const eventsWellFormed = defineInvariant({
  id: "eventsWellFormed",
  sentence:
    "Events of a block lie one behind the other, of known kinds, and every field is a whole number that is not minus zero.",
  rules: ["EVT-2", "NUM-3"],
  catalogue: ["T09"],
  when: "block",
  sweep(_state, step) {
    const { events, from, to } = step.result;
    let at = from;
    while (at < to) {
      const width = EVENT_WIDTHS[events[at]!];
      if (width === undefined) return `kind ${events[at]} of an event is not known`;
      step.met++;
      for (let field = at + 1; field < at + width; field++) {
        const value = events[field]!;
        if (!Number.isInteger(value) || Object.is(value, -0))
          return `${EVENT_KINDS[events[at]!]} has the field ${Object.is(value, -0) ? "-0" : value}`;
      }
      at += width;
    }
    return at === to ? undefined : `the last event ends at ${at}, the block's end at ${to}`;
  },
});
