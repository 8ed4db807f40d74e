/**
 * What looking costs: the same blocks applied alone, with every invariant after every transaction and step, with
 * everything checked after every block as well, and with the heavy checks in turns; then in lock step with the
 * reference model, which applies them too and is compared after each, alone and with every invariant. 64 accounts, four
 * markets, blocks of 50.
 *
 *     node bench/watch.ts [--blocks 400] [--rounds 5] [--block-size 50] [--only <ways, such as 0,2>] [--json] [--record]
 */
import { parseArgs } from "node:util";
import { LockStep } from "../src/proof/fuzz/differential/lockStep.ts";
import { joinProbes } from "../src/proof/fuzz/run/joinProbes.ts";
import { Watch, type WatchOptions } from "../src/proof/invariants/machinery/watching/watch.ts";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { createVenue } from "../src/venue/engine/genesis.ts";
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
  readonly watch?: WatchOptions;
  readonly model?: true;
  readonly target?: string;
  readonly rates: number[];
}

const moments: WatchOptions = { sweepEvery: 0, heavyEvery: 0 };
const all: readonly Way[] = [
  { name: "the engine alone", rates: [] },
  { name: "every invariant after every transaction", watch: moments, target: ">= 100", rates: [] },
  {
    name: "and everything after every block",
    watch: { sweepEvery: 1, heavyEvery: 0, thorough: false },
    target: ">= 50",
    rates: [],
  },
  {
    // A block counts as one for every four transactions.
    name: "and the heavy ones in turns, each once in 1,024 transactions",
    watch: { heavyEvery: 256, thorough: false },
    rates: [],
  },
  { name: "in lock step with the reference model", model: true, target: ">= 15", rates: [] },
  { name: "and every invariant after every transaction besides", watch: moments, model: true, rates: [] },
];
const only = values.only === undefined ? undefined : String(values.only).split(",").map(Number);
const ways = only === undefined ? all : only.map((place) => all[place]!);

function run({ watch: options, model }: Way): number {
  const state = createVenue(flow.genesis);
  const watch = options === undefined ? undefined : new Watch(state, options);
  const both = model === undefined ? undefined : new LockStep(flow.genesis, "block", state);
  const probe = joinProbes(watch?.probe, both?.probe);
  const seconds = cpuSeconds(() => {
    for (const block of blocks) {
      const result = applyBlock(state, block, probe);
      const broken = watch?.check(state, block, result)[0];
      if (broken !== undefined) throw new Error(`${broken.invariant}: ${broken.observed}`);
      const difference = both?.check(state, block);
      if (difference !== undefined) throw new Error(`height ${difference.height}: ${difference.difference}`);
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
    .map(({ name, rates }) => ({ name: `${ways[0]!.name} against: ${name}`, value: alone / median(rates), unit: "x" })),
]);
