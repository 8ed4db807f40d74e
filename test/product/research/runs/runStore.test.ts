import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunStore } from "../../../../src/product/research/runs/runStore.ts";
import { createStoredEngine } from "../../../../src/product/research/runs/storedEngine.ts";
import { createBench, makeAll } from "./helpers.ts";

async function open() {
  const bench = await createBench(60);
  const damages: string[] = [];
  const store = new RunStore(join(bench.folder, "store"), (path, reason) => damages.push(`${path}: ${reason}`));
  const make = async (...every: number[]) => {
    const results = await makeAll(
      createStoredEngine(bench.local(), store),
      every.map((one) => bench.job({ every: one })),
    );
    return results.map(({ record, isKept = false }) => ({ root: record.root, record, isKept }));
  };
  return { bench, store, damages, make };
}

describe("an engine with a store", () => {
  test("makes only new runs, and returns all in the order of the jobs", async () => {
    const { make } = await open();
    const first = await make(5, 3);
    const second = await make(2, 3, 5, 7, 3);
    expect(first.map(({ isKept }) => isKept)).toEqual([false, false]);
    expect(second.map(({ isKept }) => isKept)).toEqual([false, true, true, false, true]);
    expect(second[2]!.record).toEqual(first[0]!.record);
    expect(second.map(({ record }) => record.job.strategies[0]!.params["every"])).toEqual([2, 3, 5, 7, 3]);
  });

  test("makes equal jobs once, even if some leave options to their defaults", async () => {
    const { bench, store } = await open();
    const jobs = [bench.job(), bench.job({}, { leverage: 1, latencyMs: 100 }), bench.job({}, { leverage: 2 })];
    const results = await makeAll(createStoredEngine(bench.local(), store), jobs);
    expect(results.map(({ isKept = false }) => isKept)).toEqual([false, true, false]);
    expect(new Set(results.map(({ record }) => record.hash)).size).toBe(2);
  });

  test.each([
    ["a byte that was changed", (text: string) => text.replace('"completed"', '"completee"'), "its checksum differs"],
    ["half of it", (text: string) => text.slice(0, text.length / 2), "its checksum differs"],
    ["nothing", () => "", "it is not a record of a run"],
    ["another file", () => "hello\n", "it is not a record of a run"],
  ])("refuses a record with %s in one line, and makes it again", async (_name, damage, reason) => {
    const { store, damages, make } = await open();
    const [before] = await make(5, 3);
    const path = store.pathOf(before!.record.hash);
    const whole = readFileSync(path, "utf8");
    writeFileSync(path, damage(whole));
    const again = await make(5, 3);
    expect(again.map(({ isKept }) => isKept)).toEqual([false, true]);
    expect(damages).toEqual([`${path}: ${reason}`]);
    expect(readFileSync(path, "utf8")).toBe(whole);
  });

  test("refuses the record of another run under its name", async () => {
    const { store, damages, make } = await open();
    const [first, second] = await make(5, 3);
    writeFileSync(store.pathOf(first!.record.hash), readFileSync(store.pathOf(second!.record.hash)));
    expect((await make(5))[0]!.root).toBe(first!.root);
    expect(damages).toEqual([expect.stringContaining("it is the record of another run")]);
  });

  test("keeps finished records when a later record cannot be written", async () => {
    const { bench, store, make } = await open();
    const full = new RunStore(store.folder, () => undefined);
    const write = full.write.bind(full);
    let left = 1;
    full.write = (record) => {
      if (left-- === 0) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" });
      write(record);
    };
    const jobs = [5, 3, 2].map((every) => bench.job({ every }));
    await expect(makeAll(createStoredEngine(bench.threads(1), full), jobs)).rejects.toMatchObject({ code: "ENOSPC" });
    expect((await make(5, 3, 2)).map(({ isKept }) => isKept)).toEqual([true, false, false]);
    expect(readdirSync(store.folder, { recursive: true }).filter((name) => String(name).endsWith(".part"))).toEqual([]);
  });

  test("does not store a run that another attempt may make", async () => {
    const { bench, store } = await open();
    const job = bench.job({ mode: "exit" });
    const run = () => makeAll(createStoredEngine(bench.threads(1), store), [job, job]);
    const first = await run();
    expect(first.map(({ record }) => record.error?.code)).toEqual(["WORKER_LOST", "WORKER_LOST"]);
    expect(store.read(first[0]!.record.hash)).toBeUndefined();
  });
});
