import { expect, test } from "vitest";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, type Gene, order, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { choiceOfSolved, readSolved, SOLVED_WAYS } from "../../../../src/proof/fuzz/genes/solvedChanges.ts";
import { SOLVED } from "../../../../src/proof/fuzz/genes/updates.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { measure } from "../../../../src/venue/engine/margin/health.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../../src/venue/engine/state/schema.ts";

const MARKET = 0 as MarketRow;
/** One account buys from another in the plain venue. */
const TRADE: readonly Gene[] = [
  order({ actor: 1, market: 0, side: 1, at: "mark", size: "share", more: 4 }),
  block(),
  order({ actor: 0, market: 0, side: 0, at: "touch", size: "touch" }),
  block(),
];

/** The venue after a change, and the outcome of the change. */
function run(way: (typeof SOLVED_WAYS)[number], ...more: readonly number[]) {
  const change = writeGene("updateMarket", { payload: [SOLVED, SOLVED_WAYS.indexOf(way), ...more] });
  const runner = new CaseRunner(createCase([], [...TRADE, change].flat()));
  let last = "";
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const { receipts } = applyBlock(runner.state, next);
    next.transactions.forEach(({ action }, index) => {
      if (action === "updateMarket") last = receipts.code(index) ?? "applied";
    });
  }
  return { state: runner.state, last, rules: runner.state.parameters[MARKET]! };
}

test("a rate equals that of an account, or is a millionth above or below it", () => {
  const [on, above, below] = [0, 1, 2].map((side) => run("maintenance", side));
  expect([on!.last, above!.last, below!.last]).toEqual(["applied", "applied", "applied"]);
  expect(above!.rules.maintenanceLeast).toBe(on!.rules.maintenanceLeast + 1);
  expect(below!.rules.maintenanceLeast).toBe(on!.rules.maintenanceLeast - 1);
  // The account with the higher rate is healthy exactly at that rate, and liquidatable a millionth above.
  const account = on!.state.positions.account[0 as PositionRow]! as AccountRow;
  const held = measure(on!.state, account, 0);
  expect(held.equity).toBeGreaterThanOrEqual(held.maintenance);
  const missed = measure(above!.state, account, 0);
  expect(missed.equity).toBeLessThan(missed.maintenance);
});

test("a position limit equals the largest one at which the mark is storable", () => {
  const [on, above] = [0, 1].map((side) => run("priceMost", side));
  expect(on!.last).toBe("applied");
  expect(on!.rules.priceMost).toBeGreaterThanOrEqual(on!.state.markets.mark[MARKET]!);
  expect(above!.last).toBe("NUMERIC_LIMIT");
});

test("funding intervals get longer and shorter, and methods change", () => {
  const { fundingInterval, fundingMethod } = run("held").rules;
  expect(run("interval", 0).rules.fundingInterval).toBe(8 * fundingInterval);
  expect(run("interval", 1).rules.fundingInterval).toBe(fundingInterval / 8);
  expect(run("method", 0).rules.fundingMethod).not.toBe(fundingMethod);
});

test.each(SOLVED_WAYS)("%s is a change that a market applies or rejects as a whole", (way) => {
  const answers = [0, 1, 2, 3, 4, 5].map((more) => run(way, more, more).last);
  expect(answers).toContain("applied");
});

// Goal: a recipe draws the change that it names. Method: every kind with more details than any recipe uses.
test("the choice of a computed change is read as its kind and its detail", () => {
  for (const way of SOLVED_WAYS) {
    for (let detail = 0; detail < 64; detail++) {
      expect(readSolved(choiceOfSolved(way, detail))).toEqual({ way, detail });
    }
  }
});
