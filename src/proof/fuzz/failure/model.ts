import type { Term } from "../../invariants/defineInvariant.ts";
import type { Side } from "../differential/comparison.ts";
import type { FailureKind } from "../shrink/signature.ts";

/** Everything that a page about one failure says; every format is made from it alone. */
export interface FailureReport {
  readonly schemaVersion: 1;
  readonly kind: FailureKind;
  readonly invariant: string;
  /** What always holds, and the rules and rows of the catalogue that say so. */
  readonly sentence: string;
  readonly rules: readonly string[];
  readonly catalogue: readonly string[];
  /** `openInterest is broken at block 3, transaction 2: …`. */
  readonly headline: string;
  readonly observed: string;
  readonly height: number;
  readonly index: number | undefined;
  readonly scenario: { readonly name: string; readonly text: string };
  readonly accounts: readonly string[];
  readonly markets: readonly string[];
  readonly timeline: readonly TimelineRow[];
  /** What the failing transaction or block changed, of what the invariant reads. */
  readonly changes: readonly Change[];
  /** What the invariant compared. */
  readonly terms: readonly Term[];
  /** Values that the venue and the reference model do not have in common, in units of the protocol. */
  readonly sides: readonly Side[];
  /** Two orders of the same things, for invariants about who comes first. */
  readonly orders:
    | { readonly rule: string; readonly wanted: readonly string[]; readonly found: readonly string[] }
    | undefined;
  /** What makes it happen again. */
  readonly command: string;
  readonly cost: Cost | undefined;
}

/** What making it small took. */
export interface Cost {
  readonly transactionsBefore: number;
  readonly transactions: number;
  readonly candidates: number;
  /** Whether there was nothing left to try. */
  readonly isDone: boolean;
}

/** A transaction, or a step of a block that changed something, and the venue behind it. */
export interface TimelineRow {
  readonly height: number;
  readonly timeMs: number;
  /** Place in the block; undefined for a step. */
  readonly index: number | undefined;
  /** The transaction in words, or the name of the step. */
  readonly what: string;
  /** Outcome of a transaction; empty for a step. */
  readonly outcome: string;
  readonly fills: readonly string[];
  /** Marks, in the order of the markets. */
  readonly marks: readonly string[];
  /** In the order of the accounts; undefined before there was one. */
  readonly accounts: readonly (AccountCells | undefined)[];
  /** Whether the failure shows here first. */
  readonly isFailing: boolean;
}

/** Amounts in USD, sizes in units of base. */
export interface AccountCells {
  readonly collateral: string;
  readonly positions: string;
  readonly equity: string;
  readonly maintenance: string;
  /** Whether the failure is about this account. */
  readonly isMeant: boolean;
}

/** One value of the state. */
export interface Change {
  /** `alice collateral`, `BTC-PERP openInterest`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** After how much the value moved, where it is a number. */
  readonly by: string;
  /** What changed it before, last of all; empty for genesis. */
  readonly last: string;
}
