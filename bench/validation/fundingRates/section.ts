import { table } from "../../../scripts/markdown.ts";
import type { Section } from "../section.ts";
import { formatCount, formatDay, formatOf, formatTime } from "../text.ts";
import type { FundingComparison } from "./measure.ts";

/** Most differences that are listed one by one. */
const LISTED = 20;

export function describeFunding(markets: readonly FundingComparison[]): Section {
  const rows = markets.map(({ market, hours, fromMs, toMs, equal, lastDigit, other, parts, greatestRate }) => [
    market,
    `${formatDay(fromMs)} to ${formatDay(toMs)}`,
    formatCount(hours),
    formatCount(equal),
    formatCount(lastDigit),
    formatCount(other.length),
    formatCount(parts.clamped),
    greatestRate,
  ]);
  const hours = sum(markets.map((market) => market.hours));
  const within = sum(markets.map(({ equal, lastDigit }) => equal + lastDigit));
  const others = markets.flatMap(({ market, other }) => other.map((row) => ({ market, ...row })));
  const list = others.slice(0, LISTED).map((row) => [row.market, formatTime(row.timeMs), row.recorded, row.computed]);
  const listed = list.length === 0 ? "" : `\n\n${table(["market", "hour", "recorded", "computed"], list)}`;
  const text = `The folder \`funding_hyperliquid_binance\` has the premium and the rate of every recorded hour of two markets of Hyperliquid. The engine's
formula ([FND-2](spec/funding.md)) settles each hour at the recorded premium: an eighth of premium and clamped interest, at most 4 %.

${table(["market", "days", "hours", "equal", "last digit", "other", "beyond the clamp", "greatest rate"], rows)}

A rate has nine decimals here and ten there, so both are compared in nine, cut toward zero. The premium is cut as well. That makes the last
digit smaller by one in some hours. ${formatCount(sum(markets.map(({ parts }) => parts.bounded)))} hours reached a bound of the rate.${listed}

Other folders have rates or prices, and not both in a form that decides a rate. \`binance_um_capture_20230405\` has a mark and an index by the
second, but only the last minutes of an eight-hour mean. \`binance_btcusdt_mark_index_1h\` and \`okx_btcusd_swap_hourly\` have one sample an
hour. From them no rate is computed.`;
  return {
    title: "Funding rates from recorded premiums",
    result: `${formatOf(within, hours)} hours equal, the last of nine decimals at most one unit off`,
    text,
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
