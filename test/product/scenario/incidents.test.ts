import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createReadLine } from "../../../src/product/scenario/reporters/excerpt.ts";
import { renderHtml } from "../../../src/product/scenario/reporters/html.ts";
import { parseSource } from "../../../src/product/scenario/reporters/incidentSource.ts";
import { chapterOf } from "../../../src/product/scenario/reporters/ruleChapters.ts";
import { runScenarioFile } from "../../../src/product/scenario/run/runScenario.ts";
import { projectRoot } from "../../helpers/project.ts";

const FILE = "scenarios/incidents/drift-luna-2022.yaml";
const incident = { ...runScenarioFile(join(projectRoot, FILE)), file: FILE };
const plain = { ...runScenarioFile(join(projectRoot, "scenarios/orders/price-then-time.yaml")), file: "orders.yaml" };
const readLine = createReadLine(() => "");

test("a source is split into date, venue, damage and evidence, as far as it has them", () => {
  expect(parseSource("2022-10-11, Mango Markets, about 114 M USD (perpprotocol.mirror; soliduslabs)")).toEqual({
    date: "2022-10-11",
    venue: "Mango Markets",
    lost: "about 114 M USD",
    evidence: "perpprotocol.mirror; soliduslabs",
  });
  expect(parseSource("2025-03-26, Hyperliquid JELLY (statement)")).toMatchObject({
    venue: "Hyperliquid JELLY",
    lost: undefined,
  });
  expect(parseSource("2026-01-19, Paradex, 650,000 USD, rolled back").lost).toBe("650,000 USD, rolled back");
  expect(parseSource("vega issue 9619")).toMatchObject({
    date: undefined,
    venue: undefined,
    evidence: "vega issue 9619",
  });
});

test("every incident of the repository that has a date has a venue", () => {
  let dated = 0;
  for (const file of globSync("scenarios/incidents/*.yaml", { cwd: projectRoot })) {
    const source = /^source: (.*)$/m.exec(readFileSync(join(projectRoot, file), "utf8"))?.[1] ?? "";
    const { date, venue } = parseSource(source);
    expect(/^\d{4}-/.test(source)).toBe(date !== undefined);
    if (date === undefined) continue;
    dated++;
    expect(venue).toMatch(/^[A-Za-z]/);
  }
  expect(dated).toBeGreaterThan(10);
});

test("the course of an incident is what the blocks of each of its cases did", () => {
  const [weak, byDefault] = incident.cases.map(({ course }) => course!);
  expect(Number(weak!.badDebt)).toBeGreaterThan(0);
  expect(byDefault!.badDebt).toBe("0");
  expect(weak!.steps.at(-1)!.height).toBe(incident.cases[0]!.blocks);
  for (const { marks, heights } of weak!.marks) {
    expect(marks.length).toBe(heights.length);
    expect(marks.length).toBeGreaterThan(1);
  }
  // A file without a story has none: its page shows none.
  expect(plain.cases[0]!.course).toBeUndefined();
});

test("an incident is a card with its date, damage, bars, path, timeline and rules", () => {
  const page = renderHtml([plain, incident], readLine);
  expect(page.match(/<article class="card good"/g)).toHaveLength(1);
  expect(page).toContain("<time>2022-05-11</time> · Drift Protocol v1");
  expect(page).toContain('<p class="lost">shortfall 14.55 M USD beyond the fund</p>');
  expect(page).toContain('class="group">Bad debt, USD</th>');
  expect(page).toMatch(/<path class="line down" d="M[\d. HV]+"\/>/);
  expect(page).toContain("<summary>Timeline, ");
  for (const rule of incident.rules) {
    expect(page).toContain(`href="#rule-${rule}"`);
    expect(page).toContain(`id="rule-${rule}"`);
  }
});

test("markup in a story stays text", () => {
  const hostile = "</p><script>alert(1)</script>";
  const damaged = {
    ...incident,
    name: hostile,
    story: hostile,
    source: `2022-01-01, ${hostile}, ${hostile} (${hostile})`,
  };
  const page = renderHtml([{ ...damaged, file: hostile, rules: [hostile] }], readLine);
  expect(page).not.toContain("<script>alert");
  expect(page.match(/<script/g)).toHaveLength(2);
});

test("every letter of rules has its page of the rulebook", () => {
  const text = readFileSync(join(projectRoot, "docs/spec/README.md"), "utf8");
  const letters = new Set([...text.matchAll(/\b([A-Z]{2,3})-\d/g)].map(([, found]) => found!));
  for (const file of globSync("docs/spec/*.md", { cwd: projectRoot }))
    for (const [, found] of readFileSync(join(projectRoot, file), "utf8").matchAll(/^#+ ([A-Z]{2,3})-\d/gm)) {
      letters.add(found!);
      expect(chapterOf(`${found}-1`)).toBe(file);
    }
  expect(letters.size).toBeGreaterThan(10);
  for (const letter of letters) expect(existsSync(join(projectRoot, chapterOf(letter)))).toBe(true);
});
