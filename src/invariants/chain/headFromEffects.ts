import { createHash } from "node:crypto";
import { getHead } from "../../engine/commitment/root.ts";
import type { State } from "../../engine/state/state.ts";
import { defineInvariant, type Step } from "../defineInvariant.ts";

/** A group of effects is full with as many blocks, or as many doubles (DET-2). */
const GROUP_BLOCKS = 64;
const GROUP_DOUBLES = 8192;

export const headFromEffects = defineInvariant({
  id: "headFromEffects",
  sentence:
    "The head of a block is the hash of what it did, put together anew: its height and time, its events, the code of each receipt, each text that its events name.",
  rules: ["DET-2", "EVT-2"],
  when: "block",
  news: 1,
  sweep(state, step) {
    step.met++;
    const head = computeHead(step.before, step);
    return head === getHead(state) ? undefined : `block ${step.block.height} has not the head of its effects, ${head}`;
  },
});

/** With code of its own: nothing here is shared with what writes the effects, or hashes them. */
function computeHead(before: State, { block, result }: Step): string {
  const { chain, events } = before;
  let base: Uint8Array = chain.base;
  let group: Float64Array = events.data.subarray(0, events.length);
  if (chain.pending >= GROUP_BLOCKS || group.length >= GROUP_DOUBLES) {
    base = hash(base, [group]);
    group = new Float64Array(0);
  }
  const { receipts, texts } = result;
  const codes = block.transactions.map((_transaction, index) => receipts.codes[index]!);
  const words = [-2, codes.length, ...codes];
  if (texts.length > 0) words.push(-3);
  for (const text of texts) {
    words.push(text.length);
    for (let place = 0; place < text.length; place++) words.push(text.charCodeAt(place));
  }
  const head = Float64Array.of(-1, block.height, block.timeMs);
  const told = result.events.subarray(result.from, result.to);
  return `0x${Buffer.from(hash(base, [group, head, told, Float64Array.from(words)])).toString("hex")}`;
}

/** Doubles lie as the machine has them, which is little-endian wherever Node runs. */
function hash(base: Uint8Array, parts: readonly Float64Array[]): Uint8Array {
  const sum = createHash("sha256").update(base);
  for (const { buffer, byteOffset, byteLength } of parts) sum.update(new Uint8Array(buffer, byteOffset, byteLength));
  return sum.digest();
}
