import { expect, test } from "vitest";
import { NONE } from "../../../../src/ground/collections/table.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { createCase } from "../../../../src/proof/fuzz/case/fuzzCase.ts";
import type { BlockBuilder } from "../../../../src/proof/fuzz/genes/blockBuilder.ts";
import { Choices } from "../../../../src/proof/fuzz/genes/choices.ts";
import { drawStepToEdge } from "../../../../src/proof/fuzz/genes/times.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";

/** Choices of the edge that is a gap between blocks, and of the side beyond it. */
const GAP = 2;
const BEYOND = 1;

function stepOver(blockGap: number, timeMs: number): number {
  const { state } = new CaseRunner(createCase([], []));
  state.timeMs = timeMs;
  state.parameters[0] = { ...state.parameters[0]!, blockGap };
  const builder = { state, market: 0 } as BlockBuilder;
  const choices = new Choices(Uint16Array.of(GAP, BEYOND));
  return drawStepToEdge(builder, choices, NONE as AccountRow);
}

test("a step passes an edge, however far away", () => {
  expect(stepOver(60_000, 1_000)).toBe(60_001);
  expect(stepOver(8e15, 1_000)).toBe(8e15 + 1);
});

test("no step passes the last date, after which there is no time for a block", () => {
  expect(stepOver(Number.MAX_SAFE_INTEGER, 1_000)).toBe(20_000);
  expect(stepOver(8e15, 8e15)).toBe(20_000);
});
