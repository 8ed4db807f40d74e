import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunResult } from "../../../../src/product/research/runs/record.ts";
import { createBench, makeAll } from "./helpers.ts";

const recordsOf = (results: readonly RunResult[]) => results.map(({ record }) => record);

describe("an engine", () => {
  test("gives the same records in the order of the jobs, in this thread and in 1, 2 and 5 threads", async () => {
    const bench = await createBench();
    const jobs = [7, 3, 11, 5, 2, 13, 4].map((every) => bench.job({ every }, { leverage: (every % 3) + 1 }));
    const local = recordsOf(await makeAll(bench.local(), jobs));
    expect(local.map(({ job }) => job.strategies[0]!.params["every"])).toEqual([7, 3, 11, 5, 2, 13, 4]);
    expect(new Set(local.map(({ root }) => root)).size).toBe(7);
    for (const workers of [1, 2, 5]) expect(recordsOf(await makeAll(bench.threads(workers), jobs))).toEqual(local);
  });

  test("makes runs of several strategies: the figures of each, and those of all accounts together", async () => {
    const bench = await createBench();
    const { strategies, ...rest } = bench.job();
    const [one] = strategies;
    const slow = { ...one!, name: "slow", params: { ...one!.params, every: 11 }, deposit: "5000" };
    const fast = { ...one!, name: "fast", params: { ...one!.params, every: 3 }, leverage: 2 };
    const jobs = [
      { ...rest, strategies: [slow, fast] },
      { ...rest, strategies: [fast] },
    ];
    const records = recordsOf(await makeAll(bench.local(), jobs));
    expect(recordsOf(await makeAll(bench.threads(2), jobs))).toEqual(records);
    const [both, alone] = records;
    expect(both!.strategies.map(({ name, outcome }) => [name, outcome])).toEqual([
      ["fast", "completed"],
      ["slow", "completed"],
    ]);
    const [first, second] = both!.strategies;
    expect(both!.metrics.fills).toBe(Number(first!.metrics.fills) + Number(second!.metrics.fills));
    const fees = records[0]!.strategies.map(({ metrics }) => Number(metrics.takerFees));
    expect(Number(both!.metrics.takerFees)).toBeCloseTo(fees[0]! + fees[1]!, 6);
    expect([both!.own, first!.own, second!.own]).toEqual([{}, { turns: 200 }, { turns: 200 }]);
    expect(first!.daily!.returns).toHaveLength(both!.daily!.returns.length);
    // A run of one strategy has no list: its figures are the run's.
    expect(alone!.strategies).toEqual([]);
    expect(alone!.own).toEqual({ turns: 200 });
    expect(alone!.root).toBe(
      (await makeAll(bench.local(), [bench.job({ every: 3 }, { leverage: 2 })]))[0]!.record.root,
    );
  });

  test("records a run that failed, and continues", async () => {
    const bench = await createBench();
    const jobs = [bench.job(), bench.job({ mode: "throw" }), bench.job({}, { leverage: 99 }), bench.job({ every: 3 })];
    for (const engine of [bench.local(), bench.threads(2)]) {
      const records = recordsOf(await makeAll(engine, jobs));
      expect(records.map(({ outcome }) => outcome)).toEqual(["completed", "failed", "failed", "completed"]);
      expect(records[1]!.error).toMatchObject({ code: "STRATEGY_FAILED", place: "turns.onBar", isFinal: true });
      expect(records[1]!.error!.message).toContain("no luck");
      expect(records[2]!.error).toMatchObject({ code: "OPTION_INVALID" });
    }
  });

  test("reports each run as it ends, with the index of its job", async () => {
    const bench = await createBench();
    const jobs = [5, 3, 2].map((every) => bench.job({ every }));
    const engine = bench.threads(2);
    const ended: [number, unknown][] = [];
    const onDone = ({ record }: RunResult, index: number) =>
      ended.push([index, record.job.strategies[0]!.params["every"]]);
    for await (const _ of engine.run(
      jobs.map((job) => ({ job })),
      { onDone },
    ));
    await engine.close();
    expect(ended.sort()).toEqual([
      [0, 5],
      [1, 3],
      [2, 2],
    ]);
  });

  test("renders a report that is asked for, also of a run that failed", async () => {
    const bench = await createBench();
    const engine = bench.threads(1);
    const report = { format: "json", command: "perplab again" } as const;
    const texts: (string | undefined)[] = [];
    const requests = [
      { job: bench.job(), report },
      { job: bench.job({ mode: "throw" }), report },
      { job: bench.job() },
    ];
    for await (const result of engine.run(requests)) texts.push(result.report);
    await engine.close();
    expect(JSON.parse(texts[0]!)).toMatchObject({ kind: "backtest", run: { command: "perplab again" } });
    expect(JSON.parse(texts[1]!)).toMatchObject({ run: { stopped: { reason: "strategyFailed" } } });
    expect(texts[2]).toBeUndefined();
  });

  test("throws an error that all runs would have: the tape is damaged or has changed, or the strategy has changed", async () => {
    const bench = await createBench();
    const damaged = readFileSync(bench.tapePath);
    damaged[100]! ^= 1;
    for (const make of [bench.local, () => bench.threads(2)]) {
      const engine = make();
      await makeAll(engine, [bench.job()]);
      const other = { ...bench.job(), data: "0".repeat(64) };
      await expect(makeAll(make(), [other])).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
      await expect(makeAll(make(), [{ ...bench.job(), code: "1" }])).rejects.toMatchObject({ code: "CODE_CHANGED" });
    }
    writeFileSync(bench.tapePath, damaged);
    for (const make of [bench.local, () => bench.threads(2)]) {
      await expect(makeAll(make(), [bench.job(), bench.job({ every: 3 })])).rejects.toMatchObject({
        code: "TAPE_CORRUPT",
        hint: "import the sources again",
      });
    }
    writeFileSync(bench.strategyPath, `${readFileSync(bench.strategyPath, "utf8")}\n`);
    await expect(makeAll(bench.threads(1), [bench.job()])).rejects.toMatchObject({ code: "STRATEGY_CHANGED" });
  });

  test("ends early when its signal says so, and when its reader leaves", async () => {
    const bench = await createBench();
    const requests = Array.from({ length: 40 }, (_, at) => ({ job: bench.job({ every: at + 1 }) }));
    for (const engine of [bench.local(), bench.threads(2)]) {
      const stop = new AbortController();
      let seen = 0;
      const read = async () => {
        for await (const _ of engine.run(requests, { signal: stop.signal }))
          if (++seen === 3) stop.abort(new Error("enough"));
      };
      await expect(read()).rejects.toThrow("enough");
      expect(seen).toBe(3);
      for await (const _ of engine.run(requests)) if (++seen === 5) break;
      expect(seen).toBe(5);
      await engine.close();
    }
  });
});

