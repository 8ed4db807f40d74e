import { expect, test } from "vitest";
import { drawSeveral } from "./anyRun.ts";
import { runBothSchedules } from "./schedules.ts";

const SEEDS = 24;

test("any run of several strategies is the same with the blocks that are needed as with all of them", async () => {
  let needed = 0;
  let all = 0;
  // Each of these is to happen, or the runs prove little.
  const seen = { fills: 0, forced: 0, funding: 0, rejections: 0, met: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const both = await runBothSchedules(drawSeveral(seed));
    needed += both.needed.blocks;
    all += both.all.blocks;
    const { fills, liquidations, funding, rejections } = both.needed.input.recording;
    seen.fills += fills.length;
    seen.forced += liquidations.length;
    seen.funding += funding.length;
    seen.rejections += rejections.length;
    // An order of which both sides are fills of the run: maker and taker are two of its strategies.
    const makers = new Set(fills.filter(({ role }) => role === "maker").map(keyOf));
    seen.met += fills.filter((fill) => fill.role === "taker" && makers.has(keyOf(fill))).length;
  }
  expect(needed).toBeLessThan(all * 0.95);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

function keyOf({ timeMs, size, price }: { timeMs: number; size: number; price: number }): string {
  return `${timeMs} ${size} ${price}`;
}
