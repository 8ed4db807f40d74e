/**
 * Labels of events in the feedback of a search: the kind, plus a cause or status field, such as `orderCancelled
 * selfTrade`. Labels are small numbers, computed from the event's words without allocating an object.
 */
import type { EventUnit } from "../../../protocol/event.ts";
import { EVENT_KINDS, type EventKind, events } from "../../../protocol/events.ts";
import { EVENT_WORDS } from "../../../protocol/eventWords.ts";

/** Fields that distinguish events of one kind. */
const DISTINGUISHING = ["cause", "stage", "way", "status"];

/** How to compute the labels of one kind of event. */
export interface LabelRule {
  /** Label of the kind; the labels of its words follow. */
  readonly first: number;
  /** Offset of the distinguishing field after the code of the kind; 0 for none. */
  readonly field: number;
  readonly words: number;
  /** Offsets of the accounts that an event concerns. */
  readonly accounts: readonly number[];
  /** True if the label is left out of pairs: it follows nearly every transaction. */
  readonly isNoise: boolean;
}

const NOISE: ReadonlySet<EventKind> = new Set([
  "nonceAdvanced",
  "nonceUsed",
  "laneAdvanced",
  "volumeCounted",
] satisfies EventKind[]);

const names: string[] = [];

/** By code of the event's kind. */
export const LABEL_RULES: readonly LabelRule[] = EVENT_KINDS.map((kind) => {
  const fields = Object.entries<EventUnit>(events[kind].fields);
  const at = fields.findIndex(
    ([name]) => DISTINGUISHING.includes(name) && EVENT_WORDS[`${kind}.${name}`] !== undefined,
  );
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
