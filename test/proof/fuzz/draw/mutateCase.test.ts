import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import type { FuzzCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { MUTATORS, mutateCase } from "../../../../src/proof/fuzz/draw/mutateCase.ts";
import { GENE_WIDTH } from "../../../../src/proof/fuzz/genes/choices.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { getHead } from "../../../../src/venue/engine/commitment/root.ts";

function run(given: FuzzCase): string {
  const runner = new CaseRunner(given);
  for (let block = runner.next(); block !== undefined; block = runner.next()) applyBlock(runner.state, block);
  return getHead(runner.state);
}

const draw = (seed: number, length = 40) => drawCase(new Random([seed, 1, 2, 3]), { profile: "uniform", length });

describe("each mutator", () => {
  test.each(Object.entries(MUTATORS))("%s produces whole genes, mostly changed ones", (_name, [mutator]) => {
    const random = new Random([9, 8, 7, 6]);
    const { genes } = draw(1);
    const { genes: other } = draw(2);
    const before = genes.slice();
    let changed = 0;
    for (let tries = 0; tries < 50; tries++) {
      const mutated = mutator({ random, genes, other, count: genes.length / GENE_WIDTH });
      expect(mutated.length % GENE_WIDTH).toBe(0);
      if (mutated.length !== genes.length || mutated.some((choice, place) => choice !== genes[place])) changed++;
    }
    expect(changed).toBeGreaterThan(35);
    expect(genes).toEqual(before);
  });
});

test("a mutant runs, and its original does not change", () => {
  const random = new Random([4, 3, 2, 1]);
  const one = draw(3);
  const before = { profile: one.profile.slice(), genes: one.genes.slice() };
  const heads = new Set(Array.from({ length: 30 }, () => run(mutateCase(random, one, draw(4)))));
  expect(heads.size).toBeGreaterThan(20);
  expect(one).toMatchObject(before);
});

test("an empty case mutates into a case with genes", () => {
  const random = new Random([4, 3, 2, 1]);
  for (let tries = 0; tries < 20; tries++) run(mutateCase(random, createCase([], []), draw(5, 3)));
  expect(mutateCase(random, createCase([], [])).genes.length).toBeGreaterThanOrEqual(GENE_WIDTH);
});

test("the same random numbers give the same case and the same mutant", () => {
  const make = () => {
    const random = new Random([5, 5, 5, 5]);
    return mutateCase(random, drawCase(random, { profile: "swarm", length: 60 }));
  };
  expect(make()).toEqual(make());
});
