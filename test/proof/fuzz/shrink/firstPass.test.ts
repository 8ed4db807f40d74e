import { expect, test } from "vitest";
import type { Chronicle } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { checkersFor } from "../../../../src/proof/fuzz/shrink/checker.ts";
import { FirstPass } from "../../../../src/proof/fuzz/shrink/firstPass.ts";
import { findCuts } from "../../../../src/proof/fuzz/shrink/passes/rebuild.ts";
import { type Apply, readScript } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import { highestNumber, Runner } from "../../../../src/proof/fuzz/shrink/runner.ts";
import { shrinkChronicle } from "../../../../src/proof/fuzz/shrink/shrinkScript.ts";
import type { Failure } from "../../../../src/proof/fuzz/shrink/signature.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";

const HEIGHT = 130;
const WANTED: Failure = {
  invariant: "conservation",
  height: HEIGHT,
  observed: "1 quote units do not come from any inflow",
};

/** A unit from nothing at some heights. */
const giveAt =
  (...heights: readonly number[]): Apply =>
  (state, block, probe) => {
    const result = applyBlock(state, block, probe);
    if (heights.includes(block.height)) state.accounts.collateral[0 as never]!++;
    return result;
  };

function record(seed: number): Chronicle {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const blocks = Array.from({ length: HEIGHT }, () => {
    const block = flow.next(state);
    applyBlock(state, block);
    return block;
  });
  return { genesis: flow.genesis, blocks };
}

const checkersOf = (id: string) => checkersFor(invariants.find((one) => one.id === id))[0];

// Goal: what the reading of a chronicle notes is what a run of the script finds. Method: three flows; venues by their
// roots, numbers of committed transactions one by one, and the failure.
test("the first pass has the cuts and the failure that runs of the script find", () => {
  let cuts = 0;
  for (let seed = 1; seed <= 3; seed++) {
    const apply = giveAt(HEIGHT);
    const pass = new FirstPass(HEIGHT, WANTED, checkersOf("conservation"));
    const script = readScript(record(seed), apply, pass);
    const found = findCuts(script, apply);
    const shapeOf = (one: typeof found) => one.cuts.map(({ at, state }) => [at, state.height, computeRoot(state)]);
    expect(shapeOf(pass)).toEqual(shapeOf(found));
    expect(pass.cuts.length).toBeGreaterThan(5);
    const last = pass.cuts.at(-1)!.at;
    for (const line of script.lines.slice(0, last))
      if (line.kind === "transaction") expect(pass.bases[line.number]).toBe(found.bases[line.number]);
    const runner = new Runner(highestNumber(script.lines), WANTED, checkersOf("conservation")!, apply);
    expect(pass.finding).toEqual(runner.run(script));
    cuts += pass.cuts.length;
  }
  expect(cuts).toBeGreaterThan(15);
});

test("a failure before the last block ends the pass, and its cuts are not used", () => {
  const pass = new FirstPass(HEIGHT, WANTED, checkersOf("conservation"));
  const script = readScript(record(1), giveAt(100), pass);
  expect(pass.finding?.failure.height).toBe(100);
  expect(pass.finding?.lines).toBe(script.lines.length);
  expect(pass.cuts).toEqual([]);
  const other = new FirstPass(HEIGHT, { ...WANTED, observed: "something else" }, checkersOf("conservation"));
  readScript(record(1), giveAt(100), other);
  expect(other.finding).toBeUndefined();
});

test("a chronicle that does not fail in the expected way is not shrunk", () => {
  const chronicle = record(1);
  expect(shrinkChronicle(chronicle, WANTED)).toBeUndefined();
  const other = { ...WANTED, observed: "something else" };
  expect(shrinkChronicle(chronicle, other, { apply: giveAt(HEIGHT) })).toBeUndefined();
});
