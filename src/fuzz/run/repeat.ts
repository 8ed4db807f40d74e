import { applyBlock } from "../../engine/applyBlock.ts";
import { readImage, writeImage } from "../../engine/commitment/image.ts";
import { computeRoot, getHead } from "../../engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../engine/commitment/snapshot.ts";
import { createVenue } from "../../engine/genesis.ts";
import type { State } from "../../engine/state/state.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Block } from "../../protocol/transaction.ts";
import type { Source } from "./source.ts";
import type { FuzzViolation } from "./violation.ts";

/** A run to compare another one with: its blocks, the head after each, and the root at the end. */
export interface Played {
  readonly genesis: Genesis;
  readonly blocks: Block[];
  readonly heads: Bytes32[];
  root: Bytes32 | undefined;
}

/** Runs the source again and compares each block's head. */
export function checkAgain(source: Source, played: Played): FuzzViolation | undefined {
  const { blocks, heads } = played;
  for (const [at, { height }] of blocks.entries()) {
    const block = source.next();
    if (block === undefined) return differs(height, "the second run ended before it");
    applyBlock(source.state, block);
    const head = getHead(source.state);
    if (head !== heads[at]) return differs(height, `head ${heads[at]}, the second time ${head}`);
  }
  return undefined;
}

function differs(height: number, observed: string): FuzzViolation {
  return { kind: "determinism", invariant: "sameAgain", height, observed };
}

/** Writes and reads the venue at these parts of a run: as a snapshot, as an image, and right before the end. */
const WAYS: readonly { readonly part: number; readonly name: string; copy(state: State): State }[] = [
  { part: 0.25, name: "snapshot", copy: (state) => readSnapshot(writeSnapshot(state)) },
  { part: 0.5, name: "image", copy: (state) => readImage(writeImage(state)) },
  {
    part: 0.75,
    name: "snapshot of an image",
    copy: (state) => readSnapshot(writeSnapshot(readImage(writeImage(state)))),
  },
];

/** Replays the blocks, with the venue written and read at some heights, and compares each head and the root. */
export function checkRestored({ genesis, blocks, heads, root }: Played): FuzzViolation | undefined {
  let state = createVenue(genesis);
  let last = "nothing";
  for (const [at, block] of blocks.entries()) {
    const { height } = block;
    for (const { part, name, copy } of WAYS) {
      if (at !== Math.floor(blocks.length * part)) continue;
      state = copy(state);
      last = `a ${name} of height ${state.height}`;
    }
    applyBlock(state, block);
    const head = getHead(state);
    if (head !== heads[at]) return lost(height, `head ${heads[at]}, after ${last} ${head}`);
  }
  const found = computeRoot(state);
  if (root === undefined || found === root) return undefined;
  return lost(state.height, `root ${root}, after ${last} ${found}`);
}

function lost(height: number, observed: string): FuzzViolation {
  return { kind: "determinism", invariant: "restoredGoesOn", height, observed };
}
