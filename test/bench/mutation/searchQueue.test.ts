import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { NO_REDIS, TestRedis } from "../../helpers/cluster/redis.ts";
import { createFolder } from "../../helpers/project.ts";
import { BenchProgram } from "../benchProgram.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`mutants of the search on a queue are not tested: ${NO_REDIS}`, () => undefined);

const SMALL = ["--mutants", "20", "--grow", "2e3", "--looks", "2", "--cases", "3", "--transactions", "300"];
/** Some thirty mutants. */
const ONLY = ["--only", "venue/engine/m"];

function startSearch(folder: string, name: string, ...words: string[]): BenchProgram {
  const files = ["--results", join(folder, `${name}.jsonl`), "--out", join(folder, name)];
  return new BenchProgram(["bench/mutation/run.ts", ...SMALL, ...ONLY, ...files, ...words]);
}

/** The bytes of page and report. */
async function readReport(folder: string, name: string, program: BenchProgram): Promise<string[]> {
  expect(await program.ended, program.text).toBe(0);
  return ["md", "json"].map((ending) => readFileSync(join(folder, `${name}.${ending}`), "utf8"));
}

withRedis("the search oracle with --redis", () => {
  // Goal: who tries the mutants decides nothing. Method: campaigns and runs without a mutant are made once, since they
  // stay with the command. The mutants are tried by one process, by two, by one worker, and by two of which one is
  // killed between two results.
  test("writes the bytes that processes write, also if a worker is killed", async () => {
    const folder = createFolder();
    const expected = await readReport(folder, "one", startSearch(folder, "one", "--workers", "1"));
    const [page = ""] = expected;
    expect(Number(/killed: (\d+) of/.exec(page)?.[1]), page).toBeGreaterThan(9);
    expect(page).toMatch(/survived: [1-9]/);
    const lines = readFileSync(join(folder, "one.jsonl"), "utf8").split("\n");
    const first = lines.filter((line) => !line.includes('"kind":"kill"')).join("\n");
    expect(first.length).toBeGreaterThan(1_000);
    const start = (name: string, ...words: string[]) => {
      writeFileSync(join(folder, `${name}.jsonl`), first);
      return startSearch(folder, name, ...words);
    };
    expect(await readReport(folder, "two", start("two", "--workers", "2"))).toEqual(expected);

    const redis = await TestRedis.start();
    onTestFinished(() => redis.close());
    const startWorker = () => {
      const queue = ["--redis", redis.url, "--concurrency", "1", "--takeover", "2"];
      return new BenchProgram(["bench/worker.ts", "mutation-search", "20", "1", ...queue]);
    };
    const queued = start("queued", "--redis", redis.url);
    await expect.poll(() => queued.text, { timeout: 60_000 }).toContain("bench/worker.ts mutation-search 20 1 --redis");
    const worker = startWorker();
    expect(await readReport(folder, "queued", queued)).toEqual(expected);
    worker.child.kill("SIGTERM");
    expect(await worker.ended, worker.text).toBe(0);
    expect(worker.text).toMatch(/ended, [1-9]\d+ jobs done/);

    const other = await TestRedis.start();
    onTestFinished(() => other.close());
    const queue = ["--redis", other.url, "--concurrency", "1", "--takeover", "2"];
    const [killed, living] = [0, 1].map(
      () => new BenchProgram(["bench/worker.ts", "mutation-search", "20", "1", ...queue]),
    );
    const isReady = (text = "") => text.includes("jobs at once");
    await expect.poll(() => isReady(killed?.text) && isReady(living?.text), { timeout: 60_000 }).toBe(true);
    const disturbed = start("disturbed", "--redis", other.url);
    await expect.poll(() => disturbed.text, { timeout: 60_000 }).toMatch(/\d+\/\d+ venue/);
    killed!.child.kill("SIGKILL");
    expect(await readReport(folder, "disturbed", disturbed)).toEqual(expected);
    expect(living!.child.exitCode).toBe(null);
  });
});
