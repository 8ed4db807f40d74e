import type { Term } from "../../invariants/machinery/defineInvariant.ts";
import type { Side } from "../differential/comparison.ts";
import type { FailureKind } from "../shrink/signature.ts";

/** Report of one failure. Every format is rendered from this object alone. */
export interface FailureReport {
  readonly schemaVersion: 1;
  readonly kind: FailureKind;
  readonly invariant: string;
  /** The invariant as a sentence, with its rules and catalogue entries. */
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
  /** Values read by the invariant that the failing transaction or block changed. */
  readonly changes: readonly Change[];
  /** Values that the invariant compared. */
  readonly terms: readonly Term[];
  /** Values that differ between venue and reference model, in protocol units. */
  readonly sides: readonly Side[];
  /** Two orders of the same items, for invariants about priority. */
  readonly orders:
    | { readonly rule: string; readonly wanted: readonly string[]; readonly found: readonly string[] }
    | undefined;
  /** Command that reproduces the failure. */
  readonly command: string;
  readonly cost: Cost | undefined;
}

/** Cost of shrinking. */
export interface Cost {
  readonly transactionsBefore: number;
  readonly transactions: number;
  readonly candidates: number;
  /** True if no candidate was left to try. */
  readonly isDone: boolean;
}

/** A transaction, or a step of a block that changed something, and the venue after it. */
export interface TimelineRow {
  readonly height: number;
  readonly timeMs: number;
  /** Index in the block; undefined for a step. */
  readonly index: number | undefined;
  /** The transaction as text, or the name of the step. */
  readonly what: string;
  /** Outcome of a transaction; empty for a step. */
  readonly outcome: string;
  readonly fills: readonly string[];
  /** Marks, in the order of the markets. */
  readonly marks: readonly string[];
  /** In the order of the accounts; undefined before the account exists. */
  readonly accounts: readonly (AccountCells | undefined)[];
  /** True if the failure first shows here. */
  readonly isFailing: boolean;
}

/** Amounts in USD, sizes in base units. */
export interface AccountCells {
  readonly collateral: string;
  readonly positions: string;
  readonly equity: string;
  readonly maintenance: string;
  /** True if the failure concerns this account. */
  readonly isMeant: boolean;
}

/** One value of the state. */
export interface Change {
  /** `alice collateral`, `BTC-PERP openInterest`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Difference, if the value is a number. */
  readonly by: string;
  /** What changed the value before; empty for genesis. */
  readonly last: string;
}
