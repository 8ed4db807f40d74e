/**
 * The whole venue: transactions as objects, margin, fees, events, liquidation pass in every block, 1,000 accounts, three
 * markets, blocks of 100, every action type in play.
 *
 *     node bench/venue.ts [--blocks 2000] [--rounds 5] [--json] [--record]
 */
import { parseArgs } from "node:util";
import { applyBlock } from "../src/engine/applyBlock.ts";
import { computeRoot, getHead } from "../src/engine/commitment/root.ts";
import { createVenue } from "../src/engine/genesis.ts";
import { cpuSeconds, median, report } from "./lib/measure.ts";
import { createFlow } from "./lib/venueFlow.ts";

const { values } = parseArgs({
  options: { blocks: { type: "string", default: "2000" }, rounds: { type: "string", default: "5" } },
  strict: false,
});
const flow = createFlow({ seed: 7, accounts: 1000, markets: 3, blocks: Number(values.blocks), blockSize: 100 });

const rates: number[] = [];
const heads: number[] = [];
let fills = 0;
let applied = 0;
let root = "";
for (let round = 0; round < Number(values.rounds) + 2; round++) {
  const state = createVenue(flow.genesis);
  fills = 0;
  applied = 0;
  const seconds = cpuSeconds(() => {
    for (const block of flow.blocks) {
      const { receipts } = applyBlock(state, block);
      for (let index = 0; index < receipts.count; index++) if (receipts.codes[index] === 0) applied++;
    }
  });
  root = computeRoot(state);
  const chained = createVenue(flow.genesis);
  const withHead = cpuSeconds(() => {
    for (const block of flow.blocks) {
      applyBlock(chained, block);
      getHead(chained);
    }
  });
  if (round < 2) continue; // warm-up
  rates.push(flow.transactions / seconds / 1e6);
  heads.push(flow.transactions / withHead / 1e6);
  if (process.argv.includes("--verbose"))
    console.log(rates.at(-1), heads.at(-1), state.orders.rows.count, state.positions.rows.count);
}
report("venue", [
  { name: "transactions, effects folded into the chain", value: median(rates), unit: "M tx/s/core", target: ">= 1.5" },
  {
    name: "transactions, head of the chain read at every height",
    value: median(heads),
    unit: "M tx/s/core",
    target: ">= 1.3",
  },
  { name: "share of transactions applied", value: (100 * applied) / flow.transactions, unit: "%" },
]);
if (process.argv.includes("--verbose")) console.log(root);
