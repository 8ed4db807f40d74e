import { expect, test } from "vitest";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import { block, type Gene, order, writeGene } from "../../../../src/proof/fuzz/draw/gene.ts";
import { writeLeg } from "../../../../src/proof/fuzz/genes/batchLegs.ts";
import { BRIEF } from "../../../../src/proof/fuzz/genes/orders.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";

/** Outcome of the last gene's batch in the plain venue. */
function run(...genes: readonly Gene[]) {
  const runner = new CaseRunner(createCase([], genes.flat()));
  let last: { payload: unknown; code: string } = { payload: undefined, code: "nothing" };
  for (let next = runner.next(); next !== undefined; next = runner.next()) {
    const { receipts } = applyBlock(runner.state, next);
    const index = next.transactions.length - 1;
    if (index >= 0) last = { payload: next.transactions[index]!.payload, code: receipts.code(index) ?? "applied" };
  }
  return last;
}

const LONG = [
  block(),
  order({ actor: 1, market: 0, side: 1, at: "mark", size: "few", more: 9 }),
  order({ actor: 0, market: 0, side: 0, at: "mark", size: "few", more: 9 }),
  order({ actor: 1, market: 0, side: 0, at: "near", away: 3, size: "few", more: 9 }),
  block(),
];

test("one choice encodes a leg of a batch", () => {
  const legs = [
    writeLeg({ side: 1, reduceOnly: true, size: "half", life: 1, name: 1 }),
    writeLeg({ side: 1, at: "join", size: "position", life: 2, name: 3 }),
    writeLeg({ side: 0, at: "near", size: "beyond", life: 3 }),
  ];
  const { payload } = run(...LONG, writeGene("placeOrders", { payload: [BRIEF, legs.length - 1, ...legs] }));
  expect(payload).toMatchObject({
    mode: 0,
    orders: [
      { side: 1, reduceOnly: true, size: 5_000_000, timeInForce: 1, postOnly: 0, clientOrderId: "a" },
      { side: 1, reduceOnly: false, size: 10_000_000, timeInForce: 2, clientOrderId: "c" },
      { side: 0, timeInForce: 0, postOnly: 1, clientOrderId: "" },
    ],
  });
});

test.each([
  ["a close before an unaffordable order", { side: 0, at: "join", size: "beyond" }, "INSUFFICIENT_MARGIN"],
  ["a close before a size off the lot", { side: 1, at: "near", size: "off" }, "OFF_LOT"],
  ["two closes", { side: 1, size: "half", life: 1 }, "applied"],
] as const)("%s", (_, last, code) => {
  const close = writeLeg({ side: 1, size: "half", life: 1 });
  expect(run(...LONG, writeGene("placeOrders", { payload: [BRIEF, 1, close, writeLeg(last)] })).code).toBe(code);
});
