import type { SeriesView } from "../../../client/strategy/series.ts";

/** A series of a run, and whether its strategy has read a value of it. */
type ReadSeries = Pick<SeriesView, "market" | "name"> & { readonly isRead: boolean };

/**
 * Which series of the data a strategy has read, as sentences for its report.
 *
 * @param who the strategy, as a sentence calls it
 */
export function describeSeries(all: readonly ReadSeries[], who: string): string[] {
  if (all.length === 0) return [];
  const read = all.filter(({ isRead }) => isRead).map(({ market, name }) => `${name} of ${market}`);
  const unread = all.length - read.length;
  if (read.length === 0) return [`The data has ${all.length} series, and ${who} read none of them.`];
  return [
    `Series: ${who} read ${read.join(", ")}, each value from the time on at which it was known, and until the next was.` +
      (unread === 0 ? "" : ` It did not read the other ${unread} of the data.`),
  ];
}
