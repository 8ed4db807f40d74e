import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CANARIES } from "../../../../src/proof/fuzz/campaign/canaries.ts";
import { resolveCase } from "../../../../src/proof/fuzz/case/resolveCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { Feedback } from "../../../../src/proof/fuzz/feedback/feedback.ts";
import { checkAgain, checkRestored } from "../../../../src/proof/fuzz/run/repeat.ts";
import { runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { openSource } from "../../../../src/proof/fuzz/run/source.ts";
import { conservation } from "../../../../src/proof/invariants/value/conservation.ts";

const draw = (seed: number, length = 150) => drawCase(new Random([seed, 2, 3, 4]), { profile: "uniform", length });
const WATCH = { invariants: [conservation] };

test("a case and its chronicle give the same run, with every oracle", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const given = draw(seed);
    const oracles = { watch: WATCH, again: true, restored: true };
    const run = runCase(given, { oracles, feedback: new Feedback() });
    expect(run.violation).toBeUndefined();
    expect(run.transactions).toBeGreaterThan(20);
    const chronicle = runCase(resolveCase(given), { oracles, feedback: new Feedback() });
    expect([chronicle.digest, chronicle.transactions, chronicle.blocks, chronicle.reached]).toEqual([
      run.digest,
      run.transactions,
      run.blocks,
      run.reached,
    ]);
  }
});

test("a run ends with the block that reaches the requested number of transactions", () => {
  const { transactions } = runCase(draw(1), { oracles: { watch: false }, maxTransactions: 10 });
  expect(transactions).toBeGreaterThanOrEqual(10);
  expect(transactions).toBeLessThan(10 + 64 + 8);
});

test("a planted fault is a violation, with its invariant and its place, and ends the run", () => {
  const found = [1, 2, 3, 4, 5, 6].map((seed) =>
    runCase(draw(seed), { oracles: { watch: WATCH }, plant: CANARIES.freeUnit }),
  );
  const broken = found.filter(({ violation }) => violation !== undefined);
  expect(broken.length).toBeGreaterThan(0);
  for (const { violation, blocks } of broken) {
    expect(violation).toMatchObject({ kind: "invariant", invariant: "conservation" });
    expect(violation!.height).toBe(blocks);
  }
});

test("an exception is a violation", () => {
  const plant = () => {
    throw new Error("planted");
  };
  expect(runCase(draw(1), { oracles: { watch: WATCH }, plant }).violation).toMatchObject({
    kind: "throw",
    invariant: "nothingThrows",
    observed: expect.stringContaining("planted"),
  });
  const chronicle = resolveCase(draw(1));
  const torn = { ...chronicle, blocks: chronicle.blocks.slice(1) };
  expect(runCase(torn, { oracles: { watch: WATCH } }).violation).toMatchObject({ kind: "throw", height: 2 });
});

test("a run that differs the second time, or after a restart, is reported with its block", () => {
  const { genesis, blocks } = resolveCase(draw(1));
  const heads = blocks.map(() => `0x${"1".repeat(64)}` as const);
  const played = { genesis, blocks: [...blocks], heads, root: undefined };
  expect(checkAgain(openSource({ genesis, blocks }), played)).toMatchObject({
    kind: "determinism",
    invariant: "sameAgain",
    height: 1,
  });
  expect(checkAgain(openSource({ genesis, blocks: [] }), played)).toMatchObject({ invariant: "sameAgain", height: 1 });
  expect(checkRestored(played)).toMatchObject({ kind: "determinism", invariant: "restoredGoesOn", height: 1 });
});

// Goal: the generator reads the venue that it tests and never changes it. Method: a source that mints while it draws.
test("a source that changes the venue is a violation", () => {
  const source = openSource(draw(1));
  const writing = {
    genesis: source.genesis,
    get state() {
      return source.state;
    },
    next() {
      const block = source.next();
      source.state.accounts.collateral[0 as never]!++;
      return block;
    },
  };
  const { violation, blocks } = runCase(draw(1), { oracles: { watch: false }, begun: { source: writing } });
  expect([violation?.invariant, blocks]).toEqual(["casesRun", 0]);
  expect(violation?.observed).toContain("changed the venue");
});
