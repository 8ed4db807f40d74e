import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { runScenarioFile } from "../../src/product/scenario/run/runScenario.ts";
import { readCodeBlocks } from "../helpers/pages.ts";
import { createFolder, projectRoot, runNode, writeFiles } from "../helpers/project.ts";

const SECTIONS = "NUM|NET|ACC|TX|NON|VAL|ACT|BLK|ORD|POS|PRC|FND|MRG|LIQ|INT|AUT|MKT|EVT|DET";
const preload = pathToFileURL(join(projectRoot, "test/helpers/selfImports.ts")).href;

interface Rule {
  readonly id: string;
  readonly text: string;
}

/** The rules of a page: a heading of the second level whose first word is an id, with its text. */
function readRules(text: string): Rule[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ id: part.split(/\s/)[0]!, text: part }));
}

const pages = globSync("docs/spec/*.md", { cwd: projectRoot }).sort();
const readPage = (page: string) => readFileSync(join(projectRoot, page), "utf8");
/** The steps of a block are cited by their numbers in its table. */
const steps = [...readPage("docs/spec/blocks.md").matchAll(/^\| ([0-9]) \|/gm)].map(([, step]) => `BLK-${step}`);
const rules = pages.filter((page) => !page.endsWith("README.md")).flatMap((page) => readRules(readPage(page)));

/** What a rule lacks: a worked example, or a reason why there is none. */
function findLack(rule: Rule): string | undefined {
  if (/^```(ts|yaml)$/m.test(rule.text) || /^No worked example/m.test(rule.text)) return undefined;
  return `${rule.id} has neither a worked example nor a line "No worked example…"`;
}

/** Ids in source text that no heading has; the bare name of a section means all of it. */
function findUnknown(text: string, ids: ReadonlySet<string>): string[] {
  const cited = [...text.matchAll(new RegExp(`\\b(${SECTIONS})-[0-9]+\\b`, "g"))].map(([id]) => id);
  return cited.filter((id) => !ids.has(id));
}

// The blocks of a page are modules of one program, so that a page costs one start of Node.
test.each(pages)("the worked examples of %s run", (page) => {
  const blocks = readCodeBlocks(page);
  const folder = createFolder();
  const programs = blocks.filter(({ language }) => language === "ts");
  const names = programs.map(({ place }) => `${place.replace(/\W+/g, "-")}.ts`);
  writeFiles(folder, Object.fromEntries(programs.map(({ text }, at) => [names[at]!, text])));
  writeFiles(folder, { "all.ts": names.map((name) => `await import("./${name}");\n`).join("") });
  const { status, stderr } = runNode(["--import", preload, "all.ts"], { cwd: folder });
  expect(status === 0 ? "" : stderr).toBe("");
  for (const { language, place, text } of blocks) {
    if (language !== "yaml") continue;
    writeFiles(folder, { "scenario.yaml": text });
    const result = runScenarioFile(join(folder, "scenario.yaml"));
    const faults = [...result.faults, ...result.cases.filter(({ status }) => status !== "passed")];
    expect(faults, place).toEqual([]);
    expect(result.status, place).toBe("passed");
  }
});

test("every rule has a worked example, or a reason why it has none", () => {
  expect(rules.map(findLack).filter((lack) => lack !== undefined)).toEqual([]);
  expect(rules.length).toBeGreaterThan(50);
  expect(findLack({ id: "MRG-1", text: "Words." })).toContain("MRG-1");
});

test("no rule has two headings, and each is on the page of its section", () => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => !new RegExp(`^(${SECTIONS})(-[0-9]+)?$`).test(id))).toEqual([]);
  for (const page of pages) {
    const sections = new Set(readRules(readPage(page)).map(({ id }) => id.split("-")[0]));
    if (!page.endsWith("README.md")) expect([...sections].length, page).toBeLessThanOrEqual(1);
  }
});

describe("rules that are cited are rules that there are", () => {
  const ids = new Set([...rules.map(({ id }) => id), ...steps]);

  test("in the source", () => {
    const files = globSync("src/**/*.ts", { cwd: projectRoot });
    const unknown = files.flatMap((file) => findUnknown(readPage(file), ids).map((id) => `${file}: ${id}`));
    expect(unknown).toEqual([]);
  });

  test("in scenarios", () => {
    const files = globSync("scenarios/**/*.yaml", { cwd: projectRoot });
    const unknown = files.flatMap((file) => findUnknown(readPage(file), ids).map((id) => `${file}: ${id}`));
    expect(unknown).toEqual([]);
  });

  test("a planted one is found", () => {
    expect(findUnknown("as MRG-3 and MRG-99 say", ids)).toEqual(["MRG-99"]);
  });
});

test("every link of the rulebook has a target", () => {
  const broken = pages.flatMap((page) =>
    [...readPage(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(projectRoot, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});
