import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createJobWorker } from "../../../src/cli/jobs/createJobWorker.ts";
import { KINDS } from "../../../src/cli/jobs/kinds.ts";
import { createLocalJobs } from "../../../src/product/jobs/localJobs.ts";
import { createThreadJobs } from "../../../src/product/jobs/threads/threadJobs.ts";
import { formatScenario } from "../../../src/product/scenario/lint/formatScenario.ts";
import { lintScenario } from "../../../src/product/scenario/lint/lintScenario.ts";
import { updateGolden } from "../../../src/product/scenario/lint/updateGolden.ts";
import { findScenarioFiles } from "../../../src/product/scenario/run/findFiles.ts";
import { runFiles, shardFiles } from "../../../src/product/scenario/run/runFiles.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";
import { HEAD } from "./helpers.ts";

const files = findScenarioFiles([`${projectRoot.replaceAll("\\", "/")}/scenarios`]).files;

test("every committed scenario is formatted, and has no lint findings", () => {
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    expect(formatScenario(text), file).toBe(text);
    expect(lintScenario(file), file).toEqual({ file, faults: [], advice: [] });
  }
});

test("lint reports weak spots", () => {
  const advice = (text: string) => lintScenario("test.yaml", () => text).advice.map(({ message }) => message);
  expect(advice(`${HEAD}blocks:\n  - {}\n`)).toEqual([
    "no sentence",
    "no rules",
    "a block without effect",
    "nothing is expected",
  ]);
  const label = "blocks:\n  - transactions:\n      - alice: buy 1 @ 99 as bid\n    expect: { fills: none }\n";
  expect(advice(`# Why.\n${HEAD}rules: [ORD-1]\n${label}`)).toEqual(["nothing uses the label bid"]);
  const tolerance = "expect: { insurance: { approx: '1', within: '1' } }";
  expect(advice(`# Why.\n${HEAD}rules: [ORD-1]\nblocks: []\n${tolerance}\n`)).toEqual(["a tolerance without why"]);
});

test("the form sorts keys and keeps comments, lists without inner space and texts as they are", () => {
  const text = `# A sentence.\nrules: [ ORD-1,   ORD-2 ] # why\nscenario: "a [ b ]"\nblocks:\n- expect: {insurance: "0"}\n  name: one\n- {}\n`;
  expect(formatScenario(text)).toBe(
    '# A sentence.\nscenario: "a [ b ]"\nrules: [ORD-1, ORD-2] # why\nblocks:\n  - name: one\n    expect: { insurance: "0" }\n\n  - {}\n',
  );
  expect(formatScenario(formatScenario(text))).toBe(formatScenario(text));
  expect(formatScenario("a: [")).toBe("a: [");
});

test("a list that is broken over lines keeps the place of its closing bracket", () => {
  const leg = "{ taker: alice, maker: bob, size: '1', price: '100' }";
  const text = `# A sentence.\n${HEAD}blocks:\n  - expect:\n      fills: [${leg}, ${leg}, ${leg}]\n`;
  const formed = formatScenario(text);
  expect(formed).toContain("\n        ]\n");
  expect(formatScenario(formed)).toBe(formed);
  expect(parse(formed)).toEqual(parse(text));
});

test("another golden root changes nothing else of a file", () => {
  const text = `# Why.\n${HEAD}golden: { root: "0x00" } # kept\nblocks:   []\n`;
  expect(updateGolden(text, "0xff")).toBe(text.replace("0x00", "0xff"));
  expect(updateGolden(HEAD, "0xff")).toBeUndefined();
});

test("results are in the order of the files, whatever the number of threads; shards are a partition", async () => {
  const few = files.slice(0, 6);
  const plain = (results: Awaited<ReturnType<typeof runFiles>>) =>
    results.map(({ durationMs: _time, cases, ...rest }) => ({
      ...rest,
      cases: cases.map(({ durationMs: _caseTime, ...found }) => found),
    }));
  const run = async (workers: number) => {
    const engine = createThreadJobs({ workers, create: createJobWorker, limitMs: 600_000 });
    onTestFinished(() => engine.close());
    return plain(await runFiles(few, engine));
  };
  const here = plain(await runFiles(few, createLocalJobs(KINDS)));
  expect(await run(1)).toEqual(here);
  expect(await run(3)).toEqual(here);
  const shards = [1, 2, 3].flatMap((index) => shardFiles(files, { index, count: 3 }));
  expect(shards.sort()).toEqual([...files].sort());
});

test("folders mean their files, except those named lib", () => {
  const folder = createFolder({ "a.yaml": HEAD, "lib/b.yaml": HEAD, "c/d.json": "{}", "e.txt": "" });
  const found = findScenarioFiles([folder, `${folder}/a.yaml`, `${folder}/gone`]);
  expect(found.files.map((file) => file.slice(folder.length + 1))).toEqual(["a.yaml", "c/d.json"]);
  expect(found.empty).toEqual([`${folder}/gone`]);
});
