import { expect, test } from "vitest";
import { LIMIT } from "../../../../src/ground/math/fixed.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { HOUSE_WAYS, houseChoice } from "../../../../src/proof/fuzz/genes/house.ts";
import { readProfile } from "../../../../src/proof/fuzz/genes/profile.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

const MARKET = 0 as MarketRow;
const TICKS_MOST = 2 ** 31 - 1;
/** A venue with a house account and zeros otherwise. */
const PROFILE = findProfile();

function findProfile(): Uint16Array {
  for (let place = 0; place < 8; place++) {
    const choices = new Uint16Array(64);
    choices[place] = 1;
    if (readProfile(choices).genesis.accounts.some(({ role }) => role === "house")) return choices;
  }
  throw new Error("a single choice does not create a house");
}

/** The venue after a flow, and the flow's outcome. */
function run(way: (typeof HOUSE_WAYS)[number], ...payload: readonly number[]): { state: State; answer: string } {
  const genes = [writeGene("houseFlow", { payload: [houseChoice(way), ...payload] }), block()].flat();
  const runner = new CaseRunner(createCase(PROFILE, genes));
  let answer = "";
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const { receipts } = applyBlock(runner.state, next);
    if (next.transactions.at(-1)?.action === "houseFlow")
      answer = receipts.code(next.transactions.length - 1) ?? "applied";
  }
  return { state: runner.state, answer };
}

test("quotes rest at the last tick, and beyond the last price", () => {
  for (const place of [0, 1, 2, 3]) {
    const { state, answer } = run("beyond", 0, place);
    expect(answer).toBe("applied");
    const { tickSize, priceMost } = state.parameters[MARKET]!;
    const most = place === 2 ? priceMost : Math.min(LIMIT, TICKS_MOST * tickSize) - tickSize;
    expect(state.books[MARKET]!.bestAsk * tickSize).toBeGreaterThan(most);
  }
});

test("after an ask is taken, the next one is pages away", () => {
  const { state, answer } = run("far", 0, 0, 5, 5);
  expect(answer).toBe("applied");
  const { bestAsk, bestBid } = state.books[MARKET]!;
  expect(bestAsk - bestBid).toBeGreaterThan(4_096 * 64);
});

test.each([
  ["quotes", "STEPS_MALFORMED"],
  ["levels", "STEPS_MALFORMED"],
  ["levels with one of size 0", "applied"],
] as const)("the maximum number of %s, one less and one more", (what, last) => {
  const book = ["quotes", "levels", "levels with one of size 0"].indexOf(what);
  const answers = [0, 1, 2].map((more) => run("many", 0, more, 0, 0, book).answer);
  expect(answers).toEqual(["applied", "applied", last]);
});

test.each(HOUSE_WAYS)("a choice selects %s", (way) => {
  expect(run(way).answer).not.toBe("");
});
