import type { Written } from "../../../venue/simulation/restoreVenue.ts";

/** A venue that stopped after a height and was restored from what it had written. */
export interface Crash {
  readonly height: number;
  readonly way: Written;
}
