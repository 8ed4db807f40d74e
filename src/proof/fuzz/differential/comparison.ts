type Value = bigint | number | string | boolean | undefined;

/** The same value: numbers of the venue are whole, and may be compared with those of the model as they are. */
export function isSame(venue: Value, model: Value): boolean {
  if (typeof venue === "number" && typeof model === "bigint") return venue >= model && venue <= model;
  return venue === model;
}

/** A value that venue and model do not share, in words and in its unit. */
export interface Side {
  readonly what: string;
  readonly venue: string;
  readonly model: string;
}

/** A difference as a sentence. */
export function describeSide({ what, venue, model }: Side): string {
  return `${what}: venue ${venue}, model ${model}`;
}

/** Compares two values of one thing; `what` is the value's name, with the rule that it follows where one alone does. */
export type Same = (what: string, venue: Value, model: Value) => void;

/**
 * Gathers differences, up to a number of them. It is asked at every block of a search, so words are put together only where there is one.
 */
export class Comparison {
  readonly found: Side[] = [];
  readonly nameOf: (account: number) => string;
  readonly #most: number;

  /** @param nameOf what sentences call an account, by its ordinal */
  constructor(nameOf: (account: number) => string, most: number) {
    this.nameOf = nameOf;
    this.#most = most;
  }

  get isFull(): boolean {
    return this.found.length >= this.#most;
  }

  same(what: string, venue: Value, model: Value): void {
    if (this.isFull || isSame(venue, model)) return;
    this.found.push({ what, venue: String(venue), model: String(model) });
  }

  /** Compares values of one thing, which is named only where there is a difference. */
  of(name: () => string): Same {
    return (what, venue, model) => {
      if (!isSame(venue, model)) this.same(`${name()}${what}`, venue, model);
    };
  }
}
