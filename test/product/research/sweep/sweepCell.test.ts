import { expect, test } from "vitest";
import { type CellRecord, readState } from "../../../../src/product/research/sweep/sweepCell.ts";

type Outcome = CellRecord["outcome"];

function stateOf(outcome: Outcome, each: readonly Outcome[], metrics: Record<string, number> = { fills: 4 }) {
  const strategies = each.map((one, at) => ({ name: `s${at}`, outcome: one, metrics: {}, reasons: {}, own: {} }));
  return readState({ outcome, metrics, strategies } as Parameters<typeof readState>[0]);
}

test("one wiped-out account makes a cell liquidated, whatever its place in the list", () => {
  expect(stateOf("completed", ["wipedOut", "completed"])).toBe("liquidated");
  expect(stateOf("completed", ["completed", "wipedOut"])).toBe("liquidated");
  expect(stateOf("completed", ["completed", "completed"])).toBe("traded");
});

test("the worst that applies is the state of a cell", () => {
  expect(stateOf("failed", ["wipedOut", "failed"])).toBe("failed");
  expect(stateOf("wipedOut", ["wipedOut", "wipedOut"], { fills: 4, liquidations: 1 })).toBe("wipedOut");
  expect(stateOf("completed", ["completed"], { fills: 4, liquidations: 1 })).toBe("liquidated");
  expect(stateOf("completed", ["completed"], { fills: 0 })).toBe("idle");
});
