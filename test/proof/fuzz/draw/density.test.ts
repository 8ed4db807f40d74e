import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import type { FuzzCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { UNIFORM, withDensity } from "../../../../src/proof/fuzz/draw/weights.ts";
import { OPERATIONS } from "../../../../src/proof/fuzz/genes/operations.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";

const randomOf = (seed: number) => Random.ofSeed([seed, 11, ~seed, 5]);

/** Mean number of transactions per block. */
function measure(given: FuzzCase): number {
  const runner = new CaseRunner(given);
  let transactions = 0;
  let blocks = 0;
  for (let block = runner.next(); block !== undefined; block = runner.next()) {
    applyBlock(runner.state, block);
    transactions += block.transactions.length;
    blocks++;
  }
  return transactions / blocks;
}

describe("blocks of cases", () => {
  test("hold few or many transactions, by density", () => {
    const means = [1, 4, 64].map((density) =>
      measure(drawCase(randomOf(3), { profile: "uniform", length: 2_000, density })),
    );
    expect(means[0]).toBeLessThan(8);
    expect(means[1]).toBeGreaterThan(means[0]! * 1.5);
    expect(means[2]).toBeGreaterThan(20);
  });

  test("are mostly full in long cases, mixed in short ones", () => {
    const share = (length: number) => {
      const means = Array.from({ length: 12 }, (_, seed) =>
        measure(drawCase(randomOf(seed), { profile: "uniform", length })),
      );
      return means.filter((mean) => mean > 9).length / means.length;
    };
    expect(share(300)).toBeLessThan(0.5);
    expect(share(1_500)).toBeGreaterThan(0.5);
  });

  test("hold at most 128 user transactions, however rare their ends are", () => {
    const runner = new CaseRunner(drawCase(randomOf(9), { profile: "uniform", length: 1_500, density: 60_000 }));
    let most = 0;
    for (let block = runner.next(); block !== undefined; block = runner.next()) {
      applyBlock(runner.state, block);
      most = Math.max(most, block.transactions.length);
    }
    expect(most).toBeGreaterThan(64);
    // Delayed transactions are added.
    expect(most).toBeLessThan(140);
  });
});

test("every operation still occurs in full blocks", () => {
  const dense = withDensity(UNIFORM, 1_000_000);
  const drawn = OPERATIONS.filter((operation) => UNIFORM[operation] > 0);
  expect(drawn.length).toBeGreaterThan(20);
  expect(drawn.filter((operation) => dense[operation] < 1)).toEqual([]);
  expect(withDensity({ ...UNIFORM, gap: 0 }, 16).gap).toBe(0);
  expect(withDensity(UNIFORM, 1)).toEqual(UNIFORM);
});
