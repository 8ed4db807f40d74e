import { expect, test } from "vitest";
import { OPERATION_IDS } from "../../src/api/routes.ts";
import { runContract } from "./contract/steps.ts";

// Goal: nobody can make the service break its contract, or say something else than the engine does.
// Method: seeded requests to every operation, in order and not, between trades that an engine beside it carries out, too.

test("2,000 requests, in order and hostile, between trades: every answer keeps the contract and agrees with the engine", async () => {
  const tallies = [await runContract(5, 1_000), await runContract(6, 1_000)];
  expect(tallies.flatMap(({ faults }) => faults)).toEqual([]);
  const answers = tallies.flatMap((tally) => Object.entries(tally.answers));
  const count = (pattern: RegExp) =>
    answers.reduce((sum, [name, times]) => (pattern.test(name) ? sum + times : sum), 0);
  expect(count(/./)).toBeGreaterThanOrEqual(2_000);
  // What was never asked, or never refused, was not tried.
  for (const operation of OPERATION_IDS) expect(count(new RegExp(`^${operation} `)), operation).toBeGreaterThan(0);
  for (const status of [200, 201, 202, 204, 304, 400, 401, 404, 405, 409, 413, 414, 415, 422]) {
    expect(count(new RegExp(` ${status}$`)), String(status)).toBeGreaterThan(0);
  }
}, 120_000);
