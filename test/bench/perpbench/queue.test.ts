import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";
import { createFolder } from "../../helpers/project.ts";
import { BenchProgram } from "../benchProgram.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`planted bugs on a queue are not tested: ${NO_REDIS}`, () => undefined);

const SMALL = ["--bugs", "8,28,41", "--methods", "search,explore", "--depth", "1", "--seeds", "1", "--budget", "1000"];

function startBench(folder: string, name: string, ...words: string[]): BenchProgram {
  const files = ["--results", join(folder, `${name}.jsonl`), "--out", join(folder, name)];
  return new BenchProgram(["bench/perpbench/run.ts", ...SMALL, ...files, ...words]);
}

/** The report without its times. */
async function reportOf(folder: string, name: string, program: BenchProgram): Promise<unknown> {
  expect(await program.ended, program.text).toBe(0);
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"), (key, value) =>
    key === "cpuSeconds" ? undefined : value,
  );
}

withRedis("planted bugs with --redis", () => {
  test("have the report of processes; the same command again takes what is there, also without a worker", async () => {
    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const folder = createFolder();
    const expected = await reportOf(folder, "processes", startBench(folder, "processes", "--workers", "1"));
    expect(expected).toMatchObject({
      withoutBug: { falseAlarms: [] },
      rows: expect.arrayContaining([
        expect.objectContaining({
          bug: 8,
          cells: expect.objectContaining({ explore: expect.objectContaining({ depth: 1 }) }),
        }),
      ]),
    });
    const worker = new BenchProgram(["bench/worker.ts", "perpbench", "--redis", redis.url, "--concurrency", "2"]);
    expect(await reportOf(folder, "queue", startBench(folder, "queue", "--redis", redis.url))).toEqual(expected);
    worker.child.kill("SIGTERM");
    expect(await worker.ended, worker.text).toBe(0);
    expect(worker.text).toMatch(/ended, \d+ jobs done/);
    expect(await reportOf(folder, "again", startBench(folder, "again", "--redis", redis.url))).toEqual(expected);
  });

  test.each([
    [["bench/worker.ts", "perpbench"], 2, "--redis is missing"],
    [["bench/worker.ts", "toString", "--redis", "redis://127.0.0.1:1"], 2, "name a bench: perpbench"],
    [["bench/worker.ts", "perpbench", "more", "--redis", "redis://127.0.0.1:1"], 2, "perpbench has no option more"],
    [["bench/worker.ts", "perpbench", "--redis", "redis://127.0.0.1:1"], 1, "REDIS_UNREACHABLE"],
    [["bench/perpbench/run.ts", ...SMALL, "--redis", "nowhere"], 1, "REDIS_URL"],
  ])("%j ends with one error", async (words, code, reason) => {
    const program = new BenchProgram([...words, ...(words[0] === "bench/worker.ts" ? [] : ["--out", createFolder()])]);
    expect(await program.ended).toBe(code);
    expect(program.text).toContain(reason);
    expect(program.text).not.toContain("    at ");
  });
});
