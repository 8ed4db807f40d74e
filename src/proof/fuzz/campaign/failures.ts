import { describeSide } from "../differential/comparison.ts";
import type { FuzzKind, FuzzViolation } from "../run/violation.ts";
import { signatureOf } from "../shrink/signature.ts";
import type { Found } from "./campaign.ts";

/** Result of one case, or `timedOut` if the caller stopped waiting. */
export type NotedViolation = Omit<FuzzViolation, "kind"> & { readonly kind: FuzzKind | "timedOut" };

/** A distinct failure of a campaign, after shrinking. */
export interface FailureNote {
  /** Failure key: the invariant and the actions of the shrunk case. */
  readonly key: string;
  readonly violation: NotedViolation;
  /** Iteration that found the failure first. */
  readonly iteration: number;
  /** Transactions of the shrunk case; undefined if it was not shrunk. */
  readonly transactions?: number;
  /** Path of the case and of its scenario, or the reason why there is no scenario. */
  readonly path?: string;
  readonly scenario?: string;
  readonly unsaid?: string;
  /** Command that reproduces the failure. */
  readonly again?: string;
  readonly count: number;
}

/** A shrunk failure. */
export interface Shrunk {
  readonly violation: FuzzViolation;
  /** Transactions of the shrunk case; undefined if the failure is not one of the venue, and was not shrunk. */
  readonly transactions?: number;
  /** Actions of the shrunk case in order. Together with the invariant they identify a failure. */
  readonly actions: readonly string[];
  readonly path?: string;
  readonly scenario?: string;
  /** Reason why there is no scenario. */
  readonly unsaid?: string;
  /** Command that runs the case. */
  readonly again?: string;
}

/** Shrink at most this many failures per invariant; count the rest. */
const SHRUNK_MOST = 3;

/**
 * Failure key: the invariant's name, or the first field in which engine and model differ. It has no row number, so that
 * equal causes share a key.
 */
function nameOf({ kind, invariant, sides }: FuzzViolation): string {
  const what = sides?.[0];
  if (kind !== "model" || what === undefined) return `${kind} ${invariant}`;
  return signatureOf({ kind, invariant, height: 0, observed: describeSide(what) });
}

/** Failures of a campaign. Shrinks each distinct failure once and counts its repetitions. */
export class Failures {
  readonly notes: FailureNote[];
  readonly #shrink: (found: Found) => Shrunk;
  readonly #tried = new Map<string, number>();
  /** Number of violations found, including repetitions. */
  count = 0;

  constructor(shrink: (found: Found) => Shrunk, notes: readonly FailureNote[] = []) {
    this.#shrink = shrink;
    this.notes = [...notes];
  }

  /** @returns the failure if it is new, otherwise undefined */
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
    // A difference from the model is one fault, whichever actions led to it.
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
      ...(transactions === undefined ? {} : { transactions }),
      ...(path === undefined ? {} : { path }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(unsaid === undefined ? {} : { unsaid }),
      ...(again === undefined ? {} : { again }),
      count: 1,
    };
    this.notes.push(note);
    return note;
  }

  /** Adds a failure without shrinking it. */
  keep(note: FailureNote): void {
    this.count++;
    this.notes.push(note);
  }

  #recount(at: number): void {
    const note = this.notes[at];
    if (note !== undefined) this.notes[at] = { ...note, count: note.count + 1 };
  }
}
