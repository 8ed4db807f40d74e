import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { explainMissing, findPython, runPeer } from "../../peers/environments.ts";
import { explainAbsent, findRecorded, type Row, readRows } from "../recorded.ts";
import { FOLDER, openCapture, SYMBOL } from "./capture.ts";
import { classifyQuote, FILL_CLASSES, type FillClass, type OwnFills } from "./compare.ts";
import { measurePartialFills, type PartialFills } from "./partialFills.ts";
import { type Planned, planQuotes } from "./schedule.ts";
import { createQuoter } from "./strategy.ts";

export const EVERY_MS = 1_000;
export const LATENCY_MS = 10;
export const SIZE = 0.01;
const [TICK, LOT] = [0.1, 0.001];

/** Models of the queue that both programs have: here, and there. */
export const QUEUES = { after: ["behind", "riskAdverse"], power: ["power(2)", "power2"] } as const;

export interface HftComparison {
  readonly version: string;
  readonly events: number;
  readonly quotes: number;
  readonly everyMs: number;
  readonly latencyMs: number;
  readonly size: number;
  /** By the model of the queue. */
  readonly queues: Readonly<Record<keyof typeof QUEUES, QueueComparison>>;
  readonly partialFills: PartialFills;
}

export interface QueueComparison {
  /** Quotes with a fill here, and the size of all fills. */
  readonly here: { readonly filled: number; readonly size: number };
  /** Quotes by class. */
  readonly classes: Readonly<Record<FillClass, number>>;
  /** Quotes that differ in more than the parts of their fills, up to some. */
  readonly others: readonly (Difference & {
    /** Traded on the way of the quote before it arrived, and after the last recorded change of that level. */
    readonly tradedBefore: number;
  })[];
}

interface Difference {
  readonly timeMs: number;
  readonly side: string;
  readonly class: FillClass;
  readonly firstHereMs: number | null;
  readonly thereMs: number | null;
}

interface PeerFills {
  readonly version: string;
  readonly events: number;
  /** By queue model. */
  readonly fills: Readonly<Record<"riskAdverse" | "power2", readonly number[]>>;
}

const LISTED = 20;
const EQUAL: ReadonlySet<FillClass> = new Set(["sameTime", "firstPart", "neither"]);

/** The prices to quote, from the best prices that the venue itself reported; undefined where the capture is absent. */
export function readPlan(): Planned[] | undefined {
  const folder = findRecorded(FOLDER);
  if (folder === undefined) return undefined;
  const quotes = readRows(folder, `${SYMBOL}_bookticker.csv.gz`, ["transaction_ms", "bid_px", "ask_px"]);
  return planQuotes(quotes, EVERY_MS, TICK);
}

/** Quotes the plan in the recorded order book here, with a model of the queue. */
export async function quoteHere(plan: readonly Planned[], queue = "behind"): Promise<readonly OwnFills[]> {
  const data = await openCapture();
  const { strategy, fills } = createQuoter(plan, { size: SIZE, tick: TICK });
  const fees = { maker: "0", taker: "0" };
  await runBacktest({ data, strategy, blockMs: 1, latencyMs: LATENCY_MS, deposit: "1000000", fees, queue });
  await data.close();
  return fills;
}

/** The plan here and in hftbacktest, with each model of the queue. */
export async function measureHft(): Promise<HftComparison | undefined> {
  const plan = readPlan();
  const python = findPython("hftbacktest");
  if (plan === undefined) return explainAbsent(FOLDER);
  if (python === undefined) {
    console.log(explainMissing("hftbacktest"));
    return undefined;
  }
  const { version, events, fills } = quoteThere(python, plan);
  const folder = findRecorded(FOLDER)!;
  const stream: RecordedStream = {
    depth: [...readRows(folder, `${SYMBOL}_depth.csv.gz`, ["transaction_ms", "price"])],
    trades: [...readRows(folder, `${SYMBOL}_trades.csv.gz`, ["trade_ms", "price", "qty", "buyer_is_maker"])],
  };
  const compare = async ([ours, theirs]: (typeof QUEUES)[keyof typeof QUEUES]): Promise<QueueComparison> => {
    const compared = compareQuotes(plan, await quoteHere(plan, ours), fills[theirs]);
    const others = compared.others.map((other) => ({ ...other, tradedBefore: findTradedBefore(stream, plan, other) }));
    return { ...compared, others };
  };
  return {
    version,
    events,
    quotes: 2 * plan.length,
    everyMs: EVERY_MS,
    latencyMs: LATENCY_MS,
    size: SIZE,
    queues: { after: await compare(QUEUES.after), power: await compare(QUEUES.power) },
    partialFills: await measurePartialFills(python),
  };
}

