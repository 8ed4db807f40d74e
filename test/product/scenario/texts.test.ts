import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createColors } from "../../../src/cli/terminal.ts";
import { createLocalJobs } from "../../../src/product/jobs/localJobs.ts";
import { compileScenario } from "../../../src/product/scenario/compile/compileScenario.ts";
import { ScenarioError } from "../../../src/product/scenario/faults.ts";
import { readTextFile } from "../../../src/product/scenario/parse/include.ts";
import { REPORTERS } from "../../../src/product/scenario/reporters/list.ts";
import { findScenarioFiles } from "../../../src/product/scenario/run/findFiles.ts";
import { createScenarioKind, runFiles } from "../../../src/product/scenario/run/runFiles.ts";
import { runScenarioFile } from "../../../src/product/scenario/run/runScenario.ts";
import { readTexts } from "../../../src/product/scenario/run/texts.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";
import { FILE, freeze, logOf } from "./freezeHelpers.ts";
import { HEAD } from "./helpers.ts";

const jobs = () => createLocalJobs({ scenario: async () => createScenarioKind(async () => []) });
const plain = (text: string) => text.replaceAll(/ time="[\d.]+"/g, "");

/** What every reporter makes of files: run from the disk, and run from texts while the files are away. */
async function compare(folder: string, files: readonly string[]) {
  const here = files.map((file) => runScenarioFile(file));
  const parts = files.map((file) => ({ file, texts: readTexts(file) }));
  rmSync(folder, { recursive: true });
  const [away] = [await jobs().run({ kind: "scenario", shared: "", parts })];
  const results = away.map((text) => JSON.parse(text));
  const context = { paint: createColors({ color: false }), readLine: () => undefined };
  for (const [name, render] of Object.entries(REPORTERS)) {
    const report = render as (found: unknown, with_: unknown) => string;
    expect(plain(report(results, context)), name).toBe(plain(report(here, context)));
  }
  return here;
}

const GOOD = `# What holds.\n${HEAD}rules: [ORD-1]\nblocks:\n  - transactions:\n      - alice: noop\n    expect: { insurance: "0" }\n`;

test("the texts of a scenario are all that its compilation reads, for committed files", () => {
  const { files } = findScenarioFiles([`${projectRoot.replaceAll("\\", "/")}/scenarios`]);
  const reading = files.filter((file, at) => at % 10 === 0 || /^(include|golden|start):/m.test(readTextFile(file)));
  expect(reading.length).toBeGreaterThan(50);
  for (const file of reading) {
    const texts = readTexts(file);
    const read = (path: string) => {
      const text = texts[path];
      if (text === undefined) throw new Error(`${file} reads ${path}, which is not among its texts`);
      return text;
    };
    compileScenario(file, read);
    for (const [path, text] of Object.entries(texts)) expect(text, path).toBe(readTextFile(path));
  }
});

test("files that pass, fail, cannot run, include others or have a golden state give the same reports from texts", async () => {
  const golden = GOOD.replace("blocks:", `golden: { root: "0x${"1".repeat(64)}" }\nblocks:`);
  const folder = createFolder({
    "good.yaml": GOOD,
    "bad.yaml": GOOD.replace('insurance: "0"', 'insurance: "1"'),
    "invalid.yaml": "scenario: 7\nmarkts: {}\n",
    "no.yaml": "a: [",
    "including.yaml": `include: [lib/head.yaml]\nrules: [ORD-1]\nblocks:\n  - transactions:\n      - alice: noop\n`,
    "lib/head.yaml": HEAD,
    "lost.yaml": `include: [lib/gone.yaml]\n${GOOD}`,
    "golden.yaml": golden,
    "golden.state": '{ "insurance": "7" }',
    "story.yaml": `story: a story\n${GOOD}`,
    "cases.yaml": GOOD.replace("blocks:", 'params: { n: ["0", "1"] }\nblocks:').replace('"0" }', '"$' + '{n}" }'),
  });
  const files = ["bad", "cases", "golden", "good", "including", "invalid", "lost", "no", "story"].map((name) =>
    join(folder, `${name}.yaml`),
  );
  const found = await compare(folder, files);
  expect(found.map(({ status }) => status)).toEqual([
    "failed",
    "failed",
    "failed",
    "passed",
    "passed",
    "invalid",
    "invalid",
    "invalid",
    "passed",
  ]);
  expect(found[2]!.cases[0]!.failures[0]!.hint).toContain('the first difference is insurance: "7" and "0"');
});

test("a scenario that starts from a stored venue is sent with it", async () => {
  const { log } = logOf("orders/cancel-frees-reserve.yaml");
  const { text, snapshot } = freeze(log, 2, 2);
  const folder = createFolder({ [FILE]: text, [snapshot.path]: snapshot.text });
  const file = join(folder, FILE);
  expect(Object.keys(readTexts(file)).sort()).toEqual([file, join(folder, snapshot.path)].sort());
  const [found] = await compare(folder, [file]);
  expect(found!.status).toBe("passed");
});

test("an invalid file that is its own include sends what can be read", () => {
  const folder = createFolder({ "a.yaml": `include: [a.yaml]\n${GOOD}` });
  const file = join(folder, "a.yaml");
  expect(Object.keys(readTexts(file))).toEqual([file]);
  expect(() => compileScenario(file)).toThrow(ScenarioError);
});

test("the job of a file has its name, and its texts only where they are sent", async () => {
  const folder = createFolder({ "a.yaml": GOOD });
  const file = join(folder, "a.yaml");
  const parts: unknown[] = [];
  const engine = jobs();
  const spy = {
    run(batch: Parameters<typeof engine.run>[0]) {
      parts.push(...batch.parts);
      return engine.run(batch);
    },
    close: engine.close,
  };
  let done = 0;
  await runFiles([file], spy, { onDone: () => done++ });
  await runFiles([file], spy, { isRemote: true });
  expect(parts).toEqual([
    { file, texts: null },
    { file, texts: { [file]: GOOD } },
  ]);
});
