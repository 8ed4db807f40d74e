import { describe, expect, test } from "vitest";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";

/** Outcome of a grant in the plain venue with one of its choices set. */
function grant(place: number, choice: number, agent: number): string {
  const payload = [agent, 0, 0, 0, 0, 0, 0, 0];
  payload[place] = choice;
  const runner = new CaseRunner(createCase([], [block(), writeGene("grantAuthorization", { payload })].flat()));
  let last = "nothing";
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const { receipts } = applyBlock(runner.state, next);
    last = receipts.code(next.transactions.length - 1) ?? "applied";
  }
  return last;
}

describe("grants are drawn with every kind of text, and invalid ones are repaired if the gene requests it", () => {
  test.each([
    ["scopes", 1, 17],
    ["markets", 2, 10],
    ["subaccounts", 3, 15],
    ["maxOrderNotional", 4, 19],
    ["maxDailyNotional", 6, 19],
    ["maxOpenOrders", 7, 12],
  ] as const)("%s", (_, place, count) => {
    const asDrawn = Array.from({ length: count }, (_, choice) => grant(place, choice, 0));
    expect(new Set(asDrawn)).toEqual(new Set(["applied", "GRANT_INVALID"]));
    // After the repair all of them are valid grants.
    const repaired = Array.from({ length: count }, (_, choice) => grant(place, choice, 1));
    expect(new Set(repaired)).toEqual(new Set(["applied"]));
  });
});
