/**
 * The whole venue: transactions as objects, margin, fees, events, liquidation pass in every block, 1,000 accounts, three
 * markets, blocks of 100, every action type in play. Blocks are made a few at a time, outside the clock.
 *
 *     node bench/venue.ts [--blocks 2000] [--rounds 5] [--json] [--record]
 */
import { parseArgs } from "node:util";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { getHead } from "../src/venue/engine/commitment/root.ts";
import { createVenue } from "../src/venue/engine/genesis.ts";
import { median, report } from "./lib/measure.ts";
import { createFlow } from "./lib/venueFlow.ts";

const { values } = parseArgs({
  options: { blocks: { type: "string", default: "2000" }, rounds: { type: "string", default: "5" } },
  strict: false,
});
const BATCH = 20;

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

const plain: number[] = [];
const heads: number[] = [];
let last = run(false);
run(true); // both were warm-up
for (let round = 0; round < Number(values.rounds); round++) {
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
