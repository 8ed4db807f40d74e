import { expect, test } from "vitest";
import { readResult, writeResult } from "../../../src/proof/cluster/caseResult.ts";
import { type CaseTask, createCaseTask, readJob } from "../../../src/proof/cluster/caseTask.ts";
import { createCase } from "../../../src/proof/fuzz/case/fuzzCase.ts";
import type { FuzzViolation } from "../../../src/proof/fuzz/run/violation.ts";
import { createJob, createResult, setup, shared } from "./helpers.ts";

const idOf = (...of: Parameters<typeof createCaseTask>) => createCaseTask(...of).id;
const own = idOf(createJob(4), shared);

test("a job comes back from its task as it was", () => {
  const job = createJob(4, { start: { name: "a 3", genes: 3 }, canary: "shortRows" as never, again: true });
  const sent = JSON.parse(JSON.stringify(createCaseTask(job, shared))) as { readonly body: CaseTask };
  expect(readJob(sent.body)).toEqual(job);
});

test("a result comes back from its text as it was, with a violation", () => {
  const violation: FuzzViolation = {
    kind: "model",
    invariant: "venueEqualsModel",
    height: 3,
    observed: "1",
    sides: [{ what: "mark", venue: "1", model: "2" }],
  };
  const result = { ...createResult(4), violation };
  expect(readResult("case-1", writeResult("case-1", result))).toEqual(result);
});

test.each<[string, string]>([
  ["another iteration", idOf(createJob(5, { given: createJob(4).given }), shared)],
  ["another case", idOf(createJob(4, { given: createCase([1, 2], [3]) }), shared)],
  ["another start", idOf(createJob(4, { start: { name: "a 3", genes: 3 } }), shared)],
  ["every check", idOf(createJob(4, { thorough: true }), shared)],
  ["other invariants", idOf(createJob(4), { ...shared, setup: { ...setup, invariants: "G*" } })],
  ["the model", idOf(createJob(4), { ...shared, setup: { ...setup, model: true } })],
  ["other code", idOf(createJob(4), { ...shared, line: { ...shared.line, code: "cd".repeat(32) } })],
  ["another Node line", idOf(createJob(4), { ...shared, line: { ...shared.line, node: 26 } })],
])("the name of a task changes with %s", (_name, id) => {
  expect(id).toMatch(/^case-[0-9a-f]{64}$/);
  expect(id).not.toBe(own);
});

test("the name of a task does not depend on its limit in time, or on the order of fields", () => {
  const reversed = Object.fromEntries(Object.entries(setup).reverse()) as unknown as typeof setup;
  expect(idOf(createJob(4), { ...shared, setup: reversed, caseMs: 5 })).toBe(own);
});
