import { createHash, type Hash } from "node:crypto";
import { getHead } from "../../../venue/engine/commitment/root.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";

/** A group of effects is full at this many blocks, or at this many doubles (DET-2). */
const GROUP_BLOCKS = 64;
const GROUP_DOUBLES = 8192;

/** A group of blocks that is not full: the running hash over the group before and these blocks. */
interface Group {
  hash: Hash;
  blocks: number;
  doubles: number;
}

export const headFromEffects = defineInvariant<Group>({
  id: "headFromEffects",
  sentence:
    "The head of a block is the hash of its effects, computed from scratch: height, time, events, receipt codes and the texts that its events name.",
  rules: ["DET-2", "EVT-2"],
  when: "block",
  news: 1,
  start: ({ chain, events }: State) => ({
    hash: add(createHash("sha256").update(chain.base), events.data.subarray(0, events.length)),
    blocks: chain.pending,
    doubles: events.length,
  }),
  sweep(state, step, group) {
    step.met++;
    const head = computeHead(group, step);
    return head === getHead(state)
      ? undefined
      : `block ${step.block.height} has a head other than the hash of its effects, ${head}`;
  },
});

/** Shares no code with the engine's writer of effects, nor with its hashing. */
function computeHead(group: Group, { block, result }: Step): string {
  if (group.blocks >= GROUP_BLOCKS || group.doubles >= GROUP_DOUBLES) {
    group.hash = createHash("sha256").update(group.hash.digest());
    group.blocks = group.doubles = 0;
  }
  const { receipts, texts } = result;
  const codes = block.transactions.map((_transaction, index) => receipts.codes[index]!);
  const words = [-2, codes.length, ...codes];
  if (texts.length > 0) words.push(-3);
  for (const text of texts) {
    words.push(text.length);
    for (let place = 0; place < text.length; place++) words.push(text.charCodeAt(place));
  }
  const reported = result.events.subarray(result.from, result.to);
  // One piece: a call of the hash costs more than a hundred doubles.
  const effects = new Float64Array(3 + reported.length + words.length);
  effects.set([-1, block.height, block.timeMs]);
  effects.set(reported, 3);
  effects.set(words, 3 + reported.length);
  add(group.hash, effects);
  group.doubles += effects.length;
  group.blocks++;
  return `0x${group.hash.copy().digest("hex")}`;
}

/** Bytes of doubles in machine order, which is little-endian wherever Node runs. */
function add(hash: Hash, { buffer, byteOffset, byteLength }: Float64Array): Hash {
  return hash.update(new Uint8Array(buffer, byteOffset, byteLength));
}
