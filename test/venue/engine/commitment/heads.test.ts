// The committed effects and heads are what other implementations of DET-2 are held against. They were made without the
// venue's code (test/vectors/heads/make.py), and do not change when rules or kinds of events do.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGenesis } from "../../../../src/protocol/genesis.ts";
import type { Transaction } from "../../../../src/protocol/transaction.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../../src/venue/engine/commitment/snapshot.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { closeBlock, openBlock } from "../../../../src/venue/engine/steps/blockEffects.ts";
import { projectRoot } from "../../../helpers/project.ts";

interface Effects {
  readonly height: number;
  readonly timeMs: number;
  /** Doubles of events, and one double a number of times after them. */
  readonly events: readonly number[];
  readonly fill: { readonly value: number; readonly times: number };
  readonly codes: readonly number[];
  readonly texts: readonly string[];
  readonly head: string;
  /** Doubles since the base. */
  readonly doubles: number;
}

const file = JSON.parse(readFileSync(join(projectRoot, "test/vectors/heads/heads.json"), "utf8")) as {
  readonly base: string;
  readonly blocks: readonly Effects[];
};

function open(): State {
  const state = createVenue(createGenesis());
  state.chain.base = Uint8Array.from(Buffer.from(file.base.slice(2), "hex"));
  state.chain.pending = 0;
  state.events.length = 0;
  return state;
}

/** Writes what a block did, without doing it. */
function write(state: State, { height, timeMs, events, fill, codes, texts }: Effects): void {
  openBlock(state, { height, timeMs, transactions: codes.map(() => ({}) as Transaction) });
  const doubles = [...events, ...Array.from({ length: fill.times }, () => fill.value)];
  const at = state.events.begin(doubles.length);
  state.events.data.set(doubles, at);
  for (const text of texts) state.events.text(text);
  for (const code of codes) state.receipts.push(code, at, at);
  closeBlock(state);
}

test("heads are those of the committed effects, whenever they are read", () => {
  const [state, silent] = [open(), open()];
  for (const effects of file.blocks) {
    write(state, effects);
    write(silent, effects);
    expect(getHead(state), `block ${effects.height}`).toBe(effects.head);
    expect(state.events.length).toBe(effects.doubles);
  }
  expect(getHead(silent)).toBe(file.blocks.at(-1)!.head);
});

test.each([
  ["a snapshot", (state: State) => readSnapshot(writeSnapshot(state))],
  ["an image", (state: State) => readImage(writeImage(state))],
  ["a fork", (state: State) => forkState(state)],
])("%s at any height continues with the same heads", (_name, copy) => {
  let state = open();
  for (const effects of file.blocks) {
    write(state, effects);
    state = copy(state);
    expect(getHead(state), `block ${effects.height}`).toBe(effects.head);
  }
});

test("the effects fill groups of 64 blocks, and of one double less, as many and one more than the most", () => {
  const ends = file.blocks.flatMap(({ doubles }, at) => {
    const next = file.blocks[at + 1];
    return next !== undefined && next.doubles < doubles ? [[at + 1, doubles]] : [];
  });
  expect(ends).toEqual([
    [64, expect.any(Number)],
    [73, expect.any(Number)],
    [74, 8192],
    [76, 8193],
  ]);
  expect(file.blocks[71]!.doubles).toBe(8191);
});
