import type { EventUnit } from "../../../protocol/event.ts";
import { EVENT_CODES, EVENT_KINDS, events as kinds } from "../../../protocol/events.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";

/** Units of fields that refer to something or have few values; all other fields are plain numbers. */
const NAMING: readonly EventUnit[] = ["account", "market", "text", "word", "flag", "word32"];
/** Unit of each field of each kind, by the kind's code, as an index of `NAMING`; -1 for a number. */
const UNITS: readonly (readonly number[])[] = EVENT_KINDS.map((kind) =>
  Object.values(kinds[kind].fields).map((unit) => NAMING.indexOf(unit)),
);
const TEXT = NAMING.indexOf("text");
/** Least value of each unit: -1 is none, authorities have nonces under accounts below it, and words may be signed. */
const LEAST: readonly number[] = [-4, -1, -1, 0, 0, -(2 ** 31)];
/** More than the length of any list of words. */
const WORDS_MOST = 64;
const { authorizationGranted: GRANTED, accountCreated: CREATED } = EVENT_CODES;

interface Texts {
  /** How many of the block's texts the events have named so far. */
  named: number;
  /** One more than the greatest value of each unit at this moment. */
  readonly most: number[];
}

export const eventsWellFormed = defineInvariant<Texts>({
  id: "eventsWellFormed",
  sentence:
    "Events follow each other without holes and have known kinds. Each field is a whole number, not minus zero, and refers to something that exists. Each text is named once, in order.",
  rules: ["EVT-2", "NUM-3"],
  catalogue: ["T09"],
  when: "transaction",
  start: () => ({ named: 0, most: NAMING.map(() => 0) }),
  touched(moment, memory) {
    const { data, from, to, state } = moment;
    if (moment.step === "opened") memory.named = 0;
    setMost(moment, memory.most);
    let at = from;
    while (at < to) {
      const units = UNITS[data[at]!];
      if (units === undefined) return `kind ${data[at]} of an event is not known`;
      moment.met++;
      for (let place = 0; place < units.length; place++) {
        const value = data[at + 1 + place]!;
        if (!Number.isInteger(value) || (value === 0 && 1 / value < 0)) return say(moment, at, value);
        const unit = units[place]!;
        if (unit < 0) continue;
        if (value < LEAST[unit]! || value >= memory.most[unit]!) return say(moment, at, value, unit);
        if (unit !== TEXT || value < 0) continue;
        if (value !== memory.named) return `text ${value} is named after ${memory.named} texts`;
        // An open field of a grant is an empty text of its own; other kinds have none then.
        if (state.events.texts[value] === "" && data[at] !== GRANTED) return say(moment, at, value, unit);
        memory.named++;
      }
      if (data[at] === CREATED && !isOwners(moment, at))
        return `account ${data[at + 1]} is emitted with another address`;
      at += EVENT_WIDTHS[data[at]!]!;
    }
    if (at !== to) return `the last event ends at ${at}, the block's events at ${to}`;
    const { length } = state.events.texts;
    return length === memory.named ? undefined : `${length} texts are kept, ${memory.named} are named`;
  },
});

function setMost({ state }: Moment, most: number[]): void {
  most[0] = state.accounts.rows.high;
  most[1] = state.markets.rows.high;
  most[2] = state.events.texts.length;
  most[3] = WORDS_MOST;
  most[4] = 2;
  most[5] = 2 ** 32;
}

/** Whether the address of a new account is that of its owner. */
function isOwners({ data, state }: Moment, at: number): boolean {
  const { owners, accounts } = state;
  const owner = accounts.owner[data[at + AT.accountCreated.account]! as never];
  const words = [owners.w0, owners.w1, owners.w2, owners.w3, owners.w4];
  return words.every((word, place) => word[owner] === (data[at + AT.accountCreated.w0 + place]! | 0));
}

function say({ data }: Moment, at: number, value: number, unit?: number): string {
  const kind = EVENT_KINDS[data[at]!];
  if (unit !== undefined) return `${kind} names ${NAMING[unit]} ${value}`;
  return `${kind} has the field ${Object.is(value, -0) ? "-0" : value}`;
}
