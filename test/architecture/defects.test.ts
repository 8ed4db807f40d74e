import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDefectLines } from "../../scripts/defects.ts";
import { projectRoot } from "../helpers/project.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");

test("the page of defects has a line for each regression scenario and each planted defect, and no other scenarios", () => {
  const files = globSync("scenarios/**/*.yaml", { cwd: projectRoot }).map((file) => file.replaceAll("\\", "/"));
  const isPlanted = new Map(files.map((file) => [file, /^defect:/m.test(read(file))]));
  expect(checkDefectLines(read("docs/evidence/defects.md"), isPlanted)).toEqual([]);
});

test("a line without a scenario, a missing scenario, a wrong label and a scenario without a line are found", () => {
  const isPlanted = new Map([
    ["scenarios/regressions/a.yaml", true],
    ["scenarios/regressions/b.yaml", false],
    ["scenarios/orders/c.yaml", false],
    ["scenarios/orders/d.yaml", true],
  ]);
  const link = (label: string, file: string) => `[${label}](../../scenarios/${file}.yaml)`;
  const page = [
    "# Defects",
    "- Nothing shows it.",
    `- One. ${link("Planted", "regressions/a")}, ${link("also", "orders/c")}.`,
    `- Two. ${link("Planted", "regressions/b")}.`,
    `- Three. ${link("Scenario", "orders/gone")}.`,
  ].join("\n");
  expect(checkDefectLines(page, isPlanted)).toEqual([
    { line: 2, fault: "no scenario" },
    { line: 4, fault: 'scenarios/regressions/b.yaml has no patch: not "Planted"' },
    { line: 5, fault: "scenarios/orders/gone.yaml does not exist" },
    { line: 0, fault: "scenarios/orders/d.yaml has no line" },
  ]);
});

test("the changelog begins with the version of the package, its date and its three parts", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const headings = [...read("CHANGELOG.md").matchAll(/^##+ .*$/gm)].map(([heading]) => heading);
  expect(headings[0]).toMatch(new RegExp(`^## ${version.replaceAll(".", "\\.")} — \\d{4}-\\d{2}-\\d{2}$`));
  expect(headings.slice(1, 4)).toEqual(["### Protocol", "### Features", "### Internals"]);
});
