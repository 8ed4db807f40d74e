import type { Genesis } from "../../protocol/genesis.ts";
import { computeRoot, getHead } from "../../venue/engine/commitment/root.ts";
import { EVENT_WIDTHS } from "../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../venue/engine/genesis.ts";
import { computeGenesisHash } from "../../venue/engine/state/genesisHash.ts";
import type { BlockEntry } from "./host.ts";

/** Doubles before the first event of a block: its mark, height and time. */
const HEAD_WIDTH = 3;

/** A genesis does not change, so its block is computed once. */
const KNOWN = new WeakMap<Genesis, BlockEntry>();

/**
 * Block 0: the effects of genesis, computed from it, so pruning does not affect them. Undefined for a fork with a
 * changed genesis, whose chain began elsewhere.
 */
export function readGenesisBlock(genesis: Genesis): BlockEntry | undefined {
  if (genesis.origin !== undefined) return undefined;
  const known = KNOWN.get(genesis);
  if (known !== undefined) return known;
  const state = createVenue(genesis);
  const { data, texts } = state.events;
  let end = HEAD_WIDTH;
  while (data[end]! >= 0) end += EVENT_WIDTHS[data[end]!]!;
  const entry: BlockEntry = {
    height: 0,
    timeMs: genesis.timeMs,
    hash: getHead(state),
    parentHash: computeGenesisHash(genesis),
    stateRoot: computeRoot(state),
    ids: [],
    transactions: [],
    signatures: [],
    receipts: [],
    events: data.slice(HEAD_WIDTH, end),
    texts: texts.slice(),
  };
  KNOWN.set(genesis, entry);
  return entry;
}
