import type { Written } from "../../simulation/restoreVenue.ts";

/** A venue that stopped after a height and was restored from what it had written. */
export interface Crash {
  readonly height: number;
  readonly way: Written;
}
