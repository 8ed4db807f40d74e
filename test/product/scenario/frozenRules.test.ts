import { beforeEach, expect, test, vi } from "vitest";
import { freeze, logOf, runFrozen } from "./freezeHelpers.ts";
import { failuresOf } from "./helpers.ts";

/** The rule that is changed at this moment. */
const bug = vi.hoisted(() => ({ now: "" }));
beforeEach(() => {
  bug.now = "";
});

// Takers pay one unit more than their fee.
vi.mock("../../../src/venue/engine/matching/fees.ts", async (load) => {
  const original = await load<typeof import("../../../src/venue/engine/matching/fees.ts")>();
  const computeTakerFee: typeof original.computeTakerFee = (...terms) =>
    original.computeTakerFee(...terms) + (bug.now === "fee" ? 1 : 0);
  return { ...original, computeTakerFee };
});

// Accounts that are due are not liquidated.
vi.mock("../../../src/venue/engine/liquidation/liquidate.ts", async (load) => {
  const original = await load<typeof import("../../../src/venue/engine/liquidation/liquidate.ts")>();
  const liquidate: typeof original.liquidate = (...terms) => bug.now !== "liquidate" && original.liquidate(...terms);
  return { ...original, liquidate };
});

const DELEVERAGED = "liquidation/deleveraging-at-the-bankruptcy-price.yaml";

test("a frozen scenario fails when a fee changes", () => {
  const { log, last } = logOf(DELEVERAGED);
  const frozen = freeze(log, 1, last);
  bug.now = "fee";
  expect(failuresOf(runFrozen(frozen)).join("\n")).toMatch(/takerFee of fill 1|collateral/);
});

test("a frozen scenario fails when a liquidation changes, also where the account was due before the first block", () => {
  const { log, last } = logOf(DELEVERAGED);
  const frozen = freeze(log, last, last);
  bug.now = "liquidate";
  expect(failuresOf(runFrozen(frozen)).join("\n")).toMatch(/deleveraged 1: an event \/ none/);
});

test("a log from before a rule changed is not frozen", () => {
  const { log: deleveraged, last: end } = logOf(DELEVERAGED);
  bug.now = "fee";
  expect(() => freeze(deleveraged, 1, end)).toThrow(/the replay emits different events/);
});
