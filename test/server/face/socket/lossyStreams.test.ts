import { expect, test } from "vitest";
import { runLossy } from "../../../helpers/lossyStreams.ts";

test("every lost message is noticed, and every book equals the venue's after the next heartbeat", async () => {
  const run = await runLossy({ seed: 5, deltas: 5_000, clients: 6, oneOf: 20 });
  expect(run.wrong).toBe(0);
  expect(run.corruptions).toBe(0);
  expect(run.lost).toBeGreaterThan(150);
  expect(run.gaps).toBeGreaterThan(100);
  expect(run.compared).toBeGreaterThan(100);
});
