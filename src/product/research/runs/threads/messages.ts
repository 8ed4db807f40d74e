import type { RunRequest, RunResult } from "../record.ts";
import type { RunPlaces } from "../sources.ts";

/** The setup of a thread. Plain data. */
export interface ThreadSetup {
  readonly places: RunPlaces;
  /** `hashCode` of the thread that starts it. */
  readonly code: string;
}

/** Message to a thread. */
export type Task = RunRequest;

/** Message of a thread: it has loaded its modules and begins the run, or the run is complete, or all runs would fail. */
export type Reply =
  | { readonly kind: "begun" }
  | { readonly kind: "done"; readonly result: RunResult }
  | { readonly kind: "failed"; readonly failure: ThreadFailure };

/** An error as it crosses threads: its class is lost, its fields are not. */
export interface ThreadFailure {
  readonly code: string | undefined;
  readonly message: string;
  readonly place: string | undefined;
  readonly hint: string | undefined;
  readonly exitCode: unknown;
  readonly stack: string | undefined;
}
