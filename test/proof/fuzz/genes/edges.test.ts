import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, type Gene, type OrderInit, order, price, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { findEdge } from "../../../../src/proof/fuzz/genes/edges.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../../../src/venue/engine/events/readEvents.ts";

/** Choices of the side of an edge. */
const ON = 0;
const ABOVE = 1;
const BELOW = 2;
/** Index of "edge" among the ways of an amount. */
const AMOUNT_EDGE = 4;

/** Runs genes in the plain venue; returns outcomes of user transactions by block, and kinds of events. */
function run(...genes: readonly Gene[]) {
  const runner = new CaseRunner(createCase([], genes.flat()));
  const outcomes: string[][] = [];
  const kinds: string[] = [];
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const result = applyBlock(runner.state, next);
    const codes = next.transactions.map(({ action }, index) => ({ action, code: result.receipts.code(index) }));
    outcomes.push(codes.filter(({ action }) => action !== "oracleUpdate").map(({ code }) => code ?? "applied"));
    kinds.push(...[...readEvents(result.events, result.from, result.to)].map(({ kind }) => kind));
  }
  return { outcomes, last: outcomes[outcomes.length - 1], kinds, state: runner.state };
}

/** Two accounts with a position of the first, long or short, at a tenth of what it can carry. */
function open(side: 0 | 1): Gene[] {
  const counter = (1 - side) as 0 | 1;
  return [
    block(),
    order({ actor: 1, market: 0, side: counter, at: "mark", size: "few", more: 9 }),
    order({ actor: 0, market: 0, side, at: "mark", size: "few", more: 9 }),
    block(),
  ];
}

test("an edge is found like an exhaustive search finds it", () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(60), fc.nat(120), (low, width, edge) => {
      const high = low + width;
      const all = Array.from({ length: width + 1 }, (_, step) => low + step).filter((value) => value <= edge);
      expect(findEdge(low, high, (value) => value <= edge)).toBe(all[all.length - 1] ?? low);
    }),
  );
});

describe("a gene is exact to the unit on", () => {
  test("the most that may be withdrawn", () => {
    const withdraw = (side: number) => writeGene("withdraw", { payload: [AMOUNT_EDGE, 0, side] });
    expect(run(...open(0), withdraw(ON)).last).toEqual(["applied"]);
    expect(run(...open(0), withdraw(BELOW)).last).toEqual(["applied"]);
    expect(run(...open(0), withdraw(ABOVE)).last).toEqual(["INSUFFICIENT_FREE_COLLATERAL"]);
  });

  test("the largest order that margin allows", () => {
    const place = (near: number) => order({ actor: 0, market: 0, side: 0, at: "mark", size: "margin", near });
    expect(run(...open(0), place(ON)).last).toEqual(["applied"]);
    expect(run(...open(0), place(ABOVE)).last).toEqual(["INSUFFICIENT_MARGIN"]);
  });

  test.each(["bandHigh", "bandLow"] as const)("%s", (at) => {
    const init: OrderInit = { actor: 0, market: 0, side: at === "bandHigh" ? 1 : 0, at, size: "least" };
    const beyond = at === "bandHigh" ? ABOVE : BELOW;
    const place = (side: number) => {
      const gene = [...order(init)];
      gene[14] = side; // next to the price
      return gene;
    };
    expect(run(block(), place(ON)).last).toEqual(["applied"]);
    expect(run(block(), place(beyond)).last).toEqual(["PRICE_OUT_OF_BAND"]);
  });

  test("the largest size of the market", () => {
    const place = (near: number) =>
      run(block(), order({ actor: 0, market: 0, side: 0, at: "mark", size: "cap", near })).last;
    expect(place(ON)).toEqual(["INSUFFICIENT_MARGIN"]);
    expect(place(ABOVE)).toEqual(["SIZE_TOO_LARGE"]);
  });

  test("the price at which a position is liquidated", () => {
    // Short or long at maximum leverage, the price approaches in every block as far as the clamp allows.
    const hilt = (side: 0 | 1) => [
      block(),
      order({ actor: 1, market: 0, side: (1 - side) as 0 | 1, at: "mark", size: "share", more: 5 }),
      block(),
      order({ actor: 0, market: 0, side, at: "mark", size: "touch" }),
      block(),
    ];
    const go = (side: 0 | 1, distance: number) => {
      const prices = Array.from({ length: 4 }, () => [price(0, "trigger", 0, distance), block()]).flat();
      return run(...hilt(side), ...prices).kinds;
    };
    expect(go(0, ON)).toContain("liquidationStarted");
    expect(go(0, ABOVE)).not.toContain("liquidationStarted");
    expect(go(1, ON)).toContain("liquidationStarted");
    expect(go(1, BELOW)).not.toContain("liquidationStarted");
  });

  test("the funding instant, a millisecond before and after it", () => {
    const times = [ON, ABOVE, BELOW].map((side) => {
      const gene = [...block(0)];
      gene[8] = side;
      return run(gene).state.timeMs % 60_000;
    });
    expect(times).toEqual([0, 1, 59_999]);
  });
});
