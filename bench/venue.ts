/**
 * The whole venue: transactions as objects, margin, fees, events, liquidation pass in every block, 1,000 accounts,
 * three markets, blocks of 100, every action type in play. Blocks are made a few at a time, outside the clock.
 *
 *     node bench/venue.ts [--blocks 2000] [--rounds 5] [--json] [--record]
 *     node bench/venue.ts --against <folder> [--blocks 2000] [--rounds 31]
 *
 * With `--against` nothing but a ratio is printed: the rounds of these sources and those of another working tree run in
 * turns, in two processes, after eight rounds of warm-up each. The heads must be equal. A ratio is taken of each pair
 * of rounds, so that other load on the machine hits both sides alike.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { getHead } from "../src/venue/engine/commitment/root.ts";
import { createVenue } from "../src/venue/engine/genesis.ts";
import { median, report } from "./lib/measure.ts";
import { createFlow } from "./lib/venueFlow.ts";
import type { Round } from "./lib/venueRounds.ts";

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "2000" },
    rounds: { type: "string" },
    against: { type: "string" },
  },
  strict: false,
});
const BATCH = 20;
const WARM_UP = 8;

if (typeof values.against === "string") {
  await compare(resolve(values.against), Number(values.rounds ?? 31));
  process.exit();
}

interface Run {
  /** Millions of transactions per CPU second. */
  readonly rate: number;
  readonly applied: number;
  readonly head: string;
}

function run(readHeads: boolean): Run {
  const flow = createFlow({ seed: 7, accounts: 1000, markets: 3, blockSize: 100 });
  const state = createVenue(flow.genesis);
  let micros = 0;
  let transactions = 0;
  let applied = 0;
  for (let done = 0; done < Number(values.blocks); done += BATCH) {
    const blocks = flow.next(BATCH);
    const before = process.cpuUsage();
    for (const block of blocks) {
      const { receipts } = applyBlock(state, block);
      if (readHeads) getHead(state);
      for (let index = 0; index < receipts.count; index++) if (receipts.codes[index] === 0) applied++;
      transactions += receipts.count;
    }
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  }
  return { rate: transactions / micros, applied: applied / transactions, head: getHead(state) };
}

/** Prints how many times as fast as the sources of another folder these are. */
async function compare(folder: string, rounds: number): Promise<void> {
  const script = join(import.meta.dirname, "lib", "venueRounds.ts");
  const folders = [join(import.meta.dirname, ".."), folder];
  const [here, there] = folders.map((path) =>
    fork(script, [path, String(values.blocks)]).on("exit", (code) => {
      if (code !== 0) process.exit(1);
    }),
  );
  for (let round = 0; round < WARM_UP; round++) await runTurn(here!, there!, round);
  const pairs: (readonly [Round, Round])[] = [];
  for (let round = 0; round < rounds; round++) pairs.push(await runTurn(here!, there!, round));
  for (const child of [here!, there!]) child.disconnect();
  const sorted = pairs.map(([own, other]) => own.rate / other.rate).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(3);
  const rates = [0, 1].map((side) => median(pairs.map((pair) => pair[side]!.rate)).toFixed(4));
  const isEqual = pairs.every(([own, other]) => own.head === other.head);
  console.log(`venue: ${rates[0]} and ${rates[1]} M tx/s/core, medians of ${rounds} rounds of ${values.blocks} blocks`);
  console.log(`ratio of a pair: median ${at(0.5)}, quartiles ${at(0.25)} and ${at(0.75)}`);
  console.log(
    `ratio of the medians ${(Number(rates[0]) / Number(rates[1])).toFixed(3)}; ratio of the best rounds ${getBest(pairs)}`,
  );
  console.log(isEqual ? `same heads, ${pairs[0]![0].head}` : "HEADS DIFFER");
  if (!isEqual) process.exitCode = 1;
}

function getBest(pairs: readonly (readonly [Round, Round])[]): string {
  const [own, other] = [0, 1].map((side) => Math.max(...pairs.map((pair) => pair[side]!.rate)));
  return (own! / other!).toFixed(3);
}

/** A round of both sides, one after the other; which side comes first alternates. */
async function runTurn(here: ChildProcess, there: ChildProcess, round: number): Promise<readonly [Round, Round]> {
  if (round % 2 === 0) {
    const own = await ask(here);
    return [own, await ask(there)];
  }
  const other = await ask(there);
  return [await ask(here), other];
}

async function ask(child: ChildProcess): Promise<Round> {
  const answered = once(child, "message");
  child.send("run");
  const [answer] = (await answered) as [Round];
  return answer;
}

const plain: number[] = [];
const heads: number[] = [];
let last = run(false);
run(true); // both were warm-up
for (let round = 0; round < Number(values.rounds ?? 5); round++) {
  last = run(false);
  plain.push(last.rate);
  heads.push(run(true).rate);
  if (process.argv.includes("--verbose")) console.log(plain.at(-1), heads.at(-1));
}
report("venue", [
  { name: "transactions, effects folded into the chain", value: median(plain), unit: "M tx/s/core", target: ">= 1.5" },
  {
    name: "transactions, head of the chain read at every height",
    value: median(heads),
    unit: "M tx/s/core",
    target: ">= 1.3",
  },
  { name: "share of transactions applied", value: 100 * last.applied, unit: "%" },
]);
if (process.argv.includes("--verbose")) console.log(last.head);
