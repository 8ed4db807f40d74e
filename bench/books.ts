/**
 * Order books in a backtest, in events a second of CPU time: a strategy that quotes every 100 ms, and one that decides
 * once a second. Other backtesters have the same stream in turns, and quote at the same prices. Their orders arrive at
 * once, as here with blocks of 1 ms. With blocks of 100 ms an order arrives after the next 100 ms of history.
 *
 *     npm run bench -- books             node bench/books.ts [--small] [--json] [--record]
 *     PERPLAB_PEERS=FOLDER               has hftbacktest, lrvx and NautilusTrader, see bench/peers/environments.ts
 *
 * The streams are a drawn book, and a recorded one where the real data is there. lrvx has no best ask in the whole of
 * the recorded book, so it also has the levels near the price.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyStrategy } from "../src/client/strategy/strategy.ts";
import type { BacktestResult } from "../src/product/backtest/backtestResult.ts";
import { runBacktest } from "../src/product/backtest/runBacktest.ts";
import type { EventSource } from "../src/product/market-data/types.ts";
import { writeBookFile } from "./lib/bookFile.ts";
import { type BookPeer, type BookPeerName, type BookRun, findBookPeers, runBookPeer } from "./lib/bookPeers.ts";
import { createQuoter, decider } from "./lib/bookStrategies.ts";
import { drawBook } from "./lib/drawnBook.ts";
import { type Figure, median, report, timeTask } from "./lib/measure.ts";
import { cutBook, readCapture } from "./lib/recordedBook.ts";

const small = process.argv.includes("--small");
const ROUNDS = small ? 1 : 3;
/** Rounds in which V8 compiles; a stream of fewer events needs more. */
const WARM_UP = small ? 0 : 8;
const UPDATES = small ? 400 : 150_000;
const NEAR_USD = 22;

interface Stream {
  readonly name: string;
  readonly data: EventSource;
  /** The stream as a file for other programs. */
  readonly path: string;
  readonly peers: readonly BookPeer[];
}

interface RunOptions {
  readonly blocks?: "needed" | "all";
  readonly blockMs?: number;
}

async function run(data: EventSource, strategy: AnyStrategy, { blocks = "needed", blockMs = 100 }: RunOptions = {}) {
  const options = { data, strategy, blocks, blockMs, latencyMs: 0, deposit: "1000000", leverage: 10 };
  const { result, cpu } = await timeTask(() => runBacktest(options));
  return { result, cpu };
}

async function quote({ data }: Stream, blockMs: number): Promise<BookRun> {
  const { strategy, counts } = createQuoter();
  const { cpu } = await run(data, strategy, { blockMs });
  return { seconds: cpu, ...counts };
}

/** The schedule with less work must give the same fills. */
async function compareSchedules(data: EventSource): Promise<void> {
  const totalsOf = ({ input }: BacktestResult) => JSON.stringify(input.recording.totals, (_, value) => String(value));
  const all = await run(data, createQuoter().strategy, { blocks: "all" });
  const needed = await run(data, createQuoter().strategy);
  if (totalsOf(all.result) !== totalsOf(needed.result)) {
    throw new Error("the quoting strategy has other totals with the blocks needed");
  }
}

const rateOf = ({ data }: Stream, { seconds }: BookRun) => data.manifest.events / seconds / 1e6;
const nameOf = (name: string, { orders, fills }: BookRun) => `${name}: ${orders} orders, ${fills} fills`;

/** Rounds of quotes in a stream: here with both lengths of a block, then in each other program. */
async function compare(stream: Stream): Promise<Figure[]> {
  const [coarse, fine]: [BookRun[], BookRun[]] = [[], []];
  const others = stream.peers.map(() => [] as BookRun[]);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [first, second] = [await quote(stream, 100), await quote(stream, 1)];
    if (round < 0) continue;
    coarse.push(first);
    fine.push(second);
    for (const [place, peer] of stream.peers.entries()) others[place]!.push(runBookPeer(peer, stream.path));
  }
  const rate = (runs: readonly BookRun[]) => median(runs.map((each) => rateOf(stream, each)));
  const show = (name: string, runs: readonly BookRun[]) => ({
    name: nameOf(name, runs[0]!),
    value: rate(runs),
    unit: "M events/s",
  });
  const figures: Figure[] = [
    { ...show(`${stream.name}, blocks of 100 ms`, coarse), target: ">= 2" },
    { ...show(`${stream.name}, blocks of 1 ms`, fine), target: ">= 2" },
  ];
  for (const [place, { name, target }] of stream.peers.entries()) {
    const runs = others[place]!;
    const ratios = fine.map((each, round) => runs[round]!.seconds / each.seconds);
    const { blind = 0, decisions } = runs[0]!;
    figures.push(show(`  ${name}`, runs));
    // A program without a best price places nothing, so its time says nothing.
    if (blind === 0) figures.push({ name: `  blocks of 1 ms to ${name}`, value: median(ratios), unit: "x", target });
    else figures.push({ name: `  without a best price, of ${decisions} decisions`, value: blind, unit: "" });
  }
  return figures;
}

async function decide(data: EventSource): Promise<Figure> {
  const seconds: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const { cpu } = await run(data, decider);
    if (round >= 0) seconds.push(cpu);
  }
  const name = "drawn book, one decision a second";
  return { name, value: data.manifest.events / median(seconds) / 1e6, unit: "M events/s", target: ">= 4" };
}

async function makeStream(name: string, data: EventSource, peerNames: readonly BookPeerName[]): Promise<Stream> {
  const path = join(scratch, `${name.replaceAll(/\W+/g, "-")}.bin`);
  const peers = findBookPeers(peerNames);
  if (peers.length > 0) await writeBookFile(data, path);
  return { name, data, path, peers };
}

const scratch = mkdtempSync(join(tmpdir(), "perplab-books-"));
try {
  const drawn = drawBook(UPDATES);
  await compareSchedules(drawn);
  const all = ["hftbacktest", "lrvx", "batches", "deltas"] as const;
  const figures = [...(await compare(await makeStream("drawn book", drawn, all))), await decide(drawn)];
  const recorded = small ? undefined : await readCapture();
  if (recorded !== undefined) {
    figures.push(...(await compare(await makeStream("recorded book", recorded, all))));
    const near = await cutBook(recorded, NEAR_USD);
    figures.push(...(await compare(await makeStream(`levels within ${NEAR_USD} USD`, near, ["lrvx"]))));
  }
  const peak = process.resourceUsage().maxRSS / 1024;
  report("books", [...figures, { name: "peak memory of the process", value: peak, unit: "MB" }]);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
