/** Fills of a quote here: time and size of each, in order. */
export type OwnFills = readonly (readonly [timeMs: number, size: number])[];

/**
 * How the fills of one quote compare:
 *
 *     sameTime      whole in both, in the same millisecond
 *     firstPart     its first part here when the whole there: hftbacktest fills no part of an order
 *     otherTime     whole in both, at other times
 *     partHere      whole there, a part here
 *     onlyThere     whole there, nothing here
 *     onlyHere      whole or in part here, nothing there
 *     refusedThere  whole or in part here, and refused there as a post-only order that would trade
 *     neither       nothing in either
 */
export const FILL_CLASSES = [
  "sameTime",
  "firstPart",
  "otherTime",
  "partHere",
  "onlyThere",
  "onlyHere",
  "refusedThere",
  "neither",
] as const;
export type FillClass = (typeof FILL_CLASSES)[number];

/**
 * @param ours   fills of the quote here
 * @param theirs time at which it was filled there, ms; 0 for never, -1 where it was refused
 * @param size   of the quote
 */
export function classifyQuote(ours: OwnFills, theirs: number, size: number): FillClass {
  const filled = ours.reduce((sum, [, part]) => sum + part, 0);
  // Sizes are multiples of a lot, which a double holds with less noise than this.
  const isWhole = filled > size - 1e-9;
  if (theirs <= 0) return filled === 0 ? "neither" : theirs < 0 ? "refusedThere" : "onlyHere";
  if (filled === 0) return "onlyThere";
  if (isWhole && ours.at(-1)![0] === theirs) return "sameTime";
  if (ours[0]![0] === theirs) return isWhole ? "firstPart" : "partHere";
  return isWhole ? "otherTime" : "partHere";
}
