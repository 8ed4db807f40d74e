import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCrashCycle } from "../../../helpers/crashCycles.ts";

// `npm run campaign:crash` does this 200 times.
test("killed under load, five times in a row, a host loses no acknowledged transaction and commits none twice", async () => {
  const directory = mkdtempSync(join(tmpdir(), "perplab-kill-"));
  let acknowledged = 0;
  for (const after of [0, 40, 1, 300, 90]) {
    const cycle = await runCrashCycle(directory, after);
    expect(cycle).toMatchObject({ lost: 0, twice: 0, sameRoot: true });
    acknowledged += cycle.acknowledged;
  }
  expect(acknowledged).toBeGreaterThanOrEqual(431);
  rmSync(directory, { recursive: true });
});
