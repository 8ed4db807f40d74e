import type { Amount, SizeE8 } from "../../../ground/math/fixed.ts";
import { POINTS } from "../../market-data/stream/barPath.ts";
import type { WholeBar } from "../../replay/wholeBar.ts";
import type { PassedPoints } from "../../report/input.ts";

/** An account at the points of a bar that are passed in one step. Overwritten by the next bar. */
export class BarPoints implements PassedPoints {
  count = 0;
  readonly times: Float64Array;
  readonly marks: Float64Array;
  readonly lasts: Float64Array;
  readonly equity = new Float64Array(POINTS);
  readonly maintenance = new Float64Array(POINTS);
  readonly unrealizedPnl = new Float64Array(POINTS);
  size = 0 as SizeE8;
  balance = 0 as Amount;

  constructor({ times, marks, lasts }: WholeBar) {
    this.times = times;
    this.marks = marks;
    this.lasts = lasts;
  }
}
