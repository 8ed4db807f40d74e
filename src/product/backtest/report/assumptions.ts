import { usesBars } from "../../../client/strategy/strategy.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import { POINTS } from "../../market-data/stream/barPath.ts";
import type { TapeManifest } from "../../market-data/types.ts";
import type { History } from "../../replay/history.ts";
import type { MarketDefinition } from "../../replay/marketDefinition.ts";
import { DEPTH_LEVELS, type MarketFlow } from "../../replay/marketFlow.ts";
import { formatDuration } from "../../report/text/times.ts";
import type { LatencyModel } from "../link/latencyModel.ts";
import type { Settings } from "../options.ts";
import type { StrategySettings } from "../strategyOptions.ts";

/**
 * What a reader must know to trust a run's numbers, as sentences, the most important first.
 *
 * @param strategies those that the report is of
 */
export function listAssumptions(
  settings: Settings,
  strategies: readonly StrategySettings[],
  manifest: TapeManifest,
  definitions: readonly MarketDefinition[],
  { flows, intervals, drivers }: History,
): string[] {
  const { blockMs } = settings;
  const isAlone = settings.strategies.length === 1;
  const sentences: string[] = [];
  const barred = flows.filter((_, market) => intervals[market]! > 0).map(({ name }) => name);
  const traded = flows.filter((_, market) => drivers[market] === "trade").map(({ name }) => name);
  if (barred.length > 0) sentences.push(...assumeBars(settings, barred));
  if (traded.length > 0) {
    sentences.push(
      `Trades of ${traded.join(", ")}: a block gathers ${blockMs} ms of trades. Each trade fills the resting orders at its ` +
        "price, those of the strategy by their place in the queue. The rest trades against the house's own depth and " +
        "moves the last price.",
      "After the trades of a block the house quotes the size of the last trade on both sides. It quotes the last price " +
        "on the side of that trade, and a price one spread away on the other. Depth beyond that is not known and not " +
        "offered. An unchanged price keeps its place in the queue and is refilled to that size.",
    );
  }
  for (const [market, driver] of drivers.entries()) {
    if (driver === "depth" || driver === "quote") sentences.push(...assumeBook(settings, flows[market]!, driver));
  }
  for (const [market, { name, sizeStep }] of manifest.markets.entries()) {
    const { lotSize } = definitions[market]!;
    // A bar's depth is a share of its volume, which no lot divides.
    if (intervals[market]! > 0 || sizeStep % lotSize === 0) continue;
    sentences.push(
      `Recorded sizes of ${name} are finer than its lot of ${formatDecimal(lotSize, SIZE_DECIMALS)}. Each level and each ` +
        "trade is rounded down to whole lots.",
    );
  }
  const made = manifest.markets
    .filter(({ events }, market) => intervals[market] === 0 && events.trade > 0 && events.bar === 0)
    .map(({ name }) => name);
  if (made.length > 0 && strategies.some(({ strategy }) => usesBars(strategy))) {
    sentences.push(
      `The data has no bars of ${made.join(", ")}. The strategy gets bars of ${formatDuration(settings.barMs)} that are made ` +
        "of its trades. An interval without a trade has no bar.",
    );
  }
  for (const flow of flows) sentences.push(...assumePrices(flow));
  for (const { name, link } of strategies) {
    sentences.push(
      `A transaction ${strategies.length === 1 ? "" : `of ${name} `}enters the first block after the one that ` +
        `the strategy saw, at the earliest ${describeLatency(link.submit)}. In that block history comes first.`,
    );
  }
  if (!isAlone) {
    sentences.push(
      "The strategies of the run trade in the same books, each with an account of its own. Their orders fill each other, and " +
        "one takes the depth that another would have found. In a block, transactions are ordered by the earliest time at " +
        "which a block could carry them; at equal times the names of the strategies decide.",
    );
  }
  sentences.push(
    "History reacts to the strategy only through the depth that it takes. A recorded trade or bar is replayed as " +
      "recorded.",
    isAlone
      ? "The insurance fund starts with the balance that the run gave it. No other account trades in this venue, so the house " +
          "is the only counterparty of deleveraging."
      : "The insurance fund starts with the balance that the run gave it, and all strategies share it. No other account trades in " +
          "this venue, so the house and the other strategies are the counterparties of deleveraging.",
  );
  const unpaid = flows.filter(({ notes }) => notes.fundingRates === 0).map(({ name }) => name);
  if (unpaid.length > 0) {
    sentences.push(`The run has no funding rates of ${unpaid.join(", ")}: no position there pays or receives funding.`);
  }
  for (const { notes } of manifest.sources) sentences.push(...notes);
  return [...new Set(sentences)];
}

