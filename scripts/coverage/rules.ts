import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Faults } from "../../src/product/scenario/faults.ts";
import { getCell, getText, itemsOf, textOf } from "../../src/product/scenario/parse/cell.ts";
import { loadCells } from "../../src/product/scenario/parse/include.ts";
import { NAMED_TESTS } from "./namedTests.ts";

const root = join(import.meta.dirname, "../..");

/** Rules by id with their titles, in the order of the pages; from this list while there are no pages. */
export function listRules(): Map<string, string> {
  const rules = new Map<string, string>();
  for (const page of globSync("docs/spec/*.md", { cwd: root }).sort()) {
    for (const [, id, title] of readFileSync(join(root, page), "utf8").matchAll(
      /^##+ ([A-Z]{2,3}(?:-\d+)?)(?: (.*))?$/gm,
    )) {
      rules.set(id!, title ?? "");
    }
  }
  if (rules.size === 0) for (const id of IDS) rules.set(id, "");
  return rules;
}

const counted = (section: string, count: number) => Array.from({ length: count }, (_, at) => `${section}-${at + 1}`);

const IDS: readonly string[] = [
  ...counted("NUM", 5),
  ...counted("NET", 3),
  "ACC",
  ...counted("TX", 5),
  ...counted("NON", 5),
  "VAL",
  ...counted("ACT", 2),
  "BLK",
  ...counted("ORD", 8),
  ...counted("POS", 4),
  ...counted("PRC", 4),
  ...counted("FND", 3),
  ...counted("MRG", 6),
  "LIQ",
  ...counted("LIQ", 7),
  "INT",
  ...counted("INT", 2),
  "AUT",
  "MKT",
  ...counted("EVT", 3),
  ...counted("DET", 4),
];

/** A scenario that cites rules. */
export interface CitingScenario {
  readonly file: string;
  readonly name: string;
  readonly rules: readonly string[];
}

/** Every scenario file with the rules that it cites. */
export function listScenarios(): CitingScenario[] {
  const files = globSync("scenarios/**/*.{yaml,yml}", { cwd: root })
    .filter((file) => !/[\\/]lib[\\/]/.test(file))
    .sort();
  return files.map((path) => {
    const file = path.replaceAll("\\", "/");
    const cell = loadCells(join(root, file), new Faults());
    const rules = itemsOf(getCell(cell, "rules")).map((item) => textOf(item) ?? "");
    return { file, name: getText(cell, "scenario") ?? file, rules };
  });
}

/** The proofs of a rule. */
export interface Covered {
  readonly rule: string;
  readonly title: string;
  readonly scenarios: readonly CitingScenario[];
  readonly tests: readonly (readonly [file: string, name: string])[];
}

export function coverRules(scenarios: readonly CitingScenario[] = listScenarios()): Covered[] {
  return [...listRules()].map(([rule, title]) => ({
    rule,
    title,
    scenarios: scenarios.filter(({ rules }) => rules.includes(rule)),
    tests: NAMED_TESTS[rule] ?? [],
  }));
}
