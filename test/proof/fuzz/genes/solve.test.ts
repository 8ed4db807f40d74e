import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, order, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { newcomers } from "../../../../src/proof/fuzz/draw/recipe.ts";
import { ALIKE } from "../../../../src/proof/fuzz/genes/authorities.ts";
import { newest } from "../../../../src/proof/fuzz/genes/references.ts";
import { solveFeeEdge, solveTicks } from "../../../../src/proof/fuzz/genes/solve.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";

const PPM = 1_000_000;

describe("lots whose fee is a whole number", () => {
  // Goal: the congruence is solved correctly. Method: an exhaustive search up to a period finds the same.
  test("equal the result of an exhaustive search", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e12 }),
        fc.integer({ min: -5_000, max: 5_000 }),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom(-1, 0, 1),
        (perLot, rate, near, side) => {
          // Short periods only, since an exhaustive search is slow.
          const per = (perLot % 250) * 4_000;
          const restOf = (lots: number) => Number((BigInt(lots) * BigInt(per) * BigInt(Math.abs(rate))) % BigInt(PPM));
          const rests = Array.from({ length: 250 }, (_, lots) => restOf(lots + 1));
          const least = Math.min(...rests.filter((rest) => rest !== 0), PPM);
          const wanted = (((side * least) % PPM) + PPM) % PPM;
          const lots = solveFeeEdge(per, rate, near, side);
          expect(lots).toBeGreaterThan(0);
          expect(restOf(lots)).toBe(wanted);
        },
      ),
    );
  });

  test("exist for a rate that divides nothing: one unit above, on and below", () => {
    const restOf = (lots: number) => (BigInt(lots) * 1_000_001n * 1001n) % 1_000_000n;
    expect(restOf(solveFeeEdge(1_000_001, 1001, 1e9, 0))).toBe(0n);
    expect(restOf(solveFeeEdge(1_000_001, 1001, 1e9, 1))).toBe(1n);
    expect(restOf(solveFeeEdge(1_000_001, 1001, 1e9, -1))).toBe(999_999n);
    expect(solveFeeEdge(1_000_001, 1001, 1e9, 1)).toBeGreaterThan(1e9 - PPM);
  });

  test("are any number without a fee", () => {
    expect(solveFeeEdge(1_000, 0, 77, 1)).toBe(77);
  });
});

describe("ticks at which a whole number of lots is worth exactly a value", () => {
  test("are the nearest within bounds", () => {
    expect(solveTicks(500_000_000, 1_000, 1_000, 900, 1_100)).toBe(1_000);
    expect(solveTicks(500_000_000, 1_000, 1_001, 900, 1_100)).toBe(1_000);
    expect(solveTicks(7 * 1_009 * 1_000, 1_000, 1_000, 900, 1_100)).toBe(1_009);
  });

  test("do not change if there are none", () => {
    expect(solveTicks(500_000_001, 1_000, 1_000, 900, 1_100)).toBe(1_000);
    expect(solveTicks(1_000_003_000, 1_000, 1_000, 900, 1_100)).toBe(1_000); // a prime number of ticks
  });
});

describe("genes that follow others", () => {
  const play = (...genes: readonly (readonly number[])[]) => {
    const runner = new CaseRunner(createCase([], genes.flat()));
    for (let next = runner.next(); next !== undefined; next = runner.next()) applyBlock(runner.state, next);
    return runner.state;
  };

  test("a credit raises an account to the largest collateral", () => {
    const { accounts } = play(
      writeGene("withdraw", { actor: 1, payload: [0, 7] }),
      block(),
      writeGene("deposit", { actor: 1, payload: [ALIKE] }),
      block(),
    );
    expect(accounts.collateral[1 as never]).toBe(accounts.collateral[0 as never]);
    expect(accounts.collateral[1 as never]).toBe(10_000e6);
  });

  test("new accounts have equal collateral, and the last ones act", () => {
    const { accounts, orders, positions } = play(
      ...newcomers(3, 1),
      block(),
      order({ actor: newest(1), market: 0, side: 0, at: "near", away: 9, size: "few" }),
      block(),
    );
    expect(accounts.rows.high).toBe(5);
    expect([2, 3, 4].map((row) => accounts.collateral[row as never])).toEqual([1_000e6, 1_000e6, 1_000e6]);
    expect(positions.account[orders.position[0 as never] as never]).toBe(3);
  });

  test("a size equals that of a position", () => {
    const { orders } = play(
      block(),
      order({ actor: 1, market: 0, side: 1, at: "mark", size: "few", more: 9 }),
      block(),
      order({ actor: 0, market: 0, side: 0, at: "touch", size: "touch" }),
      block(),
      order({ actor: 0, market: 0, side: 0, at: "near", away: 3, size: "alike" }),
      block(),
    );
    expect(orders.rows.count).toBe(1);
    expect(Array.from({ length: orders.rows.high }, (_, row) => orders.remaining[row as never])).toContain(10);
  });
});
