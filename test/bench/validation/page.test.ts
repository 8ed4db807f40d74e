import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderValidation } from "../../../bench/validation/page.ts";
import { CHECKS, joinResults, type Results } from "../../../bench/validation/results.ts";
import { projectRoot, runNode } from "../../helpers/project.ts";

const written = readFileSync(join(projectRoot, "docs/evidence/validation.json"), "utf8");
const results = JSON.parse(written) as Results;
const page = readFileSync(join(projectRoot, "docs/validation.md"), "utf8");

test("the page is that of the results, and has every check", () => {
  expect(renderValidation(results)).toBe(page);
  expect(CHECKS.filter((name) => results[name] === undefined)).toEqual([]);
});

test("the results have the form in which the command writes them", () => {
  expect(written).toBe(`${JSON.stringify(results, undefined, 2)}\n`);
});

test("a planted figure in the results changes the page", () => {
  const planted = { ...results, vaultFills: { ...results.vaultFills!, fills: 1_234_567 } };
  expect(renderValidation(planted)).toContain("1,234,567 fills");
  expect(page).not.toContain("1,234,567");
});

test("a check without a result has no section", () => {
  const { october: _, ...others } = results;
  expect(renderValidation(others)).not.toContain("10 October 2025");
});

test("a check that was skipped keeps its earlier result", () => {
  const vaultFills = { ...results.vaultFills!, fills: 7 };
  const joined = joinResults(results, { vaultFills });
  expect(joined).toEqual({ ...results, vaultFills });
  expect(Object.keys(joined)).toEqual([...CHECKS]);
});

test("a check that does not exist is refused before anything runs", () => {
  const ended = runNode(["bench/validation/run.ts", "--only", "everything"]);
  expect(ended).toMatchObject({ status: 2, stdout: "" });
  expect(ended.stderr).toContain("there is no check everything; write one of sma, vaultFills");
});

test("every link of the table at the top leads to a title", () => {
  const anchors = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);
  const titles = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(/[^a-z0-9 -]/g, ""),
  );
  expect(anchors).toEqual(titles.map((title) => title.replaceAll(" ", "-")));
  expect(anchors).toHaveLength(CHECKS.length);
});
