import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { block, type Gene, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { Reached } from "../../../../src/proof/fuzz/flow/reached.ts";
import { LOT_WAYS } from "../../../../src/proof/fuzz/genes/lots.ts";
import { isRepaired } from "../../../../src/proof/fuzz/genes/repairOrder.ts";
import { TICK_WAYS } from "../../../../src/proof/fuzz/genes/ticks.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";

/** Outcome of the last gene's transaction in the plain venue. */
function run(...genes: readonly Gene[]): string {
  const runner = new CaseRunner(createCase([], genes.flat()));
  let last = "nothing";
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const { receipts } = applyBlock(runner.state, next);
    const index = next.transactions.length - 1;
    if (index >= 0) last = receipts.code(index) ?? "applied";
  }
  return last;
}

/** Choice of an order that requests repair. */
const REPAIRED = 1 << 9;

/** An order at the mark, or by the choices of price and size. */
function order(repaired: boolean, { price = [0, 0, 0], size = [0, 0, 0], life = 0, post = 0 } = {}): Gene {
  const payload = [repaired ? REPAIRED : 0, 0, life, post, 0, 0, ...price, ...size];
  return writeGene("placeOrder", { actor: 0, payload });
}

describe("an order that the venue would reject is repaired if its gene requests it", () => {
  const power = LOT_WAYS.indexOf("power");
  const far = TICK_WAYS.indexOf("power");
  test.each([
    ["a size that margin does not allow", { size: [LOT_WAYS.indexOf("share"), 15, 0] }, "INSUFFICIENT_MARGIN"],
    ["a size beyond the greatest", { size: [power, 20, 0] }, "SIZE_TOO_LARGE"],
    ["a price out of the band", { price: [far, 20, 0] }, "PRICE_OUT_OF_BAND"],
    ["no size", { size: [LOT_WAYS.indexOf("odd"), 0, 0] }, "SIZE_NOT_POSITIVE"],
  ] as const)("%s", (_, how, code) => {
    expect(run(block(), order(false, how as object))).toBe(code);
    expect(run(block(), order(true, how as object))).toBe("applied");
  });

  test("an order one unit next to its edge is not repaired", () => {
    const above = { size: [LOT_WAYS.indexOf("margin"), 0, 1] };
    expect(run(block(), order(true, above))).toBe("INSUFFICIENT_MARGIN");
  });
});

// Repair lets a venue that accepts too little shrink orders until it accepts them, which hides the fault.
test("every fourth order is sent as drawn, and so is every order one unit above the largest", () => {
  const choices = Array.from({ length: 1 << 7 }, (_, choice) => isRepaired(choice));
  expect(choices.filter((repaired) => !repaired)).toHaveLength(choices.length / 4);
  const above = { size: [LOT_WAYS.indexOf("margin"), 0, 1] };
  // For any choice that selects whether edges are deliberate.
  for (const turn of [0, 1, 2, 4, 7]) {
    const gene = [...order(true, above)];
    gene[6]! += turn << 13;
    expect(run(block(), gene)).toBe("INSUFFICIENT_MARGIN");
  }
});

test("most drawn orders are applied, and every order fault still occurs", () => {
  const reached = new Reached();
  let applied = 0;
  let count = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const runner = new CaseRunner(drawCase(new Random([seed, 3, ~seed, 7]), { profile: "uniform", length: 300 }));
    for (let next = runner.next(); next !== undefined; next = runner.next()) {
      const result = applyBlock(runner.state, next);
      reached.add(next, result);
      count += next.transactions.length;
      for (let index = 0; index < next.transactions.length; index++) {
        if (result.receipts.status(index) === "applied") applied++;
      }
    }
  }
  expect(applied / count).toBeGreaterThan(0.62);
  const missing = ORDER_CODES.filter((code) => (reached.counts.get(`placeOrder ${code}`) ?? 0) === 0);
  expect(missing).toEqual([]);
});

const ORDER_CODES = [
  ...[
    "MARKET_NOT_FOUND",
    "MARKET_CLOSED",
    "OPERATION_PAUSED",
    "MARKET_RESTARTING",
    "PRICE_REQUIRED",
    "EXPIRY_MISMATCH",
  ],
  ...["EXPIRY_PASSED", "SLIPPAGE_TOO_LARGE", "SIZE_NOT_POSITIVE", "OFF_LOT", "OFF_TICK", "SIZE_TOO_SMALL"],
  ...["SIZE_TOO_LARGE", "NOTIONAL_TOO_SMALL", "PRICE_OUT_OF_BAND", "CLIENT_ORDER_ID_USED", "OPEN_ORDERS_LIMIT"],
  ...["REDUCE_ONLY_WOULD_INCREASE", "POST_ONLY_WITH_TAKING", "POST_ONLY_WOULD_TAKE", "PRICE_NOT_VALID"],
  ...["EXPOSURE_FROZEN", "INSUFFICIENT_MARGIN", "NUMERIC_LIMIT"],
];
