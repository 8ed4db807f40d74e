import { describeSide } from "../differential/comparison.ts";
import type { FuzzKind, FuzzViolation } from "../run/violation.ts";
import { signatureOf } from "../shrink/signature.ts";
import type { Found } from "./campaign.ts";

/** What a run of a case showed, or that it had no end, which only who waits for it can show. */
export type NotedViolation = Omit<FuzzViolation, "kind"> & { readonly kind: FuzzKind | "timedOut" };

/** A failure as a campaign keeps it: found, made small, told apart from others. */
export interface FailureNote {
  /** Tells it from other failures: what is broken, and the least that breaks it. */
  readonly key: string;
  readonly violation: NotedViolation;
  /** Iteration that found it first. */
  readonly iteration: number;
  /** Transactions of the small case; none where it was not made small. */
  readonly transactions?: number;
  /** Where its case was written, and the scenario that it was made into, or why there is none. */
  readonly path?: string;
  readonly scenario?: string;
  readonly unsaid?: string;
  /** The command that makes it happen again. */
  readonly again?: string;
  readonly count: number;
}

/** A failure made small. */
export interface Shrunk {
  readonly violation: FuzzViolation;
  readonly transactions: number;
  /** Its actions, in order: with the invariant they tell failures apart. */
  readonly actions: readonly string[];
  readonly path?: string;
  readonly scenario?: string;
  /** Why there is no scenario. */
  readonly unsaid?: string;
  /** The command that runs its case. */
  readonly again?: string;
}

/** As many failures of one invariant are made small; further ones are only counted. */
const SHRUNK_MOST = 3;

/**
 * What is broken: the invariant; of the model, what differs first, without its number, since all that differs has one name
 * otherwise.
 */
function nameOf({ kind, invariant, sides }: FuzzViolation): string {
  const what = sides?.[0];
  if (kind !== "model" || what === undefined) return `${kind} ${invariant}`;
  return signatureOf({ kind, invariant, height: 0, observed: describeSide(what) });
}

/** The failures of a campaign. Makes each small once and counts the others of its kind. */
export class Failures {
  readonly notes: FailureNote[];
  readonly #shrink: (found: Found) => Shrunk;
  readonly #tried = new Map<string, number>();
  /** All that were found, also those that are the same. */
  count = 0;

  constructor(shrink: (found: Found) => Shrunk, notes: readonly FailureNote[] = []) {
    this.#shrink = shrink;
    this.notes = [...notes];
  }

  /** @returns the failure, if it is none of those that are known */
  add(found: Found): FailureNote | undefined {
    this.count++;
    const broken = nameOf(found.violation);
    const tried = this.#tried.get(broken) ?? 0;
    this.#tried.set(broken, tried + 1);
    const isKnown = found.violation.kind === "model" && this.notes.some(({ key }) => key === `${broken}:`);
    if (tried >= SHRUNK_MOST || isKnown) {
      this.#recount(this.notes.findIndex(({ key }) => key.startsWith(`${broken}:`)));
      return undefined;
    }
    const { violation, transactions, actions, path, scenario, unsaid, again } = this.#shrink(found);
    // Where the model differs, it is the same fault whatever led there.
    const key = found.violation.kind === "model" ? `${broken}:` : `${broken}: ${actions.join(" ")}`;
    const known = this.notes.findIndex((note) => note.key === key);
    if (known >= 0) {
      this.#recount(known);
      return undefined;
    }
    const { iteration } = found;
    const note: FailureNote = {
      key,
      violation,
      iteration,
      transactions,
      ...(path === undefined ? {} : { path }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(unsaid === undefined ? {} : { unsaid }),
      ...(again === undefined ? {} : { again }),
      count: 1,
    };
    this.notes.push(note);
    return note;
  }

  /** Keeps a failure as it is. */
  keep(note: FailureNote): void {
    this.count++;
    this.notes.push(note);
  }

  #recount(at: number): void {
    const note = this.notes[at];
    if (note !== undefined) this.notes[at] = { ...note, count: note.count + 1 };
  }
}
