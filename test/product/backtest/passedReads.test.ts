import { expect, test } from "vitest";
import { drawRun } from "./anyRun.ts";
import { createOnlooker } from "./decider.ts";
import { runBothSchedules } from "./schedules.ts";

const SEEDS = 15;

test("all that a strategy reads at an instant without a block is what the block would have left", async () => {
  let needed = 0;
  let all = 0;
  const seen = { positions: 0, liquidationPrices: 0, resting: 0, depth: 0 };
  for (let seed = 101; seed <= 100 + SEEDS; seed++) {
    const create = (hook: string) => createOnlooker(hook === "onBlock" ? "onBar" : (hook as "onBar" | "onTrade"));
    const both = await runBothSchedules(drawRun(seed, create));
    needed += both.needed.blocks;
    all += both.all.blocks;
    expect(both.needed.stopped?.reason).not.toBe("strategyFailed");
    for (const { text } of both.needed.logs) {
      if (text.includes('"unrealized":-') || /"unrealized":[1-9]/.test(text)) seen.positions++;
      if (text.includes('"liquidationPrice"')) seen.liquidationPrices++;
      if (text.includes('"remaining"')) seen.resting++;
      if (text.includes('"price"')) seen.depth++;
    }
  }
  expect(needed).toBeLessThan(all * 0.7);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
});
