import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Figures, findDeepest, renderPage, writeFigures } from "../../bench/explore/page.ts";
import { projectRoot } from "../helpers/project.ts";

const written = readFileSync(join(projectRoot, "docs/evidence/explore.json"), "utf8");
const figures = JSON.parse(written) as Figures;
const { rows } = figures;
const page = readFileSync(join(projectRoot, "docs/evidence/explore.md"), "utf8");

test("the page of explored worlds is that of its figures", () => {
  expect(renderPage(figures)).toBe(page);
  expect(page).toContain("Every check held.");
  expect(page).not.toMatch(/prove/i);
});

test("the figures have the form in which the command writes them", () => {
  expect(writeFigures(figures)).toBe(written);
});

test("the states of a row are those of its depths, and every block led somewhere", () => {
  for (const { world, start, depth, statesAt, states, transitions, merged, unchanged } of rows) {
    expect(statesAt, `${world} ${start}`).toHaveLength(depth + 1);
    expect(statesAt.reduce((sum, count) => sum + count)).toBe(states);
    expect(states - 1 + merged + unchanged).toBe(transitions);
  }
});

test("the page has the deepest exploration of each start", () => {
  const [first, second] = rows;
  const deeper = { ...first!, depth: first!.depth + 1 };
  for (const kept of [
    [deeper, first!, second!],
    [second!, first!, deeper],
  ])
    expect([findDeepest(kept, first!), findDeepest(kept, second!)]).toEqual([deeper, second]);
});

test("a violation, and an invariant without a case, are on the page", () => {
  const [first, ...others] = rows;
  const broken = { ...first!, broken: ["netZero after takes > closes"] };
  const faulty = renderPage({ ...figures, rows: [broken, ...others] });
  expect(faulty).toContain("netZero after takes > closes");
  expect(faulty).not.toContain("Every check held.");
  const quiet = rows.map((row) => ({ ...row, unmet: [...row.unmet, "netZero"] }));
  expect(renderPage({ ...figures, rows: quiet })).toMatch(/had nothing to check: .*`netZero`/);
});
