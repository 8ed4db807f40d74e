import { expect, test } from "vitest";
import type { Context } from "../../../../src/cli/command.ts";
import { runCells } from "../../../../src/cli/commands/sweep/runCells.ts";
import type { Runs } from "../../../../src/cli/runs/openRuns.ts";
import type { RunEngine } from "../../../../src/product/research/runs/engine.ts";
import type { RunResult } from "../../../../src/product/research/runs/record.ts";
import type { SweepPlan } from "../../../../src/product/research/sweep/planSweep.ts";

const COUNT = 12;
const job = (at: number) => ({ strategies: [{ strategy: "s", params: { at } }] });
const plan = {
  axes: [],
  cells: Array.from({ length: COUNT }, (_, at) => ({ point: [at], job: job(at), hash: `h${at}` })),
} as unknown as SweepPlan;
const terminal = { interactive: false, err: () => undefined };
const context = { terminal, call: () => "again" } as unknown as Context;

function resultOf(at: number, root: string): RunResult {
  const record = { hash: `h${at}`, job: job(at), root, head: "", outcome: "completed", error: null };
  return { record: { ...record, metrics: {}, strategies: [], daily: null } } as unknown as RunResult;
}

/**
 * Engines of a sweep of which some runs are made.
 *
 * @param ends how many runs are made before all of them fail
 * @param root of a run that is made again
 */
function openEngines(isQueued: boolean, ends = COUNT, root = "r") {
  const seen = { done: 0, checkedAt: -1, params: {}, isStopped: false };
  const engine: RunEngine = {
    async *run(_requests, { onDone } = {}) {
      for (let at = 0; at < ends; at++) {
        const result = resultOf(at, "r");
        seen.done++;
        onDone?.(result, at);
        yield result;
      }
      if (ends < COUNT) throw new Error("no worker is left");
    },
    close: async () => undefined,
  };
  const fresh: RunEngine = {
    async *run(requests, { signal } = {}) {
      seen.checkedAt = seen.done;
      seen.params = [...requests][0]!.job.strategies[0]!.params;
      signal?.addEventListener("abort", () => (seen.isStopped = true));
      yield resultOf(0, root);
    },
    close: async () => undefined,
  };
  return { seen, runs: { engine, fresh, workers: 1, isQueued } as unknown as Runs };
}

test("with a queue the check begins with the tenth new run, and else after the last", async () => {
  const queued = openEngines(true);
  const threads = openEngines(false);
  await (await runCells(context, queued.runs, plan, undefined)).checked;
  await (await runCells(context, threads.runs, plan, undefined)).checked;
  expect(queued.seen).toMatchObject({ checkedAt: 10, params: { at: 9 }, isStopped: false });
  expect(threads.seen).toMatchObject({ checkedAt: COUNT, params: { at: 0 }, isStopped: false });
});

test.each([true, false])(
  "a run that has another result the second time fails the check; queue: %s",
  async (isQueued) => {
    const { checked } = await runCells(context, openEngines(isQueued, COUNT, "other").runs, plan, undefined);
    await expect(checked).rejects.toMatchObject({ code: "STRATEGY_STATEFUL" });
  },
);

test("where all runs fail, the check is dropped", async () => {
  const { seen, runs } = openEngines(true, 11);
  await expect(runCells(context, runs, plan, undefined)).rejects.toThrow("no worker is left");
  expect(seen).toMatchObject({ checkedAt: 10, isStopped: true });
});
