type Value = bigint | number | string | boolean | undefined;

/** True if both values are equal. Numbers of the venue are whole, so they compare directly with the model's bigints. */
export function isSame(venue: Value, model: Value): boolean {
  if (typeof venue === "number" && typeof model === "bigint") return venue >= model && venue <= model;
  return venue === model;
}

/** A value that differs between venue and model, with its unit in words. */
export interface Side {
  readonly what: string;
  readonly venue: string;
  readonly model: string;
}

/** Formats a difference as a sentence. */
export function describeSide({ what, venue, model }: Side): string {
  return `${what}: venue ${venue}, model ${model}`;
}

/** Compares two values. `what` names the value, with its rule if exactly one rule defines it. */
export type Same = (what: string, venue: Value, model: Value) => void;

/** Collects differences up to a limit. A search calls it after every block, so text is built only for a difference. */
export class Comparison {
  readonly found: Side[] = [];
  readonly nameOf: (account: number) => string;
  readonly #most: number;

  /** @param nameOf name of an account in sentences, by its ordinal */
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

  /** Compares the values of one object, whose name is built only for a difference. */
  of(name: () => string): Same {
    return (what, venue, model) => {
      if (!isSame(venue, model)) this.same(`${name()}${what}`, venue, model);
    };
  }
}
