import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatOf, formatUsd } from "../text.ts";
import { FILL_CLASSES, type FillClass } from "./compare.ts";
import { FOLDER, type HftComparison } from "./measure.ts";

const MEANINGS: Readonly<Record<FillClass, string>> = {
  sameTime: "filled in both, in the same millisecond",
  firstPart: "filled in both, its first part here when the whole order there",
  otherTime: "filled in both, at other times",
  partHere: "filled there, and in part here",
  onlyThere: "filled there alone",
  onlyHere: "filled here alone",
  refusedThere: "filled here, and refused there as a post-only order that would trade",
  neither: "not filled in either",
};

export function describeHft(figures: HftComparison): Section {
  const { classes, quotes, others, version } = figures;
  const rows = FILL_CLASSES.map((name) => [MEANINGS[name], formatCount(classes[name])]);
  const filled = quotes - classes.neither;
  const alike = classes.sameTime + classes.firstPart;
  const list = others.map(({ timeMs, side, class: name, firstHereMs, thereMs, tradedBefore }) => [
    new Date(timeMs).toISOString().slice(11, 19),
    side,
    MEANINGS[name],
    firstHereMs === null ? "–" : `+${firstHereMs - timeMs} ms`,
    thereMs === null ? "–" : `+${thereMs - timeMs} ms`,
    formatUsd(tradedBefore, 3),
  ]);
  const text = `A plan quotes the recorded best bid and ask every ${formatCount(figures.everyMs / 1000)} s for eight and a half minutes, ${figures.size} BTC a side, post-only. What is
left of the quotes before is cancelled. The order book and the trades are those of \`${FOLDER}\`, ${formatCount(figures.events)}
events. An order arrives ${figures.latencyMs} ms after its decision. A decrease without a trade comes from after the order in both programs. Of
${formatCount(quotes)} quotes:

${table(["quote", "count"], rows)}

hftbacktest ${version} fills an order whole with the first trade that reaches it. This is its model \`no_partial_fill_exchange\`. perplab fills
the part that was traded. The other differences one by one:

${table(["time, UTC", "side", "class", "first fill here", "there", "traded before, BTC"], list)}

The last column counts trades before the quote arrived, at its own price or at a price of the other side that it would meet. It has those
that the recorded level did not show yet. The stream reports a trade at once, and the change of the level some milliseconds later. Here a
trade takes its lots from the level. In hftbacktest the level keeps them until the change. Until then a new order waits there for lots that
have traded, or is refused because of them.`;
  return {
    title: "Quotes in a recorded order book, next to hftbacktest",
    result: `${formatOf(alike, filled)} filled quotes fill at the same millisecond in hftbacktest ${version}; the others have a cause`,
    text,
  };
}
