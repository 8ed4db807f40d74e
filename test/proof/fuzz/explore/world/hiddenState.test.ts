import { expect, test } from "vitest";
import { digestHidden } from "../../../../../src/proof/fuzz/explore/world/hiddenState.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { forkState } from "../../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../../src/venue/engine/state/state.ts";
import { openWorld, TRADERS } from "./worldHelpers.ts";

const { state } = openWorld(TRADERS).starts[0]!.point;

/** Digest after a change that no key sees. */
function digestAfter(change: (fork: State) => void): string {
  const fork = forkState(state);
  change(fork);
  return digestHidden(fork);
}

test.each<[string, (fork: State) => void]>([
  ["a freed row", ({ orders }) => void (orders.rows.link[0] = 5)],
  ["the head of a free list", ({ positions }) => void (positions.rows.freeHead = 0)],
  ["a row that was handed out once", ({ intents }) => void intents.rows.high++],
  ["a freed place of a client order id", ({ clients }) => void clients.free.push(0)],
  ["an account that is to be checked", ({ risk }) => void risk.dirty.push(0 as never)],
  ["a page of a book", ({ books }) => void books[0]!.freePages.push(1)],
  ["an order in the index", ({ orderIndex }) => void (orderIndex.slots[0] = 9)],
  ["a trigger", ({ positions }) => void ((positions.trigger as unknown as Float64Array)[0]! += 1)],
])("%s is seen", (_what, change) => {
  expect(digestAfter(change)).not.toBe(digestHidden(state));
});

test("an empty block, nonces and times leave no trace", () => {
  const height = state.height + 1;
  expect(digestAfter((fork) => void applyBlock(fork, { height, timeMs: state.timeMs + 1, transactions: [] }))).toBe(
    digestHidden(state),
  );
  expect(digestAfter(({ accounts }) => void ((accounts.nonceFunds as unknown as Float64Array)[0]! += 1))).toBe(
    digestHidden(state),
  );
});
