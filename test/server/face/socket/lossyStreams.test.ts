import { expect, test } from "vitest";
import { runLossy } from "../../../helpers/lossyStreams.ts";

test("whatever is lost on the way is noticed, and every book is the venue's after the next sign of life", async () => {
  const run = await runLossy({ seed: 5, deltas: 5_000, clients: 6, oneOf: 20 });
  expect(run.wrong).toBe(0);
  expect(run.corruptions).toBe(0);
  expect(run.lost).toBeGreaterThan(150);
  expect(run.gaps).toBeGreaterThan(100);
  expect(run.compared).toBeGreaterThan(100);
});
