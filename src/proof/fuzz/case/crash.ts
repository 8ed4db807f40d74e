import type { Written } from "../../../venue/simulation/restoreVenue.ts";

/** A venue that stopped after a height and was restored from its image or snapshot. */
export interface Crash {
  readonly height: number;
  readonly way: Written;
}
