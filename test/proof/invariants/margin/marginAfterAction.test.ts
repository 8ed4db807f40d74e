import { expect, test } from "vitest";
import { Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { TestVenue } from "../../../helpers/venue.ts";

// Stops fire after the transactions of a block. Two of them would leave alice healthy; she cancels one, and the trade
// of the other leaves her below her initial margin. Her cancellation is not the cause.
test("trades of an account's stops after its transactions are not blamed on the transactions", () => {
  const v = new TestVenue({ accounts: { alice: "100", bob: "1000", carol: "1000" }, prices: { TEST: "100" } });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"), v.buy("carol", "6", "96"));
  const stop = { size: "3", trigger: "97", reduceOnly: true };
  const [first] = v.do(v.intent("alice", "stop", stop), v.intent("alice", "stop", stop)).of("intentPlaced");
  const watch = new Watch(v.state, { sweepEvery: 0, heavyEvery: 0 });
  const transactions = v.toTransactions([v.price("96"), v.cancelIntent("alice", first!.intent)]);
  const block = { height: v.state.height + 1, timeMs: v.state.timeMs + 1000, transactions };
  const result = applyBlock(v.state, block, watch.probe);
  expect(result.receipts.status(1)).toBe("applied");
  expect(v.lots("alice")).toBe(7);
  expect(watch.check(v.state, block, result)).toEqual([]);
});
