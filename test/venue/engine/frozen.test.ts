import { expect, test } from "vitest";
import { Flow } from "../../../src/proof/fuzz/flow/flow.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { getHead } from "../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";

/** Freezes everything reachable from a value; bytes cannot be frozen, and are copied to compare. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

// Goal: a block can be applied to any number of venues. Method: flows twice, once with blocks in which a write throws.
test("a venue changes nothing of a block that it is given, nor of its genesis", () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const flow = new Flow(seed);
    const plain = createVenue(flow.genesis);
    const blocks = Array.from({ length: 80 }, () => {
      const block = flow.next(plain);
      applyBlock(plain, block);
      return block;
    });
    const bytes = JSON.stringify(blocks, (_name, value) => (value instanceof Uint8Array ? [...value] : value));
    freeze(flow.genesis);
    freeze(blocks);
    const frozen = createVenue(flow.genesis);
    for (const block of blocks) applyBlock(frozen, block);
    expect(getHead(frozen)).toBe(getHead(plain));
    expect(JSON.stringify(blocks, (_name, value) => (value instanceof Uint8Array ? [...value] : value))).toBe(bytes);
  }
});
