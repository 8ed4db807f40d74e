import { countOf } from "../../../ground/math/counts.ts";
import { formatDuration } from "../../report/text/times.ts";
import type { LinkSettings, RefusalCode } from "../link/link.ts";
import { OutageTimes } from "../link/outages.ts";
import { formatRateLimits } from "../link/rateLimit.ts";

/** A strategy's connection in a run that has ended. */
export interface EndedLink {
  /** Of several strategies, its name. */
  readonly name: string | undefined;
  readonly link: LinkSettings;
  /** Transactions that were refused where they arrived. */
  readonly refused: Readonly<Record<RefusalCode, number>>;
  /** The run. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a reader must know of the connection, as sentences; none for a strategy that sees every block at once. */
export function listLinkAssumptions({ name, link, refused, fromMs, toMs }: EndedLink): string[] {
  if (link.isDirect) return [];
  const who = name === undefined ? "The strategy" : `The strategy ${name}`;
  const { feed, receipt, rateLimits, outages } = link;
  const sentences = [
    `${who} has a clock of its own. It sees prices, trades, bars and the order book as they were when the last message of the feed ` +
      `left the venue. A message takes: ${feed.text}.`,
    `${who} learns of its fills, rejections, orders and position with receipts. A receipt takes: ${receipt.text}. On each connection, ` +
      "no message arrives before one that was sent earlier. What has not arrived when the data ends does not arrive.",
  ];
  if (rateLimits.length > 0) {
    const limits = rateLimits.map(({ count, intervalMs }) => `${count} in ${formatDuration(intervalMs)}`).join(" and ");
    sentences.push(
      `The venue takes at most so many transactions${name === undefined ? "" : ` of ${name}`}: ${limits}, in intervals that begin at whole multiples of ` +
        `their length. ${countOf(refused.RATE_LIMITED, "other")} ${refused.RATE_LIMITED === 1 ? "was" : "were"} rejected with RATE_LIMITED where they arrived.`,
    );
  }
  if (outages.length > 0) {
    sentences.push(
      `${who} had no connection in ${countOf(outages.length, "outage")}, while the venue continued: ${describeOutages(link, fromMs, toMs)}. ` +
        `${countOf(refused.VENUE_UNREACHABLE, "transaction")} that arrived meanwhile ${refused.VENUE_UNREACHABLE === 1 ? "was" : "were"} rejected with ` +
        "VENUE_UNREACHABLE. Messages from the venue arrived at the end of the outage.",
    );
  }
  return sentences;
}

/** Settings of the connection that are not those of one that is direct. */
export function listLinkFacts({
  link,
  fromMs,
  toMs,
}: Omit<EndedLink, "refused" | "name">): { name: string; value: string }[] {
  const { feed, receipt, rateLimits, outages } = link;
  const withUnit = ({ constantMs, name }: LinkSettings["feed"]) =>
    constantMs === undefined ? name : `${constantMs} ms`;
  return [
    ...(feed.constantMs === 0 ? [] : [{ name: "feed latency", value: withUnit(feed) }]),
    ...(receipt.constantMs === 0 ? [] : [{ name: "receipt latency", value: withUnit(receipt) }]),
    ...(rateLimits.length === 0 ? [] : [{ name: "rate limit", value: formatRateLimits(rateLimits) }]),
    ...(outages.length === 0 ? [] : [{ name: "outages", value: describeOutages(link, fromMs, toMs) }]),
  ];
}

function describeOutages({ outages }: LinkSettings, fromMs: number, toMs: number): string {
  const measure = (direction: "submit" | "feed") =>
    formatDuration(new OutageTimes(outages, direction).measure(fromMs, toMs));
  return `${measure("submit")} of the run without a way to the venue, ${measure("feed")} without messages from it`;
}
