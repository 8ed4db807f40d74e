import { POINTS } from "../market-data/stream/barPath.ts";

/** The points of a bar, as they are passed in one step. Overwritten by the next. */
export class WholeBar {
  readonly times = new Float64Array(POINTS);
  /** Mark and last price of each point, 1e-8 USD: the last is on the grid of ticks. */
  readonly marks = new Float64Array(POINTS);
  readonly lasts = new Float64Array(POINTS);
  volume = 0;
}
