import { expect, test } from "vitest";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { ACTION_NAMES } from "../../../../src/protocol/actions/index.ts";

// Goal: the venue follows the rulebook, to the unit and to the code. Method: an independent implementation of the
// rulebook applies the same generated blocks. Receipts are compared after every transaction, states after every block.
// A difference is a bug of the venue, a bug of the model, or a gap in the rulebook; each needs a look.
test("venue and model agree on generated flows", () => {
  const applied = new Set<string>();
  const codes = new Set<string>();
  let transactions = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const flow = new Flow(seed);
    const both = new LockStep(flow.genesis);
    for (let count = 0; count < 40; count++) {
      const block = flow.next(both.venue);
      expect(both.apply(block), `seed ${seed}`).toBeUndefined();
      transactions += block.transactions.length;
      block.transactions.forEach(({ action }, index) => {
        const { status, code } = both.venue.receipts.at(index);
        if (status === "applied") applied.add(action);
        if (code !== undefined) codes.add(code);
      });
    }
  }
  // An agreement about no transactions proves nothing.
  expect(transactions).toBeGreaterThan(8_000);
  expect(ACTION_NAMES.filter((action) => !applied.has(action))).toEqual([]);
  expect(codes.size).toBeGreaterThan(60);
});
