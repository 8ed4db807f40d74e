/**
 * Golden streams: root and head of a generated flow at every hundredth block and at its end. They are the
 * same on every machine and every supported Node (DET-1), and change only on purpose, with a line in the changelog.
 *
 *     npm run golden              lists those that differ
 *     npm run golden -- --update  writes them again
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Flow } from "../src/proof/fuzz/flow/flow.ts";
import type { Bytes32 } from "../src/protocol/fields.ts";
import { PROTOCOL_VERSION } from "../src/protocol/transaction.ts";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../src/venue/engine/commitment/root.ts";
import { createVenue } from "../src/venue/engine/genesis.ts";

export interface Checkpoint {
  readonly height: number;
  readonly root: Bytes32;
  readonly head: Bytes32;
}

export interface GoldenStream {
  readonly about: string;
  readonly seed: number;
  readonly protocolVersion: number;
  readonly blocks: number;
  /** All transactions, with any result. */
  readonly transactions: number;
  /** Every hundredth block, the last one among them. */
  readonly checkpoints: readonly Checkpoint[];
}

const CHECKPOINT_BLOCKS = 100;

/**
 * The streams, by the name of their file. Between them they meet every action, every kind of event and every stage of a
 * liquidation.
 */
export const STREAMS: Readonly<
  Record<string, { readonly about: string; readonly seed: number; readonly blocks: number }>
> = {
  quoted: {
    about: "Marks at the median, quotes, levels and prints of history, little insurance",
    seed: 117,
    blocks: 500,
  },
  reported: { about: "Reported marks, funding as dYdX and continuous, three markets", seed: 140, blocks: 500 },
  mixed: { about: "Marks of the oracle and at the median, no house, nonces in sequence", seed: 131, blocks: 500 },
};

/** Runs a stream. */
export function makeGolden({ about, seed, blocks }: (typeof STREAMS)[string]): GoldenStream {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const checkpoints: Checkpoint[] = [];
  let transactions = 0;
  for (let height = 1; height <= blocks; height++) {
    const block = flow.next(state);
    applyBlock(state, block);
    transactions += block.transactions.length;
    if (height % CHECKPOINT_BLOCKS === 0) checkpoints.push({ height, root: computeRoot(state), head: getHead(state) });
  }
  return { about, seed, protocolVersion: PROTOCOL_VERSION, blocks, transactions, checkpoints };
}

const folder = join(import.meta.dirname, "..", "test", "golden");

/** The stored stream, undefined if it does not exist yet. */
export function readGolden(name: string): GoldenStream | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as GoldenStream;
  } catch {
    return undefined;
  }
}

function main(update: boolean): void {
  for (const [name, stream] of Object.entries(STREAMS)) {
    const made = makeGolden(stream);
    const text = `${JSON.stringify(made, undefined, 2)}\n`;
    const same = text === `${JSON.stringify(readGolden(name), undefined, 2)}\n`;
    const { height, root } = made.checkpoints.at(-1)!;
    console.log(
      `${same ? "same   " : update ? "written" : "DIFFERS"} ${name}: ${made.transactions} transactions, block ${height}, ${root}`,
    );
    if (same) continue;
    if (update) writeFileSync(join(folder, `${name}.json`), text);
    else process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.includes("--update"));
