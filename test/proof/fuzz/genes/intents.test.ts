import { describe, expect, test } from "vitest";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, type Gene, order, price, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { NEAR_PRICE, NEAR_PRICE_KINDS, REPAIRED } from "../../../../src/proof/fuzz/genes/intents.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../../../src/venue/engine/events/readEvents.ts";

/** Codes and kinds of events in the plain venue with an open position of the first account. */
function run(...genes: readonly Gene[]) {
  const open = [
    block(),
    order({ actor: 1, market: 0, side: 1, at: "mark", size: "few", more: 9 }),
    order({ actor: 0, market: 0, side: 0, at: "mark", size: "few", more: 9 }),
    block(),
  ];
  const runner = new CaseRunner(createCase([], [...open, ...genes].flat()));
  const codes: string[] = [];
  const kinds: string[] = [];
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const result = applyBlock(runner.state, next);
    next.transactions.forEach(({ action }, index) => {
      if (action === "placeIntent") codes.push(result.receipts.code(index) ?? "applied");
    });
    kinds.push(...[...readEvents(result.events, result.from, result.to)].map(({ kind }) => kind));
  }
  return { codes, kinds };
}

const around = (kind: (typeof NEAR_PRICE_KINDS)[number], how = 0, ...legs: number[]) =>
  writeGene("placeIntent", { payload: [NEAR_PRICE + REPAIRED, NEAR_PRICE_KINDS.indexOf(kind), how, 0, 0, ...legs] });

describe("an intent close around the price", () => {
  test.each(NEAR_PRICE_KINDS)("%s is accepted", (kind) => {
    // A trailing stop has terms of its own: the third kind of a leg.
    expect(run(around(kind, 0, kind === "trailingStop" ? 2 : 0), block()).codes).toEqual(["applied"]);
  });

  test("fires within some blocks, on either side of it", () => {
    for (const way of [0, 1]) {
      const walk = Array.from({ length: 3 }, () => [price(0, "clamp", way, 0), block()]).flat();
      expect(run(around("oco"), block(), ...walk).kinds).toContain("intentTriggered");
    }
  });

  test("a trail of the whole price or more is malformed, a smaller one is accepted", () => {
    // Indices of trails: the last two are the whole price and twice as much.
    const codes = [5, 6, 7].flatMap((distance) => run(around("trailingStop", 0, 2 + (distance << 4)), block()).codes);
    expect(codes).toEqual(["applied", "INTENT_MALFORMED", "INTENT_MALFORMED"]);
  });
});
