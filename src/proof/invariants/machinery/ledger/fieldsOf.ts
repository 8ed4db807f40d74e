import { EVENT_CODES, type EventKind, events } from "../../../../protocol/events.ts";

type Fields<K extends EventKind> = keyof (typeof events)[K]["fields"] & string;

/** Offsets of the fields of an event kind from the event's first word. */
export function fieldsOf<K extends EventKind>(kind: K): { readonly [F in Fields<K>]: number } {
  const names = Object.keys(events[kind].fields);
  return Object.fromEntries(names.map((name, place) => [name, place + 1])) as { [F in Fields<K>]: number };
}

type FieldPlaces = { readonly [K in EventKind]: { readonly [F in Fields<K>]: number } };

/** The same for every kind: `AT.fill.price`. */
export const AT: FieldPlaces = Object.fromEntries(
  (Object.keys(events) as EventKind[]).map((kind) => [kind, fieldsOf(kind)]),
) as unknown as FieldPlaces;

/** A set of event kinds as bits: one operation tests whether a moment has any of them. */
export class KindSet {
  readonly words: Int32Array = new Int32Array(Math.ceil(Object.keys(events).length / 32));

  static of(kinds: readonly EventKind[]): KindSet {
    const set = new KindSet();
    for (const kind of kinds) set.add(EVENT_CODES[kind]);
    return set;
  }

  add(code: number): void {
    this.words[code >> 5]! |= 1 << (code & 31);
  }

  clear(): void {
    this.words[0] = 0;
    this.words[1] = 0;
    if (this.words.length > 2) this.words.fill(0);
  }

  meets(other: KindSet): boolean {
    const { words } = this;
    for (let word = 0; word < words.length; word++) if ((words[word]! & other.words[word]!) !== 0) return true;
    return false;
  }

  has(code: number): boolean {
    return (this.words[code >> 5]! & (1 << (code & 31))) !== 0;
  }
}
