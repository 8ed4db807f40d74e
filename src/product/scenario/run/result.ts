import type { ScenarioHead } from "../compile/plan.ts";
import type { Fault } from "../faults.ts";
import type { Place } from "../parse/cell.ts";
import type { CaseCourse } from "./course.ts";

/** A result that differs from the file, an invariant or determinism. */
export interface RunFailure {
  readonly kind: "expectation" | "unexpected" | "invariant" | "determinism" | "golden" | "run";
  readonly place: Place;
  readonly what: string;
  readonly expected: string;
  readonly observed: string;
  readonly hint?: string;
  /** Name of the block; empty where no block is concerned. */
  readonly block: string;
  readonly height: number;
}

/** The effects of a block, for a reader. */
export interface BlockStory {
  readonly name: string;
  readonly note: string | undefined;
  readonly height: number;
  readonly timeMs: number;
  /** Each transaction in words and its outcome. */
  readonly transactions: readonly { readonly words: string; readonly outcome: string }[];
  readonly fills: readonly string[];
  /** Events that are neither fills nor bookkeeping, in one line each. */
  readonly events: readonly string[];
  readonly prices: readonly {
    readonly market: string;
    readonly oracle: string;
    readonly index: string;
    readonly mark: string;
  }[];
  readonly accounts: readonly AccountStory[];
}

export interface AccountStory {
  readonly name: string;
  readonly collateral: string;
  readonly equity: string;
  readonly initial: string;
  readonly maintenance: string;
  readonly free: string;
  readonly positions: string;
  readonly orders: string;
}

/** One case, run. */
export interface CaseResult {
  readonly name: string;
  readonly status: "passed" | "failed";
  readonly failures: readonly RunFailure[];
  readonly blocks: number;
  readonly transactions: number;
  readonly root: string;
  /** Of the blocks in which something failed; of all where they were asked for. */
  readonly stories: readonly BlockStory[];
  /** Its effects on the venue: only of a file with a story. */
  readonly course?: CaseCourse;
  readonly durationMs: number;
}

/** One file. */
export interface ScenarioResult extends ScenarioHead {
  readonly status: "passed" | "failed" | "invalid";
  readonly cases: readonly CaseResult[];
  /** Why the file cannot run. */
  readonly faults: readonly Fault[];
  readonly durationMs: number;
}