function findTradedBefore(stream: RecordedStream, plan: readonly Planned[], { timeMs, side }: Difference): number {
  const quote = plan.find(([planned]) => planned === timeMs)!;
  const isBid = side === "bid";
  return sumTradedBefore(stream, {
    isBid,
    price: TICK * (isBid ? quote[1] : quote[2]),
    arrivalMs: timeMs + LATENCY_MS,
  });
}

function quoteThere(python: string, plan: readonly Planned[]): PeerFills {
  const scratch = mkdtempSync(join(tmpdir(), "perplab-validation-"));
  try {
    const schedule = join(scratch, "schedule.json");
    writeFileSync(schedule, JSON.stringify(plan));
    const numbers = [TICK, LOT, SIZE, LATENCY_MS].map(String);
    return runPeer<PeerFills>(python, "hftbacktest_quotes.py", [findRecorded(FOLDER)!, SYMBOL, ...numbers, schedule]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Counts the quotes of a plan by class: bid and ask of each time in turns. */
export function compareQuotes(
  plan: readonly Planned[],
  ours: readonly OwnFills[],
  theirs: readonly number[],
): Omit<QueueComparison, "others"> & { readonly others: readonly Difference[] } {
  const classes = Object.fromEntries(FILL_CLASSES.map((name) => [name, 0])) as Record<FillClass, number>;
  const others: Difference[] = [];
  theirs.forEach((time, place) => {
    const name = classifyQuote(ours[place]!, time, SIZE);
    classes[name]++;
    if (EQUAL.has(name) || others.length === LISTED) return;
    const [timeMs] = plan[place >> 1]!;
    others.push({
      timeMs,
      side: place % 2 === 0 ? "bid" : "ask",
      class: name,
      firstHereMs: ours[place]![0]?.[0] ?? null,
      thereMs: time > 0 ? time : null,
    });
  });
  return { here: sumFills(ours), classes, others };
}

/** Quotes with a fill, and the size of all fills. */
export function sumFills(ours: readonly OwnFills[]): QueueComparison["here"] {
  const size = ours.flat().reduce((sum, [, part]) => sum + part, 0);
  return { filled: ours.filter(({ length }) => length > 0).length, size: Math.round(size * 1e6) / 1e6 };
}

interface RecordedStream {
  readonly depth: readonly Row<"transaction_ms" | "price">[];
  readonly trades: readonly Row<"trade_ms" | "price" | "qty" | "buyer_is_maker">[];
}

/**
 * Size traded on the way of a quote before it arrived, whose level has no recorded change since: at its own price,
 * where it would wait for those lots, or at a price of the other side that it would meet.
 */
export function sumTradedBefore(
  { depth, trades }: RecordedStream,
  quote: { readonly isBid: boolean; readonly price: number; readonly arrivalMs: number },
): number {
  const changed = new Map<number, number>();
  const levelOf = (price: string | number) => Math.round(Number(price) / TICK);
  for (const { transaction_ms, price } of depth) {
    if (Number(transaction_ms) <= quote.arrivalMs) changed.set(levelOf(price), Number(transaction_ms));
  }
  const own = levelOf(quote.price);
  const traded = trades.filter(({ trade_ms, price, buyer_is_maker }) => {
    const level = levelOf(price);
    const isTakerBuying = buyer_is_maker === "false";
    const isMet = isTakerBuying === quote.isBid && (quote.isBid ? level <= own : level >= own);
    const timeMs = Number(trade_ms);
    return (level === own || isMet) && timeMs <= quote.arrivalMs && timeMs > (changed.get(level) ?? 0);
  });
  return Math.round(traded.reduce((sum, { qty }) => sum + Number(qty), 0) * 1e6) / 1e6;
}
