import { EVENT_WIDTHS } from "../../engine/events/readEvents.ts";
import type { State } from "../../engine/state/state.ts";
import { EVENT_KINDS, events as kinds } from "../../protocol/events.ts";
import { defineInvariant } from "../defineInvariant.ts";

/** Fields of each kind that name something, by its code: the place in the event, and what it names. */
const NAMING: readonly (readonly (readonly [place: number, unit: string])[])[] = EVENT_KINDS.map((kind) =>
  Object.values(kinds[kind].fields).flatMap((unit, place) =>
    ["account", "market", "text", "word", "flag"].includes(unit) ? [[1 + place, unit] as const] : [],
  ),
);
/** Least value of each: -1 is for none, and authorities have their nonces under accounts below it. */
const LEAST: Readonly<Record<string, number>> = { account: -4, market: -1, text: -1, word: 0, flag: 0 };
/** More than any list of words has. */
const WORDS_MOST = 64;

export const eventsWellFormed = defineInvariant({
  id: "eventsWellFormed",
  sentence:
    "Events of a block lie one behind the other, of known kinds; every field is a whole number that is not minus zero, and names what is there.",
  rules: ["EVT-2", "NUM-3"],
  catalogue: ["T09"],
  when: "block",
  sweep(state, step) {
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
      const fault = findStranger(state, events, at);
      if (fault !== undefined) return fault;
      at += width;
    }
    return at === to ? undefined : `the last event ends at ${at}, the block's end at ${to}`;
  },
});

/** A field that names no account, market, text or word. */
function findStranger(state: State, data: Float64Array, at: number): string | undefined {
  const counts: Readonly<Record<string, number>> = {
    account: state.accounts.rows.high,
    market: state.markets.rows.high,
    text: state.events.texts.length,
    word: WORDS_MOST,
    flag: 2,
  };
  for (const [place, unit] of NAMING[data[at]!]!) {
    const value = data[at + place]!;
    const least = LEAST[unit]!;
    if (value < least || value >= counts[unit]!) return `${EVENT_KINDS[data[at]!]} names ${unit} ${value}`;
  }
  return undefined;
}
