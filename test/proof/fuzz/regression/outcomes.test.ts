import { beforeEach, expect, test, vi } from "vitest";
import { runScenarioFile } from "../../../../src/product/scenario/run/runScenario.ts";
import { writeRegression } from "../../../../src/proof/fuzz/regression/writeRegression.ts";
import { readScript } from "../../../../src/proof/fuzz/shrink/readScript.ts";
import type { Failure } from "../../../../src/proof/fuzz/shrink/signature.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import { Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import type { Block, Transaction } from "../../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const bug = vi.hoisted(() => ({ now: "" }));
beforeEach(() => {
  bug.now = "";
});

// Any account with collateral can withdraw any amount.
vi.mock("../../../../src/venue/engine/actions/withdraw.ts", async (load) => {
  const original = await load<typeof import("../../../../src/venue/engine/actions/withdraw.ts")>();
  const { handleWithdraw } = original;
  const check: typeof handleWithdraw.check = (state, context, payload) =>
    bug.now === "withdraw"
      ? { rejected: false, amount: (payload as Payloads["withdraw"]).amount }
      : handleWithdraw.check(state, context, payload);
  return { ...original, handleWithdraw: { ...handleWithdraw, check } };
});

// Accounts that are due are not liquidated.
vi.mock("../../../../src/venue/engine/liquidation/liquidate.ts", async (load) => {
  const original = await load<typeof import("../../../../src/venue/engine/liquidation/liquidate.ts")>();
  const liquidate: typeof original.liquidate = (...terms) => bug.now !== "liquidate" && original.liquidate(...terms);
  return { ...original, liquidate };
});

// A cancellation throws.
vi.mock("../../../../src/venue/engine/actions/cancelOrder.ts", async (load) => {
  const original = await load<typeof import("../../../../src/venue/engine/actions/cancelOrder.ts")>();
  const { handleCancelOrder } = original;
  const apply: typeof handleCancelOrder.apply = (...terms) => {
    if (bug.now === "cancel") throw new Error("planted");
    handleCancelOrder.apply(...terms);
  };
  return { ...original, handleCancelOrder: { ...handleCancelOrder, apply } };
});

/** A venue that records its blocks. */
class Recorded extends TestVenue {
  /** The base constructor writes it before field initialisers run. */
  declare blocks: Block[];

  override apply(timeMs: number, transactions: readonly Transaction[]): Story {
    this.blocks ??= [];
    this.blocks.push({ height: this.state.height + 1, timeMs, transactions });
    return super.apply(timeMs, transactions);
  }
}

function record(): Recorded {
  const v = new Recorded({ accounts: { alice: "100", bob: "1000" }, prices: { TEST: "100" } });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  return v;
}

/** The first failure of the faulty venue on these blocks. */
function findFailure({ genesis, blocks }: Recorded): Failure {
  const state = createVenue(genesis);
  const watch = new Watch(state, { invariants });
  for (const block of blocks) {
    try {
      const [failure] = watch.check(state, block, applyBlock(state, block, watch.probe));
      if (failure !== undefined) return failure;
    } catch (error) {
      return { kind: "throw", invariant: "nothingThrows", height: block.height, observed: String(error) };
    }
  }
  throw new Error("nothing was found");
}

// Goal: a file that expects the right outcomes fails while the bug is present and passes once it is fixed. Method: the
// blocks of a correct venue run on a faulty one; the file is written there and run on both.
test.each([
  {
    name: "withdraw",
    flow: (v: Recorded) => v.run(v.withdraw("alice", "50")),
    says: "rejected INSUFFICIENT_FREE_COLLATERAL",
  },
  {
    name: "liquidate",
    flow: (v: Recorded) => {
      v.do(v.price("94"));
      v.run(v.withdraw("bob", "1"), v.buy("alice", "1", "94"));
    },
    says: "liquidationStarted: any",
  },
  {
    name: "cancel",
    flow: (v: Recorded) => {
      const bid = v.place(v.buy("bob", "1", "90"));
      v.run(v.withdraw("alice", "500"), v.cancel("bob", bid), v.cancel("bob", bid));
    },
    says: "receipts: [rejected INSUFFICIENT_FREE_COLLATERAL, applied, rejected ORDER_NOT_FOUND]",
  },
])("the regression of a planted bug ($name) fails with it and passes without", ({ name, flow, says }) => {
  const v = record();
  flow(v);
  bug.now = name;
  const failure = findFailure(v);
  const blocks = v.blocks.filter(({ height }) => height <= failure.height);
  const { text, name: file } = writeRegression(readScript({ genesis: v.genesis, blocks }), failure);
  expect(text).toContain(says);
  const run = () => {
    try {
      return runScenarioFile(`scenarios/regressions/${file}`, { readText: () => text }).status;
    } catch {
      return "failed";
    }
  };
  expect(run()).toBe("failed");
  bug.now = "";
  expect(run()).toBe("passed");
});
