import { compileScenario } from "../compile/compileScenario.ts";
import type { Scenario } from "../compile/plan.ts";
import { type Fault, Faults, ScenarioError } from "../faults.ts";
import { type Cell, entriesOf, getCell, getText, itemsOf, type MapCell } from "../parse/cell.ts";
import { loadCells, type ReadText, readTextFile } from "../parse/include.ts";

/** Faults of a file (it cannot run), and points to improve. */
export interface Linted {
  readonly file: string;
  readonly faults: readonly Fault[];
  readonly advice: readonly Fault[];
}

/** Reads a file as a run would, without running it, and checks its style. */
export function lintScenario(file: string, readText: ReadText = readTextFile): Linted {
  let scenario: Scenario;
  try {
    scenario = compileScenario(file, readText);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return { file, faults: error.faults, advice: [] };
  }
  const root = loadCells(file, new Faults(), readText);
  return {
    file,
    faults: [],
    advice: root === undefined ? [] : [...advise(root, scenario.sentence), ...scenario.advice],
  };
}

function advise(root: MapCell, sentence: string): Fault[] {
  const found = new Faults();
  const { place } = root;
  if (sentence === "")
    found.add(
      { ...place, line: 1, column: 1, length: 1 },
      "no sentence",
      "describe in a first comment what the scenario shows",
    );
  if (itemsOf(getCell(root, "rules")).length === 0)
    found.add(place, "no rules", "name the rules that it shows: rules: [ORD-4]");
  const blocks = itemsOf(getCell(root, "blocks"));
  for (const block of blocks) {
    const isIdle = ["transactions", "prices", "markets", "expect", "after", "time", "restart", "repeat"].every(
      (key) => getCell(block, key) === undefined,
    );
    if (isIdle) found.add(block.place, "a block without effect", "leave it out, or give its waiting time: after: 1h");
  }
  const expects = [getCell(root, "expect"), ...blocks.map((block) => getCell(block, "expect"))];
  const inVariants =
    blocks.some((block) => getCell(block, "variants") !== undefined) || getCell(root, "variants") !== undefined;
  const inPlace = blocks.some((block) =>
    itemsOf(getCell(block, "transactions")).some((step) => getCell(step, "expect") !== undefined),
  );
  if (expects.every((expect) => expect === undefined) && !inPlace && !inVariants) {
    found.add(place, "nothing is expected", "write the expected results of the blocks: expect:");
  }
  adviseTolerances(root, found);
  return found.list;
}

/** A tolerance says why. */
function adviseTolerances(cell: Cell, found: Faults): void {
  if (cell.kind === "list") for (const item of cell.items) adviseTolerances(item, found);
  if (cell.kind !== "map") return;
  if (getCell(cell, "approx") !== undefined) {
    if (getCell(cell, "within") === undefined) found.add(cell.place, "approx without within", "name the tolerance");
    if (getText(cell, "why") === undefined)
      found.add(cell.place, "a tolerance without why", "expect the exact number, or give the reason");
  }
  for (const { value } of entriesOf(cell)) adviseTolerances(value, found);
}
