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
  let group: number[] = Array.from(events.data.subarray(0, events.length));
  if (chain.pending >= GROUP_BLOCKS || group.length >= GROUP_DOUBLES) {
    base = hash(base, group);
    group = [];
  }
  group.push(-1, block.height, block.timeMs);
  for (let at = result.from; at < result.to; at++) group.push(result.events[at]!);
  const codes = block.transactions.map((_transaction, index) => result.receipts.codes[index]!);
  group.push(-2, codes.length, ...codes);
  if (result.texts.length > 0) group.push(-3);
  for (const text of result.texts) {
    group.push(text.length);
    for (let place = 0; place < text.length; place++) group.push(text.charCodeAt(place));
  }
  return `0x${Buffer.from(hash(base, group)).toString("hex")}`;
}

function hash(base: Uint8Array, doubles: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(doubles.length * 8));
  for (const [place, double] of doubles.entries()) view.setFloat64(place * 8, double, true);
  return createHash("sha256").update(base).update(new Uint8Array(view.buffer)).digest();
}
