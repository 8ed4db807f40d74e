import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareKill, sendKills } from "../../../bench/mutation/sentKill.ts";
import type { KillJob } from "../../../bench/mutation/worker.ts";
import { createContent, dropContents, putContents } from "../../../src/product/cluster/queue/contents.ts";
import { FinalError } from "../../../src/product/cluster/queue/worker.ts";
import { nameOfCase } from "../../../src/proof/fuzz/corpus/corpusFolder.ts";
import { NO_REDIS } from "../../helpers/cluster/redis.ts";
import { createFolder } from "../../helpers/project.ts";
import { openConnection } from "../../product/cluster/queue/helpers.ts";

const withRedis = describe.skipIf(NO_REDIS !== undefined);
if (NO_REDIS !== undefined) test.skip(`cases of mutants in Redis are not tested: ${NO_REDIS}`, () => undefined);

/** A folder with two cases, and jobs of two mutants that share one. */
function makeJobs(): { folder: string; names: readonly string[]; jobs: readonly [KillJob, KillJob] } {
  const folder = createFolder();
  const names = [Buffer.from([0, 255, 10]), Buffer.from("another case")].map((bytes) => {
    const name = nameOfCase(bytes);
    writeFileSync(join(folder, `${name}.case`), bytes);
    return name;
  });
  const [first = "", second = ""] = names;
  const rest = { kind: "kill", files: ["scenarios/x.yaml"], isLoaded: false, folder } as const;
  const jobs = [
    { ...rest, mutant: 1, cases: [[first, "plain"]] },
    {
      ...rest,
      mutant: 2,
      cases: [
        [second, "whole"],
        [first, "plain"],
      ],
    },
  ] as const;
  return { folder, names, jobs };
}

test("a job that is sent names no folder, and a case of two mutants is one text", () => {
  const { folder, jobs } = makeJobs();
  const sent = sendKills(jobs);
  expect(sent.contents).toHaveLength(2);
  expect(sent.contents.map(({ sha256, text }) => createContent(text).sha256 === sha256)).toEqual([true, true]);
  expect(sent.jobs.map(({ texts }) => texts.length)).toEqual([1, 2]);
  expect(sent.jobs[1]!.texts[1]).toBe(sent.jobs[0]!.texts[0]);
  expect(JSON.stringify(sent.jobs)).not.toContain(folder);
});

withRedis("a worker", () => {
  test("has the bytes of every case in its own folder, and asks Redis for those that are not there", async () => {
    const connection = await openConnection();
    const { folder, names, jobs } = makeJobs();
    const sent = sendKills(jobs);
    const own = createFolder();
    await expect(prepareKill(connection, own, sent.jobs[1])).rejects.toMatchObject({ code: "SHARED_MISSING" });
    await putContents(connection, sent.contents);
    expect(await prepareKill(connection, own, sent.jobs[1])).toEqual({ ...jobs[1], folder: own });
    expect(readdirSync(own)).toHaveLength(2);
    for (const name of names) {
      expect(readFileSync(join(own, `${name}.case`))).toEqual(readFileSync(join(folder, `${name}.case`)));
    }
    await dropContents(connection, sent.contents);
    expect(await prepareKill(connection, own, sent.jobs[0])).toEqual({ ...jobs[0], folder: own });
    await expect(prepareKill(connection, createFolder(), sent.jobs[0])).rejects.toMatchObject({
      code: "SHARED_MISSING",
    });
  });

  test("refuses a case with another content than its name, and a name that is a path", async () => {
    const connection = await openConnection();
    const { jobs } = makeJobs();
    const [{ texts: _, ...job }] = sendKills(jobs).jobs as [ReturnType<typeof sendKills>["jobs"][0]];
    const other = createContent(Buffer.from("not this case").toString("base64"));
    await putContents(connection, [other]);
    const own = join(createFolder(), "cases");
    mkdirSync(own);
    const refusal = { failure: { code: "JOB_MALFORMED" } };
    const forged = prepareKill(connection, own, { ...job, texts: [other.sha256] });
    await expect(forged).rejects.toBeInstanceOf(FinalError);
    await expect(forged).rejects.toMatchObject(refusal);
    writeFileSync(join(own, "..", "escaped.case"), "any file");
    const climbing = { ...job, cases: [["../escaped", "plain"]], texts: [other.sha256] };
    await expect(prepareKill(connection, own, climbing)).rejects.toMatchObject(refusal);
    expect(readdirSync(own)).toEqual([]);
  });
});
