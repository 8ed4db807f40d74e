import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatOf, formatUsd } from "../text.ts";
import { FOLDER } from "./capture.ts";
import { FILL_CLASSES, type FillClass } from "./compare.ts";
import { type HftComparison, QUEUES, type QueueComparison } from "./measure.ts";
import type { PartialFills } from "./partialFills.ts";

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
  const { quotes, queues, version, partialFills } = figures;
  const { after, power } = queues;
  const rows = FILL_CLASSES.map((name) => [
    MEANINGS[name],
    formatCount(after.classes[name]),
    formatCount(power.classes[name]),
  ]);
  const list = [...listOthers(QUEUES.after[0], after), ...listOthers(QUEUES.power[0], power)];
  const text = `A plan quotes the recorded best bid and ask every ${formatCount(figures.everyMs / 1000)} s for eight and a half minutes, ${figures.size} BTC a side, post-only. What is
left of the quotes before is cancelled. The order book and the trades are those of \`${FOLDER}\`, ${formatCount(figures.events)}
events. An order arrives ${figures.latencyMs} ms after its decision. Both programs have two of the same models of the queue. With \`${QUEUES.after[0]}\` a decrease
without a trade comes from after the order; hftbacktest calls it \`risk_adverse_queue_model\`. \`power(2)\` splits it by the squares of what is
before and after the order; there it is \`power_prob_queue_model(2.0)\`. Of ${formatCount(quotes)} quotes:

${table(["quote", "`behind`", "`power(2)`"], rows)}

hftbacktest ${version} fills an order whole with the first trade that reaches it. This is its model \`no_partial_fill_exchange\`. perplab fills
the part that was traded. The other differences one by one:

${table(["queue", "time, UTC", "side", "class", "first fill here", "there", "traded before, BTC"], list)}

The last column counts trades before the quote arrived, at its own price or at a price of the other side that it would meet. It has those
that the recorded level did not show yet. The stream reports a trade at once, and the change of the level some milliseconds later. Here a
trade takes its lots from the level. In hftbacktest the level keeps them until the change. Until then a new order waits there for lots that
have traded, or is refused because of them.

\`power(2)\` has one more cause. Sometimes a decrease of a level comes just before its trade, with no update of the book between them. Here both
are one event, so the lots of the trade leave the queue once. There the decrease moves the queue, and the trade moves it again.

**Fills in parts.** ${describeParts(partialFills, version)}`;
  return {
    title: "Quotes in a recorded order book, next to hftbacktest",
    result: `${countAlike(after, quotes)} filled quotes fill at the same millisecond in hftbacktest ${version}, ${countAlike(power, quotes)} with \`power(2)\`; the others have a cause`,
    text,
  };
}

function countAlike({ classes }: QueueComparison, quotes: number): string {
  return formatOf(classes.sameTime + classes.firstPart, quotes - classes.neither);
}

function listOthers(queue: string, { others }: QueueComparison): string[][] {
  return others.map(({ timeMs, side, class: name, firstHereMs, thereMs, tradedBefore }) => [
    `\`${queue}\``,
    new Date(timeMs).toISOString().slice(11, 19),
    side,
    MEANINGS[name],
    firstHereMs === null ? "–" : `+${firstHereMs - timeMs} ms`,
    thereMs === null ? "–" : `+${thereMs - timeMs} ms`,
    formatUsd(tradedBefore, 3),
  ]);
}

/** @param lots lots of an order */
function describeParts({ here, there, lots }: PartialFills, version: string): string {
  const end =
    there.decisions < there.allDecisions
      ? `There \`partial_fill_exchange\` ends the run at decision ${formatCount(there.decisions)} of
${formatCount(there.allDecisions)}, with error ${there.code} of hftbacktest ${version} ([issue 301](https://github.com/nkaz001/hftbacktest/issues/301)).
\`no_partial_fill_exchange\` makes all of them.`
      : `hftbacktest ${version} makes all ${formatCount(there.allDecisions)} decisions with \`partial_fill_exchange\`.`;
  return `A strategy reads the book every 100 ms and keeps a bid and an ask of ${lots} lots at the best prices. ${end}
Here the strategy makes ${formatCount(here.decisions)} decisions and ${formatCount(here.orders)} orders, and ${formatCount(here.ordersInParts)} of them fill in more than one part. The scenario
\`scenarios/accounts/a-recorded-book-fills-an-order-in-parts.yaml\` has such an order in four parts.`;
}
