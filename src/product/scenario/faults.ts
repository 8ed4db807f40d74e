import type { Place } from "./parse/cell.ts";

/** A fault of a scenario file, found before anything of it runs. */
export interface Fault {
  readonly place: Place;
  /** A clause without a stop. */
  readonly message: string;
  /** The text to write instead, a clause without a stop. */
  readonly hint?: string;
}

/** Collects faults to report all faults of a file at once. */
export class Faults {
  readonly list: Fault[] = [];

  add(place: Place, message: string, hint?: string): undefined {
    this.list.push({ place, message, ...(hint === undefined ? {} : { hint }) });
    return undefined;
  }

  get any(): boolean {
    return this.list.length > 0;
  }
}

/** `file:line:column`. */
export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** A scenario file that cannot run. `details` is its first fault. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly code = "SCENARIO_INVALID";
  readonly faults: readonly Fault[];
  readonly details: { readonly file: string; readonly line: number; readonly column: number };
  readonly hint: string | undefined;

  constructor(faults: readonly Fault[]) {
    const [first] = faults;
    if (first === undefined) throw new RangeError("an error needs a fault");
    super(first.message);
    this.faults = faults;
    this.details = { file: first.place.file, line: first.place.line, column: first.place.column };
    this.hint = first.hint;
  }
}

/** For `; did you mean x?`: the known word that is nearest to the written one, if any is near. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Hint for a word that is not known. */
export function hintKnown(word: string, known: readonly string[], none = "there is none"): string {
  const near = suggest(word, known);
  if (near !== undefined) return `did you mean ${near}?`;
  const shown = known.slice(0, 24).join(", ");
  return known.length === 0 ? none : `known are ${shown}${known.length > 24 ? ", …" : ""}`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
