import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProse, isChecked, judgeProse, type ProseRules } from "../../scripts/prose.ts";
import { findLongSentences, isMeasured, WORDS_MOST } from "../../scripts/sentences.ts";
import { projectRoot } from "../helpers/project.ts";

const rules = JSON.parse(readFileSync(join(projectRoot, "scripts/prose.json"), "utf8")) as ProseRules;
const find = (text: string, file = "src/venue/planted.ts") =>
  findProse(file, text, rules).map(({ line, found }) => `${line} ${found}`);

describe("a planted fault is found", () => {
  test.each([
    ["/** The account is told of it. */", "1 told"],
    ["// Nobody may.", "1 Nobody"],
    ["\nconst toldAgain = 1;", "2 toldAgain"],
    ['const text = "the bucket is empty";', "1 bucket"],
    ["const text = `order stands`;", "1 stands"],
    ["/** The zero price. */", "1 zero price"],
    ["/** Its initial requirement. */", "1 initial requirement"],
  ])("%s", (text, found) => {
    expect(find(text)).toEqual([found]);
  });

  test("in a page, and in the title of a scenario", () => {
    expect(find("An order stands.\n", "docs/guides/planted.md")).toEqual(["1 stands"]);
    expect(find("scenario: whoever pays\n", "scenarios/orders/planted.yaml")).toEqual(["1 whoever"]);
  });
});

describe("what looks alike is allowed", () => {
  test.each([
    ["import { x } from './beside.ts';"],
    ["/** A service behind a reverse proxy. */"],
    ["/** A reader that falls behind. */"],
    ["const understands = 1;"],
    ["/** Calls `told`. */"],
  ])("%s", (text) => {
    expect(find(text)).toEqual([]);
  });

  test("the words of a page's code and links, and pages that keep their words", () => {
    expect(find("See `told` and [this](beside.md).\n", "docs/guides/planted.md")).toEqual([]);
    expect(isChecked("docs/evidence/defects.md")).toBe(false);
    expect(isChecked("docs/adr/0001-whole-numbers-at-most-9e15.md")).toBe(true);
  });
});

test("a folder that is open may have as many uses as it is listed with, and no more", () => {
  const fault = { file: "src/open/a.ts", line: 1, found: "told", write: "emitted" };
  const judge = (most: number) => judgeProse([fault, fault], { ...rules, open: [{ path: "src/open/", most }] });
  expect(judge(2).refused).toEqual([]);
  expect(judge(1).refused).toEqual(["src/open/: 2 uses instead of at most 1"]);
  expect(judgeProse([fault], { ...rules, open: [] }).refused).toEqual(["src/open/a.ts:1 told: write emitted"]);
});

test("every exception has a reason", () => {
  for (const { reason } of [...rules.allowed, ...rules.files]) expect(reason.length).toBeGreaterThan(10);
});

describe("a sentence of the README, the guides, the rulebook or the decisions", () => {
  const words = (count: number) => `The ${"very ".repeat(count - 2)}end.`;
  const find = (text: string) => findLongSentences(text).map(({ line, words: count, start }) => [line, count, start]);
  const long = [WORDS_MOST + 1, "The very very very very very"];

  test("is found at its line if it has one word too many", () => {
    expect(find(`# Page\n\nShort. ${words(WORDS_MOST)}\n`)).toEqual([]);
    expect(find(`# Page\n\nShort.\n${words(WORDS_MOST + 1)} Short.\n`)).toEqual([[4, ...long]]);
    expect(find(`- Short.\n- Short.\n  ${words(WORDS_MOST + 1)}\n`)).toEqual([[3, ...long]]);
    expect(find(`1. ${words(WORDS_MOST + 1)}\n`)).toEqual([[1, ...long]]);
  });

  test("has one word for code, and the words of a link's text", () => {
    expect(find(`\`${words(WORDS_MOST)}\` ${words(WORDS_MOST - 1)}`)).toEqual([]);
    expect(find(`[One](${"long/".repeat(40)}page.md) ${words(WORDS_MOST - 1)}`)).toEqual([]);
    expect(find(`[One two](page.md) and ${words(WORDS_MOST - 2)}`)).toEqual([
      [1, WORDS_MOST + 1, "[One two](page.md) and The very very"],
    ]);
  });

  test("is not a block of code, a table, a heading, or two items of a list", () => {
    const sentence = words(WORDS_MOST + 1);
    expect(find(`# ${sentence}\n\n| ${sentence} |\n\n\`\`\`ts\n${sentence}\n\`\`\`\n\n    ${sentence}\n`)).toEqual([]);
    expect(find(`- ${words(20).slice(0, -1)}\n- ${words(20)}\n`)).toEqual([]);
  });

  test("is measured on these pages", () => {
    const measured = [
      "README.md",
      "data/README.md",
      "docs/architecture.md",
      "docs/guides/sdk.md",
      "docs/spec/orders.md",
      "docs/adr/README.md",
      "docs/adr/0001-whole-numbers-at-most-9e15.md",
    ];
    expect(measured.filter((page) => !isMeasured(page))).toEqual([]);
    expect(["docs/reference/cli.md", "bench/README.md"].filter(isMeasured)).toEqual([]);
  });
});
