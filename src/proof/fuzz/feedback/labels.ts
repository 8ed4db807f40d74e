/**
 * What events are called in the feedback of a search: their kind, and where a field says why or how, that too, as
 * `orderCancelled selfTrade`. Labels are small numbers, found from the words of an event without making an object.
 */
import { EVENT_KINDS, type EventKind, type EventUnit, events } from "../../../protocol/events.ts";
import { EVENT_WORDS } from "../../../protocol/eventWords.ts";

/** Fields that tell two events of one kind apart. */
const TELLING = ["cause", "stage", "way", "status"];

/** How the labels of a kind of event are found. */
export interface LabelRule {
  /** Label of the kind; labels of its words follow it. */
  readonly first: number;
  /** Place of the telling field behind the kind's code, 0 for none. */
  readonly field: number;
  readonly words: number;
  /** Places of the accounts that an event is about. */
  readonly accounts: readonly number[];
  /** Left out where it is asked what follows what: it comes with nearly every transaction. */
  readonly isNoise: boolean;
}

const NOISE: ReadonlySet<EventKind> = new Set([
  "nonceAdvanced",
  "nonceUsed",
  "laneAdvanced",
  "volumeCounted",
] satisfies EventKind[]);

const names: string[] = [];

/** By the code of an event's kind. */
export const LABEL_RULES: readonly LabelRule[] = EVENT_KINDS.map((kind) => {
  const fields = Object.entries<EventUnit>(events[kind].fields);
  const at = fields.findIndex(([name]) => TELLING.includes(name) && EVENT_WORDS[`${kind}.${name}`] !== undefined);
  const words = at < 0 ? [] : EVENT_WORDS[`${kind}.${fields[at]![0]}`]!;
  const first = names.length;
  names.push(...(words.length === 0 ? [`event ${kind}`] : words.map((word) => `event ${kind} ${word}`)));
  return {
    first,
    field: at + 1,
    words: words.length,
    accounts: fields.flatMap(([, unit], place) => (unit === "account" ? [place + 1] : [])),
    isNoise: NOISE.has(kind),
  };
});

/** By label. */
export const LABEL_NAMES: readonly string[] = names;
