/** Greatest number of points of a path. */
export const PATH_POINTS = 256;

/** Points of bars that follow one another, as they are passed in one step. Overwritten by the next. */
export class BarPath {
  count = 0;
  /** Time before which its points are. A member, since a number that is passed on is a new object each time. */
  untilMs = Number.NaN;
  readonly times = new Float64Array(PATH_POINTS);
  /** Mark and last price of each point, 1e-8 USD: the last is on the grid of ticks. */
  readonly marks = new Float64Array(PATH_POINTS);
  readonly lasts = new Float64Array(PATH_POINTS);
  /** Volume of its bar. */
  readonly volumes = new Float64Array(PATH_POINTS);
  /**
   * Lowest and highest price at which the house rests or trades on its way, ticks, and of all prices, 1e-8 USD. They
   * start as `NaN`, which is stored as a double, so that their shape never changes.
   */
  lowTicks = Number.NaN;
  highTicks = Number.NaN;
  lowPrice = Number.NaN;
  highPrice = Number.NaN;
}
