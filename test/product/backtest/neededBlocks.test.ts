import { expect, test } from "vitest";
import { drawRun } from "./anyRun.ts";
import { runBothSchedules } from "./schedules.ts";

const SEEDS = 30;

test("any run is the same with the blocks that are needed as with all of them", async () => {
  let needed = 0;
  let all = 0;
  // Each of these is to happen, or the runs prove little.
  const seen = { fills: 0, forced: 0, funding: 0, rejections: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const both = await runBothSchedules(drawRun(seed));
    needed += both.needed.blocks;
    all += both.all.blocks;
    const { fills, liquidations, funding, rejections } = both.needed.input.recording;
    seen.fills += fills.length;
    seen.forced += liquidations.length;
    seen.funding += funding.length;
    seen.rejections += rejections.length;
  }
  expect(needed).toBeLessThan(all * 0.95);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
