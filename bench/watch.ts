/**
 * What looking costs: the same blocks applied alone, with every invariant after every transaction and step, with everything
 * looked at after every block besides, and with the heavy checks in turns. 64 accounts, four markets, blocks of 50.
 *
 *     node bench/watch.ts [--blocks 400] [--rounds 5] [--block-size 50] [--json] [--record]
 */
import { parseArgs } from "node:util";
import { applyBlock } from "../src/engine/applyBlock.ts";
import { createVenue } from "../src/engine/genesis.ts";
import { Watch, type WatchOptions } from "../src/invariants/watch.ts";
import { cpuSeconds, median, report } from "./lib/measure.ts";
import { createFlow } from "./lib/venueFlow.ts";

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "400" },
    rounds: { type: "string", default: "5" },
    "block-size": { type: "string", default: "50" },
    only: { type: "string" },
  },
  strict: false,
});
const flow = createFlow({ seed: 7, accounts: 64, markets: 4, blockSize: Number(values["block-size"]) });
const blocks = flow.next(Number(values.blocks));
const transactions = blocks.reduce((sum, block) => sum + block.transactions.length, 0);

interface Way {
  readonly name: string;
  readonly options: WatchOptions | undefined;
  readonly target?: string;
  readonly rates: number[];
}

const ways: readonly Way[] = [
  { name: "the engine alone", options: undefined, rates: [] },
  {
    name: "every invariant after every transaction",
    options: { sweepEvery: 0, heavyEvery: 0 },
    target: ">= 100",
    rates: [],
  },
  {
    name: "and everything after every block",
    options: { sweepEvery: 1, heavyEvery: 0, thorough: false },
    target: ">= 50",
    rates: [],
  },
  {
    name: "and the heavy ones in turns, each at every 256th block",
    options: { heavyEvery: 256, thorough: false },
    rates: [],
  },
].filter(({ options }) => values.only === undefined || options?.sweepEvery === Number(values.only));

function run({ options }: Way): number {
  const state = createVenue(flow.genesis);
  const watch = options === undefined ? undefined : new Watch(state, options);
  const seconds = cpuSeconds(() => {
    for (const block of blocks) {
      const found = watch?.check(state, block, applyBlock(state, block, watch.probe));
      if (watch === undefined) applyBlock(state, block);
      else if (found!.length > 0) throw new Error(`${found![0]!.invariant}: ${found![0]!.observed}`);
    }
  });
  return transactions / seconds / 1000;
}

for (const way of ways) run(way); // warm-up
for (let round = 0; round < Number(values.rounds); round++) for (const way of ways) way.rates.push(run(way));
const alone = median(ways[0]!.rates);
report("watch", [
  ...ways.map(({ name, rates, target }) => ({
    name,
    value: median(rates),
    unit: "k tx/s/core",
    ...(target === undefined ? {} : { target }),
  })),
  ...ways
    .slice(1)
    .map(({ name, rates }) => ({ name: `the engine alone beside: ${name}`, value: alone / median(rates), unit: "x" })),
]);
