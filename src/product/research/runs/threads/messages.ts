import type { RunRequest } from "../record.ts";
import type { RunPlaces } from "../sources.ts";

/** The setup of a thread. Plain data. */
export interface ThreadSetup {
  readonly places: RunPlaces;
  /** `hashCode` of the thread that starts it. */
  readonly code: string;
}

/** Message to a thread. */
export type Task = RunRequest;