/** When a transaction is there, after the block that the strategy saw. */
function describeLatency({ constantMs, text }: LatencyModel): string {
  if (constantMs !== undefined) return `${text} after it`;
  return `its latency after it: ${text}. None is there before one that was sent earlier`;
}

function assumeBars(settings: Settings, names: readonly string[]): string[] {
  const { participation, impactTicks, spreadTicks, intrabar } = settings;
  const order = {
    nearest: "the extreme nearer to the open, the other extreme",
    "high-first": "the high, the low",
    "low-first": "the low, the high",
  }[intrabar];
  return [
    `Bars of ${names.join(", ")}: the price moves from the open, 1 ms after the bar's start, to the close. In between, it passes ` +
      `${order}, at one and two thirds of the bar. No value of a bar is shown before its start.`,
    `At each of these ${POINTS} points the house offers ${participation / 1e6} x volume / ${POINTS} on each side, ` +
      `${spreadTicks} tick(s) apart, in ${impactTicks === 0 ? 1 : DEPTH_LEVELS} equal part(s) ` +
      `${impactTicks} tick(s) from one to the next. Depth that is taken is not refilled before the next point. A larger order ` +
      "fills in part. A bar without volume offers nothing, and neither does a gap in the data.",
    "Depth within a bar is a share of the bar's whole volume. A strategy that reads the depth can infer that volume " +
      "before the bar ends.",
  ];
}

function assumeBook({ blockMs, queue }: Settings, { name, book }: MarketFlow, driver: "depth" | "quote"): string[] {
  const { crossed, levelsOut, gaps, sizesLost } = book!.book.notes;
  const sentences = [
    driver === "depth"
      ? `Order book of ${name}: a block gathers ${blockMs} ms of updates and trades. The venue then has the recorded levels. What the ` +
        "strategies of the run took of a level is gone until the data sets that level again."
      : `Best prices of ${name}: a block gathers ${blockMs} ms of quotes and trades. The venue then has the recorded best bid and best ` +
        "ask. Depth beyond them is not known and not offered. What the strategies of the run took is gone until the next quote.",
    `An order in ${name} waits after everything that was recorded at its price when it came. Trades at its price take the queue from ` +
      `its front. ${queue.assumption}`,
    `A trade in ${name} shows that the book has nothing at better prices, and less at its own price. That holds until the next update ` +
      "of the book. An order at a better price is filled first. Recorded levels that cross an order fill it.",
  ];
  if (crossed > 0) {
    sentences.push(
      `${name}: after ${crossed} updates the best bid met the best ask. The older levels were left out until the data set them again: ` +
        `${levelsOut} in all.`,
    );
  }
  if (gaps > 0) {
    sentences.push(
      `${name}: before ${gaps} updates of the book others are missing. Levels may be wrong until the next snapshot.`,
    );
  }
  if (sizesLost > 0) sentences.push(`${name}: ${sizesLost} levels were smaller than one lot, and were left out.`);
  return sentences;
}

function assumePrices({ name, prices, notes, book }: MarketFlow): string[] {
  const other = book === undefined ? "the last price" : "the middle of the book";
  const { markMissing, indexMissing, pricesRounded, sizesLost, gaps } = notes;
  const sentences: string[] = [];
  if (!prices.hasMark) {
    const source = book === undefined ? "last trade" : "middle of the book";
    sentences.push(`${name}: no mark price is recorded; the mark is ${other} (mark: ${source}).`);
  } else if (markMissing > 0) {
    sentences.push(`${name}: at ${markMissing} instants there was no recorded mark, and ${other} was used instead.`);
  }
  if (!prices.hasIndex) sentences.push(`${name}: no index is recorded; funding is charged on the mark.`);
  else if (indexMissing > 0) {
    sentences.push(`${name}: at ${indexMissing} instants there was no recorded index, and the mark was used instead.`);
  }
  if (pricesRounded > 0) sentences.push(`${name}: ${pricesRounded} prices lie between two ticks and were rounded.`);
  if (sizesLost > 0) {
    sentences.push(`${name}: ${sizesLost} trades or points were smaller than one lot, so they left no size to trade.`);
  }
  if (gaps > 0) sentences.push(`${name}: ${gaps} gaps between bars; there is no trading until the next bar.`);
  return sentences;
}
