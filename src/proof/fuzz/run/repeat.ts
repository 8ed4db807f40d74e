import type { Bytes32 } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { restoreVenue, type Written } from "../../../venue/simulation/restoreVenue.ts";
import type { Crash } from "../case/crash.ts";
import type { Source } from "./source.ts";
import type { FuzzViolation } from "./violation.ts";

/** A run to compare with: its blocks, the head after each, and the final root. */
export interface Played {
  readonly genesis: Genesis;
  readonly blocks: Block[];
  readonly heads: Bytes32[];
  root: Bytes32 | undefined;
}

/** Runs the source again and compares the head after each block. */
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

/** Parts of a run at which the venue restarts, and the forms: a snapshot, an image, a snapshot of an image. */
const RESTARTS: readonly { readonly part: number; readonly written: readonly Written[] }[] = [
  { part: 0.25, written: ["snapshot"] },
  { part: 0.5, written: ["image"] },
  { part: 0.75, written: ["image", "snapshot"] },
];

/** Forms from which a replay restarts before the block at an index. */
function restartsAt(at: number, count: number): Written[] {
  return RESTARTS.filter(({ part }) => at === Math.floor(count * part)).flatMap(({ written }) => written);
}

/** The restarts of a replay as crashes. A height has at most one crash: a second one moves to the next block. */
export function listRestarts(blocks: readonly Block[]): Crash[] {
  return blocks.flatMap(({ height }, at) =>
    restartsAt(at, blocks.length).map((way, turn) => ({ height: height - 1 + turn, way })),
  );
}

/** The oracle that `checkRestored` reports. */
export const RESTORED = "restoredGoesOn";

/** Replays the blocks, writes and reads the venue at some heights, and compares each head and the root. */
export function checkRestored({ genesis, blocks, heads, root }: Played): FuzzViolation | undefined {
  let state = createVenue(genesis);
  let last = 0;
  for (const [at, block] of blocks.entries()) {
    const { height } = block;
    for (const written of restartsAt(at, blocks.length)) {
      state = restoreVenue(state, written);
      last = state.height;
    }
    applyBlock(state, block);
    const head = getHead(state);
    if (head !== heads[at]) return lost(height, describeLoss("head", heads[at]!, last, head));
  }
  const found = computeRoot(state);
  if (root === undefined || found === root) return undefined;
  return lost(state.height, describeLoss("root", root, last, found));
}

/** Describes a difference, in the same words for every checker. */
export function describeLoss(what: "head" | "root", wanted: Bytes32, height: number, found: Bytes32): string {
  return `${what} ${wanted}, after a restart at height ${height} ${found}`;
}

export function lost(height: number, observed: string): FuzzViolation {
  return { kind: "determinism", invariant: RESTORED, height, observed };
}
