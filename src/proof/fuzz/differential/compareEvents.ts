import {
  CANCEL_CAUSES,
  CLOSE_KINDS,
  EVENT_CODES,
  EVENT_KINDS,
  type EventKind,
  events,
  INSURANCE_CAUSES,
  LIQUIDATION_STAGES,
} from "../../../protocol/events.ts";
import { REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { POST_ONLY_MODES, SELF_TRADE_MODES, SELF_TRADE_SCOPES, SIDES } from "../../../protocol/words.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { EmittedEvent } from "../../model/emitted.ts";
import { isSame, type Side } from "./comparison.ts";

/** Kinds of events that the model emits in the same order as the venue. */
export const IN_ORDER = [
  "fill",
  "orderOpened",
  "printed",
  "liquidationStarted",
  "liquidationContinued",
  "liquidationStage",
  "deleveraged",
  "lossSocialized",
  "insuranceChanged",
  "badDebtChanged",
  "settlementHaircut",
  "backstopUnwound",
  "intentTriggered",
  "intentSliced",
] as const satisfies readonly EventKind[];

/** Kinds of events whose order no rule fixes. They are compared by their first field, the order. */
export const BY_ORDER = ["orderAmended", "orderCancelled", "orderResized"] as const satisfies readonly EventKind[];

const WORDS: Readonly<Record<string, readonly string[]>> = {
  "fill.takerSide": SIDES,
  "orderOpened.side": SIDES,
  "printed.side": SIDES,
  "orderOpened.postOnly": POST_ONLY_MODES,
  "orderOpened.selfTrade": SELF_TRADE_MODES,
  "orderOpened.selfTradeScope": SELF_TRADE_SCOPES,
  "intentSliced.code": REJECTION_NAMES,
  "orderCancelled.cause": CANCEL_CAUSES,
  "orderResized.cause": CANCEL_CAUSES,
  "liquidationStage.stage": LIQUIDATION_STAGES,
  "deleveraged.way": CLOSE_KINDS,
  "insuranceChanged.cause": INSURANCE_CAUSES,
};

interface Field {
  readonly name: string;
  readonly words: readonly string[] | undefined;
}

/** By code of a kind: its fields in the order of a record; undefined for kinds that the model does not emit. */
const FIELDS: readonly (readonly Field[] | undefined)[] = EVENT_KINDS.map((kind) => {
  if (![...IN_ORDER, ...BY_ORDER].some((emitted) => emitted === kind)) return undefined;
  return Object.keys(events[kind].fields).map((name) => ({ name, words: WORDS[`${kind}.${name}`] }));
});

const IS_BY_ORDER = new Set<number>(BY_ORDER.map((kind) => EVENT_CODES[kind]));

const NO_PLACES: readonly number[] = [];

/** Compares the events that the venue emitted since the last comparison with those of the model (EVT-3). */
export class EventComparison {
  /** Ends of the part compared so far: in the venue's event data, and in the model's events. */
  #from = 0;
  #emitted = 0;
  /** Positions of the new events in the data, by code of their kind. */
  readonly #places: (number[] | undefined)[] = [];
  readonly #isFound = new Set<number>();

  /** @param from start of the block's events */
  begin(from: number): void {
    this.#from = from;
    this.#emitted = 0;
    this.#forget();
  }

  /** Collects the events that the venue emitted since the last call. */
  read({ events: { data, length } }: State): void {
    for (let at = this.#from; at < length; ) {
      const code = data[at]!;
      if (FIELDS[code] !== undefined) {
        (this.#places[code] ??= []).push(at);
        this.#isFound.add(code);
      }
      at += EVENT_WIDTHS[code]!;
    }
    this.#from = length;
  }

  /** Positions of the collected events of a kind. */
  placesOf(kind: (typeof IN_ORDER)[number] | (typeof BY_ORDER)[number]): readonly number[] {
    return this.#places[EVENT_CODES[kind]] ?? NO_PLACES;
  }

  /**
   * Returns the first difference between the collected events and the model's events, and clears the collection.
   *
   * @param all the model's events of the block
   * @param end number of them that it had emitted up to here; default: all
   */
  compare({ events: { data } }: State, all: readonly EmittedEvent[], end: number = all.length): Side | undefined {
    const emitted = end > this.#emitted ? all.slice(this.#emitted, end) : [];
    this.#emitted = end;
    if (emitted.length === 0 && this.#isFound.size === 0) return undefined;
    for (const { kind } of emitted) this.#isFound.add(EVENT_CODES[kind]);
    let found: Side | undefined;
    for (const code of [...this.#isFound].sort((a, b) => a - b)) {
      const ours = this.#places[code] ?? [];
      const theirs = emitted.filter(({ kind }) => EVENT_CODES[kind] === code);
      if (IS_BY_ORDER.has(code)) {
        ours.sort((a, b) => data[a + 1]! - data[b + 1]!);
        theirs.sort((a, b) => Number(a.fields["order"]) - Number(b.fields["order"]));
      }
      found ??= compareKind(code, data, ours, theirs);
    }
    this.#forget();
    return found;
  }

  #forget(): void {
    for (const code of this.#isFound) this.#places[code] = undefined;
    this.#isFound.clear();
  }
}

function compareKind(
  code: number,
  data: Float64Array,
  ours: readonly number[],
  theirs: readonly EmittedEvent[],
): Side | undefined {
  const fields = FIELDS[code]!;
  for (let place = 0; place < Math.max(ours.length, theirs.length); place++) {
    const at = ours[place];
    const emitted = theirs[place];
    const what = `${EVENT_KINDS[code]} ${place + 1} (EVT-3)`;
    if (at === undefined || emitted === undefined) {
      const venue = at === undefined ? "none" : describe(fields, (field, index) => readValue(data, at, field, index));
      const model = emitted === undefined ? "none" : describe(fields, ({ name }) => emitted.fields[name]);
      return { what, venue, model };
    }
    for (const [index, field] of fields.entries()) {
      const theirs = emitted.fields[field.name];
      if (theirs === undefined) continue;
      const value = readValue(data, at, field, index);
      if (!isSame(value, theirs) && String(value) !== String(theirs))
        return { what: `${what}, ${field.name}`, venue: String(value), model: String(theirs) };
    }
  }
  return undefined;
}

function readValue(data: Float64Array, at: number, { words }: Field, index: number): number | string {
  const value = data[at + 1 + index]!;
  return words?.[value] ?? value;
}

function describe(fields: readonly Field[], of: (field: Field, index: number) => unknown): string {
  return fields
    .map((field, index) => [field.name, of(field, index)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(" ");
}
