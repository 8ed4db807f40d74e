import type { Finding } from "./search.ts";

/** Ways to find a bug. */
export const METHODS = ["search", "scenarios", "explore", "around"] as const;
export type Method = (typeof METHODS)[number];

/** What an attempt to find one bug showed and took, by any way. */
export interface Attempt {
  /** 0 for none: any finding is then a false alarm. */
  readonly bug: number;
  /** Times that its line ran, and that its effect differed from the correct one. */
  readonly reached: number;
  readonly triggered: number;
  readonly cpuSeconds: number;
  /** Undefined if nothing was found. */
  readonly finding?: Finding | undefined;
  /** Why there is no result: the process did not end in time, or it died. */
  readonly lost?: "timeout" | "crash";
}

/** Files whose run without a bug reaches the lines of bugs: other files cannot find those. */
export type Visits = Readonly<Record<string, readonly number[]>>;