describe("a thread that ends", () => {
  test("is replaced, and its run is made again", async () => {
    const bench = await createBench();
    const marker = join(bench.folder, "died");
    const jobs = [bench.job({ every: 3 }), bench.job({ mode: "exitOnce", marker }), bench.job({ every: 4 })];
    const records = recordsOf(await makeAll(bench.threads(2), jobs));
    expect(records.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "completed"]);
    expect(records[1]!.root).toBe(recordsOf(await makeAll(bench.local(), [bench.job()]))[0]!.root);
  });

  test.each([
    ["by itself", "exit", /ended twice: it ended with code 7/],
    ["for want of memory", "fill", /ended twice: .*memory/],
  ])("twice %s is the failure of that run alone, which is not final", async (_name, mode, message) => {
    const bench = await createBench();
    const jobs = [bench.job({ every: 3 }), bench.job({ mode }), bench.job({ every: 4 }), bench.job({ every: 6 })];
    const records = recordsOf(await makeAll(bench.threads(2), jobs));
    expect(records.map(({ outcome }) => outcome)).toEqual(["completed", "failed", "completed", "completed"]);
    expect(records[1]!.error).toMatchObject({ code: "WORKER_LOST", isFinal: false });
    expect(records[1]!.error!.message).toMatch(message);
  });

  test("because its run does not end is the failure of that run", async () => {
    const bench = await createBench();
    const [only] = recordsOf(await makeAll(bench.threads(1, 1_500), [bench.job({ mode: "loop" })]));
    expect(only!.error).toMatchObject({ code: "RUN_TIMEOUT", isFinal: false });
  });
});
