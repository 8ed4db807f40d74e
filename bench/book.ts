/**
 * The engine's order book alone: ladder, order table, order index. Streams of 60 % limit orders, 35 % cancels and 5 %
 * takers, on a shallow book (about 2,000 live orders) and a deep one (about 30,000), against a plain book of objects
 * and the npm package `nodejs-order-book` on the same stream. Every fill of all three is compared.
 *
 *     npm run bench -- book            node bench/book.ts [--small] [--json] [--record]
 *
 * The package is slow enough that it plays only the first part of a stream.
 */
import { type BookStream, createBookStream } from "./lib/bookStream.ts";
import { EngineBook } from "./lib/engineBook.ts";
import { expectEqualFills, FillLog } from "./lib/fillLog.ts";
import { measureHeap } from "./lib/heap.ts";
import { cpuSeconds, type Figure, median, report } from "./lib/measure.ts";
import { PlainBook } from "./lib/plainBook.ts";
import { PeerBook, playEngine, playPeer, playPlain } from "./lib/playBook.ts";
import { createRestingStream } from "./lib/restingStream.ts";

const small = process.argv.includes("--small");
const ROUNDS = small ? 1 : 7;
const WARM_UP = small ? 0 : 3;

interface Shape {
  readonly name: string;
  readonly live: number;
  readonly middleMovesEvery: number;
  readonly operations: number;
  /** Operations that the package plays. */
  readonly peerOperations: number;
  readonly target: string;
}

const shapes: readonly Shape[] = [
  {
    name: "shallow",
    live: 2_000,
    middleMovesEvery: 50,
    operations: small ? 50_000 : 2_000_000,
    peerOperations: small ? 2_000 : 100_000,
    target: ">= 15",
  },
  {
    name: "deep",
    live: 30_000,
    middleMovesEvery: 5_000,
    operations: small ? 50_000 : 2_000_000,
    peerOperations: small ? 200 : 10_000,
    target: ">= 6",
  },
];

/** Millions of operations a second, median of the rounds. */
function measureRate(rounds: number, operations: number, play: () => () => void): number {
  const rates: number[] = [];
  for (let round = 0; round < rounds + WARM_UP; round++) {
    const run = play();
    const seconds = cpuSeconds(run);
    if (round >= WARM_UP) rates.push(operations / Math.max(seconds, 1e-6) / 1e6);
  }
  return median(rates);
}

function measureEngine(stream: BookStream): number {
  const { prefill, count, fills } = stream;
  const log = new FillLog(fills.count + 1);
  const rate = measureRate(ROUNDS, count - prefill, () => {
    log.count = 0;
    const book = new EngineBook(log);
    playEngine(book, stream, 0, prefill);
    return () => playEngine(book, stream, prefill, count);
  });
  expectEqualFills("engine", log, fills);
  return rate;
}

function measurePlain(stream: BookStream): number {
  const { prefill, count, fills } = stream;
  const log = new FillLog(fills.count + 1);
  const rate = measureRate(small ? 1 : 3, count - prefill, () => {
    log.count = 0;
    const book = new PlainBook(log);
    playPlain(book, stream, 0, prefill);
    return () => playPlain(book, stream, prefill, count);
  });
  expectEqualFills("plain book", log, fills);
  return rate;
}

function measurePeer(stream: BookStream, operations: number): number {
  const { prefill, fills, fillsBefore, ids } = stream;
  const end = prefill + operations;
  const names = Array.from(ids.subarray(0, end), String);
  const log = new FillLog(fills.count + 1);
  const play = (to: number): number => {
    log.count = 0;
    const book = new PeerBook(log);
    playPeer(book, stream, names, 0, prefill);
    return cpuSeconds(() => playPeer(book, stream, names, prefill, to));
  };
  if (!small) play(prefill + (operations >> 2));
  const seconds = play(end);
  expectEqualFills("nodejs-order-book", log, fills, fillsBefore[end]!);
  return operations / seconds / 1e6;
}

const figures: Figure[] = [];
for (const { name, live, middleMovesEvery, operations, peerOperations, target } of shapes) {
  const stream = createBookStream({ seed: 5, operations, live, middleMovesEvery });
  const engine = measureEngine(stream);
  const plain = measurePlain(stream);
  const peer = measurePeer(stream, peerOperations);
  figures.push(
    { name: `${name} (${stream.live.toLocaleString("en")} live at the end)`, value: engine, unit: "M ops/s", target },
    { name: `${name}: plain book of objects`, value: plain, unit: "M ops/s" },
    { name: `${name}: nodejs-order-book`, value: peer, unit: "M ops/s" },
    { name: `${name}: engine to plain book`, value: engine / plain, unit: "x" },
    { name: `${name}: engine to nodejs-order-book`, value: engine / peer, unit: "x", target: ">= 20" },
    { name: `${name}: fills compared`, value: stream.fills.count, unit: "fills" },
  );
}

const resting = small ? 20_000 : 1_000_000;
const peerResting = small ? 2_000 : 50_000;
const restingStream = createRestingStream(resting);
const full = new EngineBook(new FillLog(1));
playEngine(full, restingStream, 0, resting);
if (full.live !== resting) throw new Error(`${full.live} orders rest where ${resting} were placed`);
const names = Array.from(restingStream.ids.subarray(0, peerResting), String);
const peer = new PeerBook(new FillLog(1));
const peerBytes = measureHeap(() => playPeer(peer, restingStream, names, 0, peerResting));
figures.push(
  {
    name: `bytes per order, ${resting.toLocaleString("en")} resting`,
    value: full.byteLength() / resting,
    unit: "bytes",
    target: "<= 80",
  },
  {
    name: `nodejs-order-book: bytes per order, ${peerResting.toLocaleString("en")} resting`,
    value: peerBytes / peerResting,
    unit: "bytes",
  },
);
if (peer.book.order(names[0]!) === undefined) throw new Error("the first order rests no more");
report("book", figures);
