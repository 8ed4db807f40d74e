/**
 * A bar records its open, extremes and close, but not the order of the extremes. Its replay is a path of four points:
 *
 *     open            1 ms after the bar's start, the first instant that is not the close of the bar before
 *     one extreme     after a third of the bar
 *     other extreme   after two thirds
 *     close           at the bar's end
 *
 * `nearest` visits the extreme nearer to the open first (the low of two equally near ones if the bar closes above its
 * open, else the high); `high-first` and `low-first` visit the named extreme first. No value of a bar is shown before
 * its start.
 */

/** The order in which a bar's path visits its extremes. */
export const INTRABAR_ORDERS = ["nearest", "high-first", "low-first"] as const;
export type IntrabarOrder = (typeof INTRABAR_ORDERS)[number];

/** Points of a path. */
export const POINTS = 4;

/** Time of a point of the bar that covers [closeMs - intervalMs, closeMs). */
export function timeOfPoint(closeMs: number, intervalMs: number, point: number): number {
  switch (point) {
    case 0:
      return closeMs - intervalMs + 1;
    case 1:
      return closeMs - intervalMs + Math.floor(intervalMs / 3);
    case 2:
      return closeMs - intervalMs + Math.floor((intervalMs * 2) / 3);
    default:
      return closeMs;
  }
}

/** True if the path visits the high before the low. */
export function isHighFirst(order: IntrabarOrder, open: number, high: number, low: number, close: number): boolean {
  if (order !== "nearest") return order === "high-first";
  const up = high - open;
  const down = open - low;
  return up === down ? close <= open : up < down;
}

/** Value of a point: of the bar's own prices, or of a mark's that moved in the same bar. */
export function valueOfPoint(
  point: number,
  highFirst: boolean,
  open: number,
  high: number,
  low: number,
  close: number,
): number {
  switch (point) {
    case 0:
      return open;
    case 1:
      return highFirst ? high : low;
    case 2:
      return highFirst ? low : high;
    default:
      return close;
  }
}
