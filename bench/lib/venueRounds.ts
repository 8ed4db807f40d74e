/**
 * Rounds of the venue bench with the sources of any folder, in a process of its own: `bench/venue.ts --against` has one
 * for each side, and they run in turns.
 *
 *     node bench/lib/venueRounds.ts <folder> <blocks>
 *
 * A round runs per message received, and its result is sent back.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Result of one round. */
export interface Round {
  /** Millions of transactions per CPU second. */
  readonly rate: number;
  readonly head: string;
}

const BATCH = 20;
const [folder = ".", blocks = "1000"] = process.argv.slice(2);

async function load<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(folder, path)).href)) as T;
}

const { applyBlock } = await load<typeof import("../../src/venue/engine/applyBlock.ts")>(
  "src/venue/engine/applyBlock.ts",
);
const { createVenue } = await load<typeof import("../../src/venue/engine/genesis.ts")>("src/venue/engine/genesis.ts");
const { getHead } = await load<typeof import("../../src/venue/engine/commitment/root.ts")>(
  "src/venue/engine/commitment/root.ts",
);
const { createFlow } = await load<typeof import("./venueFlow.ts")>("bench/lib/venueFlow.ts");

process.on("message", () => process.send?.(run()));

function run(): Round {
  const flow = createFlow({ seed: 7, accounts: 1000, markets: 3, blockSize: 100 });
  const state = createVenue(flow.genesis);
  let micros = 0;
  let transactions = 0;
  for (let done = 0; done < Number(blocks); done += BATCH) {
    const list = flow.next(BATCH);
    const before = process.cpuUsage();
    for (const block of list) transactions += applyBlock(state, block).receipts.count;
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
  }
  return { rate: transactions / micros, head: getHead(state) };
}
