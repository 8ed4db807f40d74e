import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase, type FuzzCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { Feedback } from "../../../../src/proof/fuzz/feedback/feedback.ts";
import { fartherThan } from "../../../../src/proof/fuzz/feedback/layout.ts";
import { GENE_WIDTH } from "../../../../src/proof/fuzz/genes/choices.ts";
import { type CaseRun, runCase } from "../../../../src/proof/fuzz/run/runCase.ts";
import { StartingPoints } from "../../../../src/proof/fuzz/run/startingPoints.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../../src/venue/engine/commitment/root.ts";

const draw = (seed: number, length: number) =>
  drawCase(Random.ofSeed([seed, 2, 3, 4]), { profile: seed % 2 === 0 ? "uniform" : "swarm", length });

/** Gene counts at which other cases could continue from a case. */
function listBoundaries(given: FuzzCase): number[] {
  const runner = new CaseRunner(given);
  const boundaries: number[] = [];
  for (let block = runner.next(); block !== undefined; block = runner.next()) {
    applyBlock(runner.state, block);
    if (runner.boundary > 0) boundaries.push(runner.boundary);
  }
  return boundaries;
}

/** The start of one case with the genes of another. */
function joinCases(given: FuzzCase, genes: number, tail: FuzzCase): FuzzCase {
  return createCase(given.profile, [...given.genes.subarray(0, genes * GENE_WIDTH), ...tail.genes]);
}

function resultOf({ violation, transactions, blocks, digest, reached, met, nearest }: CaseRun): unknown {
  return { violation, transactions, blocks, digest, reached: [...reached], met: [...met], nearest: [...nearest] };
}

describe("a case that begins at a moment of another", () => {
  // Goal: a stored venue saves time and changes no result. Method: moments of cases with the tails of others, run from
  // a fresh point, from a stored point, and as a whole.
  test.each([false, true])(
    "ends like the whole case, from a stored or a fresh point (with the model: %s)",
    (model) => {
      let crashes = 0;
      for (let seed = 1; seed <= (model ? 10 : 14); seed++) {
        const given = draw(seed, 160);
        const boundaries = listBoundaries(given);
        const points = new StartingPoints(model);
        for (const genes of [boundaries[3]!, boundaries[boundaries.length >> 1]!, boundaries.at(-1)!]) {
          const joined = joinCases(given, genes, draw(seed + 100, 60));
          const start = { name: `${seed} ${genes}`, genes };
          const options = { oracles: { watch: { sweepEvery: 3, heavyEvery: 0 }, model }, feedback: new Feedback() };
          const run = (from: StartingPoints) => runCase(joined, { ...options, begun: from.begin(joined, start)! });
          const [first, again, fresh] = [run(points), run(points), run(new StartingPoints(model))];
          expect(resultOf(again)).toEqual(resultOf(first));
          expect(resultOf(fresh)).toEqual(resultOf(first));
          const whole = runCase(joined, { oracles: { watch: false } });
          expect(first.violation).toBeUndefined();
          expect(first.digest).toBe(whole.digest);
          expect(first.transactions).toBeLessThan(whole.transactions);
          const runner = points.begin(joined, start)!.source as CaseRunner;
          crashes += runner.crashes.length;
        }
      }
      expect(crashes).toBeGreaterThan(0);
    },
    120_000,
  );

  test("has the state of the whole case, not only its effects", () => {
    const given = draw(5, 200);
    const boundaries = listBoundaries(given);
    const genes = boundaries[boundaries.length >> 1]!;
    const { source } = new StartingPoints(false).begin(given, { name: "a", genes })!;
    const whole = new CaseRunner(given);
    for (const one of [source, whole]) {
      for (let block = one.next(); block !== undefined; block = one.next()) applyBlock(one.state, block);
    }
    expect(computeRoot(source.state)).toBe(computeRoot(whole.state));
    expect(getHead(source.state)).toBe(getHead(whole.state));
  });

  test("starts only where a block ends with that gene", () => {
    const given = draw(3, 120);
    const boundaries = new Set(listBoundaries(given));
    const points = new StartingPoints(false);
    for (let genes = 1; genes <= 120; genes++) {
      const begun = points.begin(given, { name: `${genes}`, genes });
      expect(begun !== undefined, `${genes} genes`).toBe(boundaries.has(genes));
    }
    // A case cannot start at its own end.
    expect(points.begin(given, { name: "over", genes: 500 })).toBeUndefined();
  });
});

test("a run reports after how many genes each place was first reached", () => {
  const given = draw(9, 200);
  const feedback = new Feedback();
  const { reached, reachedAt } = runCase(given, { oracles: { watch: { sweepEvery: 0, heavyEvery: 0 } }, feedback });
  const boundaries = [0, ...listBoundaries(given)];
  expect(reachedAt.length).toBe(reached.length / 2);
  let checked = 0;
  for (let at = 0; at < reachedAt.length; at += 5) {
    expect(boundaries).toContain(reachedAt[at]);
    const place = reached[at * 2]!;
    const [from, to] = fartherThan(place);
    // A smaller slack of the same order of magnitude is the same place.
    if (reachedAt[at] === 0 || from < to) continue;
    const before = boundaries.filter((genes) => genes < reachedAt[at]!).at(-1)!;
    const reach = (genes: number) => {
      const part = createCase(given.profile, given.genes.subarray(0, genes * GENE_WIDTH));
      const run = runCase(part, { oracles: { watch: { sweepEvery: 0, heavyEvery: 0 } }, feedback });
      return [...run.reached].filter((_, index) => index % 2 === 0).includes(place);
    };
    expect(reach(reachedAt[at]!), `place ${place}`).toBe(true);
    expect(reach(before), `place ${place}`).toBe(false);
    checked++;
  }
  expect(checked).toBeGreaterThan(10);
});
