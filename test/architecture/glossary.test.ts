import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkGlossary, readGlossary, type Term } from "../helpers/glossary.ts";
import { projectRoot } from "../helpers/project.ts";

const read = (file: string) => readFileSync(join(projectRoot, file), "utf8");
const readAll = (pattern: string) => globSync(pattern, { cwd: projectRoot }).sort().map(read).join("\n");

const texts = {
  rulebook: new Map(globSync("docs/spec/*.md", { cwd: projectRoot }).map((file) => [basename(file), read(file)])),
  source: readAll("src/**/*.ts"),
  scenarios: readAll("scenarios/**/*.yaml"),
};

test("every term of the glossary is in the rulebook, in src and in a scenario, and has a rule and a code name", () => {
  const terms = readGlossary(read("docs/reference/glossary.md"));
  expect(terms.length).toBeGreaterThanOrEqual(40);
  expect(checkGlossary(terms, texts)).toEqual([]);
});

describe("a planted fault is found", () => {
  const small = {
    rulebook: new Map([["prices.md", "## PRC-3 Mark methods\n\nThe mark\nprice of a market."]]),
    source: "/** Greatest mark\n * price. */\nconst markPrice = mark;",
    scenarios: "# The mark-price moves.",
  };
  const good: Term = { term: "mark price", rule: "PRC-3", page: "prices.md#prc-3-mark-methods", code: "markPrice" };
  const check = (...terms: Term[]) => checkGlossary(terms, small);

  test("a good row has no fault", () => {
    expect(check(good)).toEqual([]);
  });

  test("a term that occurs nowhere", () => {
    expect(check({ ...good, term: "quanto settlement" })).toEqual([
      "quanto settlement: not in the rulebook",
      "quanto settlement: not in the source",
      "quanto settlement: not in the scenarios",
    ]);
  });

  test("a term that only a generated list of scenarios has", () => {
    const rulebook = new Map([["prices.md", "## PRC-3 Mark methods\n\nScenarios: [the mark price](x.yaml)."]]);
    expect(checkGlossary([good], { ...small, rulebook })).toEqual(["mark price: not in the rulebook"]);
  });

  test("a rule, a heading and a name that do not exist", () => {
    expect(check({ ...good, rule: "PRC-99" })).toEqual(["mark price: prices.md has no rule PRC-99"]);
    expect(check({ ...good, page: "prices.md#prc-3" })).toEqual(["mark price: prices.md has no heading #prc-3"]);
    expect(check({ ...good, code: "priceOfNothing" })).toEqual(["mark price: src has no name priceOfNothing"]);
  });

  test("a term twice, and a line that is no row", () => {
    expect(check(good, good)).toEqual(["mark price: is listed twice"]);
    expect(() => readGlossary("| term | rule |\n| --- | --- |\n| mark price | PRC-3 |")).toThrow(
      "no row of a glossary",
    );
  });
});
