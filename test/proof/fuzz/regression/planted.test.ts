import { expect, test, vi } from "vitest";
import { lintScenario } from "../../../../src/product/scenario/lint/lintScenario.ts";
import { runScenarioFile } from "../../../../src/product/scenario/run/runScenario.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
import { writeRegression } from "../../../../src/proof/fuzz/regression/writeRegression.ts";
import { shrinkChronicle } from "../../../../src/proof/fuzz/shrink/shrinkScript.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import { Watch } from "../../../../src/proof/invariants/machinery/watching/watch.ts";
import type { Block } from "../../../../src/protocol/transaction.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";

// The venue of this file has a bug: a withdrawal leaves one unit in the account.
vi.mock("../../../../src/venue/engine/actions/withdraw.ts", async (load) => {
  const original = await load<typeof import("../../../../src/venue/engine/actions/withdraw.ts")>();
  const { handleWithdraw } = original;
  const apply: typeof handleWithdraw.apply = (state, context, plan) => {
    handleWithdraw.apply(state, context, plan);
    state.accounts.collateral[context.account]!++;
  };
  return { ...original, handleWithdraw: { ...handleWithdraw, apply } };
});

// Goal: a long run that broke an invariant becomes a readable file that breaks it in the same way.
test("a failure of a faulty venue becomes a short file that fails there as well", () => {
  const flow = new Flow(5);
  const state = createVenue(flow.genesis);
  const conservation = invariants.find(({ id }) => id === "conservation")!;
  const watch = new Watch(state, { invariants: [conservation] });
  const blocks: Block[] = [];
  let failure: ReturnType<Watch["check"]>[number] | undefined;
  while (failure === undefined) {
    const block = flow.next(state);
    blocks.push(block);
    [failure] = watch.check(state, block, applyBlock(state, block, watch.probe));
  }
  const shrunk = shrinkChronicle({ genesis: flow.genesis, blocks }, failure)!;
  expect(shrunk.transactions).toBe(1);

  const { sentence, rules } = conservation;
  const { name, text } = writeRegression(shrunk.script, shrunk.failure, { sentence, rules });
  const file = `scenarios/regressions/${name}`;
  const readText = () => text;
  expect(text).toMatch(/alice: withdraw 1\b/);
  expect(text.split("\n").length).toBeLessThan(20);
  expect([...lintScenario(file, readText).faults, ...lintScenario(file, readText).advice]).toEqual([]);
  const [found] = runScenarioFile(file, { readText }).cases;
  expect(found!.failures.map(({ kind, what }) => `${kind}: ${what}`)).toContain("invariant: invariant conservation");
});
