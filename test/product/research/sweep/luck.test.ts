import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import type { DailyReturns } from "../../../../src/product/research/runs/record.ts";
import { describeLuck, judgeLuck } from "../../../../src/product/research/sweep/luck.ts";

function draw(random: Random, days: number, mean: number, fromMs = 0): DailyReturns {
  const returns = Array.from({ length: days }, () => Math.round((mean + (random.fraction() - 0.5) * 0.04) * 1e8));
  return { fromMs, returns, before: 0, after: 0 };
}

const best = (runs: readonly DailyReturns[]) =>
  runs.toSorted((a, b) => b.returns.reduce((x, y) => x + y, 0) - a.returns.reduce((x, y) => x + y, 0))[0]!;

describe("luck of a sweep's best run", () => {
  it("is most of it where no run has skill", () => {
    const random = Random.ofSeed([1, 2, 3, 4]);
    const runs = Array.from({ length: 60 }, () => draw(random, 250, 0));
    const { probabilisticSharpe, deflatedSharpe, realityCheck, reason } = judgeLuck(best(runs), runs);
    // Alone the best looks good; among sixty it does not.
    expect(probabilisticSharpe).toBeGreaterThan(0.95);
    expect(deflatedSharpe!.probability).toBeLessThan(0.8);
    expect(deflatedSharpe!.trials).toBe(60);
    expect(realityCheck!.pValue).toBeGreaterThan(0.1);
    expect(reason).toBeNull();
  });

  it("is little of it where one run has skill", () => {
    const random = Random.ofSeed([5, 6, 7, 8]);
    const runs = [...Array.from({ length: 59 }, () => draw(random, 500, 0)), draw(random, 500, 0.004)];
    const luck = judgeLuck(best(runs), runs);
    expect(luck.deflatedSharpe!.probability).toBeGreaterThan(0.99);
    expect(luck.realityCheck!.pValue).toBeLessThan(0.01);
    expect(describeLuck(luck)).toHaveLength(3);
  });

  it("counts a run that was wiped out as flat afterwards, and leaves out runs without a result", () => {
    const random = Random.ofSeed([9, 9, 9, 9]);
    const runs = [draw(random, 100, 0.001), draw(random, 40, -0.01)];
    expect(judgeLuck(runs[0]!, [...runs, null]).realityCheck).toMatchObject({ strategies: 2, days: 100 });
  });

  it("compares no runs over different days, and says so", () => {
    const random = Random.ofSeed([4, 3, 2, 1]);
    const runs = [draw(random, 100, 0.001), draw(random, 100, 0, 86_400_000)];
    const luck = judgeLuck(runs[0]!, runs);
    expect(luck.realityCheck).toBeNull();
    expect(describeLuck(luck).at(-1)).toContain("do not cover the same days");
  });

  it("has no figure without days", () => {
    expect(judgeLuck(null, [null])).toMatchObject({ probabilisticSharpe: null, realityCheck: null });
  });
});
