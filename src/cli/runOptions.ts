import type { Command } from "commander";
import type { MarginMode } from "../client/strategy/context.ts";
import type { LinkOptions } from "../product/backtest/link/link.ts";
import { addHistoryOptions, type HistoryOptions, readHistoryOptions } from "./historyOptions.ts";
import { defined, readDuration, readTime, readWhole, readWord } from "./values.ts";

/** Options that decide the result of a run, besides the strategy, its parameters, its seed and the data. */
export interface RunOptions extends HistoryOptions {
  readonly from?: string;
  readonly to?: string;
  readonly deposit?: string;
  readonly insurance?: string;
  readonly leverage?: number;
  readonly margin?: MarginMode;
  readonly latency?: string;
  readonly feedLatency?: string;
  readonly receiptLatency?: string;
  readonly rateLimit?: string;
  readonly outage?: readonly string[];
  readonly bars?: number;
  readonly blocks?: "needed" | "all";
  readonly queue?: string;
  readonly signatures?: "verify" | "elide";
}

/** The same for one run and for many. */
export function addRunOptions(command: Command): Command {
  command
    .option("--from <time>", "start of the replay, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open")
    .option("--to <time>", "end of the replay, not included")
    .option("--deposit <usd>", "collateral at the start (default: 10000)")
    .option(
      "-l, --leverage <multiple>",
      "leverage in every market, a whole number (default: 1)",
      readWhole("--leverage"),
    )
    .option("--margin <mode>", "cross, or isolated: each position has its own collateral (default: cross)", readMargin)
    .option(
      "--latency <model>",
      "time from sending a transaction to the first block that may include it: ms, uniform(low,high), normal(mean,deviation), lognormal(median,sigma), or a CSV file of time,latency (default: 100)",
    )
    .option(
      "--feed-latency <model>",
      "time from the market to the strategy, which sees prices, trades, bars and the book that much later (default: 0)",
    )
    .option(
      "--receipt-latency <model>",
      "time from a block to the strategy, which learns of its fills, orders and position that much later (default: 0)",
    )
    .option(
      "--rate-limit <count/interval>",
      "transactions that the venue takes in each interval, others are rejected: 10/1s, or 300/10s,1200/1m (default: none)",
    )
    .option(
      "--outage <times...>",
      "times without a connection: 2024-03-05T12:00..2024-03-05T12:20, each with :submit or :feed for one direction; or a CSV file of from,to,stops (default: none)",
    )
    .option(
      "--bars <length>",
      "trades: length of the bars that the strategy gets, made of the trades: 1m, 15m, 1h (default: 1m)",
      readDuration("--bars"),
    )
    .option(
      "--blocks <which>",
      "needed: blocks where something can happen; all: a block wherever the data has something; both give the same result (default: needed)",
      readBlocks,
    );
  return addHistoryOptions(command)
    .option(
      "--queue <model>",
      "order books: where a decrease without a trade comes from in the queue of an order: behind, proportional, log or power(n) (default: behind)",
    )
    .option("--insurance <usd>", "insurance fund at the start (default: 1000000)")
    .option("--signatures <mode>", "verify or elide; both give the same result (default: elide)", readSignatures);
}

const readMargin = readWord("--margin", ["cross", "isolated"]);
const readBlocks = readWord("--blocks", ["needed", "all"]);
const readSignatures = readWord("--signatures", ["verify", "elide"]);

/** The connection; most runs name nothing of it. */
async function readLink({ latency, feedLatency, receiptLatency, rateLimit, outage }: RunOptions): Promise<LinkOptions> {
  const given = [latency, feedLatency, receiptLatency, rateLimit, outage];
  if (given.every((value) => value === undefined)) return {};
  const { readLinkTexts } = await import("./linkOptions.ts");
  return readLinkTexts({ latency, feedLatency, receiptLatency, rateLimit, outage });
}

/** As the driver takes them. */
export async function readRunOptions(given: RunOptions) {
  const { from, to, deposit, insurance, leverage, margin, bars, blocks, queue, signatures } = given;
  if (queue !== undefined) (await import("../product/replay/settings.ts")).resolveReplay({ queue });
  return defined({
    fromMs: await readTime("--from", from),
    toMs: await readTime("--to", to),
    ...(await readHistoryOptions(given)),
    deposit,
    insurance,
    leverage,
    margin,
    ...(await readLink(given)),
    barMs: bars,
    blocks,
    queue,
    signatures,
  });
}
