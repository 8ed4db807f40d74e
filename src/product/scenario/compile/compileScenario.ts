import type { Names } from "../../../venue/simulation/accountNames.ts";
import { type Fault, Faults, hintKnown, ScenarioError } from "../faults.ts";
import { type CaseCells, expandCases } from "../parse/cases.ts";
import { entriesOf, getCell, getText, itemsOf, type MapCell, textOf } from "../parse/cell.ts";
import { loadCells, type ReadText, readTextFile } from "../parse/include.ts";
import { checkShape } from "../shape/checkShape.ts";
import { scenarioShape } from "../shape/scenarioShape.ts";
import { checkExpectations, checkStart, marketsOf } from "./checkExpectations.ts";
import { compileBlock, compilePrices } from "./compileBlock.ts";
import { compileExplore } from "./compileExplore.ts";
import { compileGenesis } from "./compileGenesis.ts";
import { compileStart } from "./compileStart.ts";
import { usesOf } from "./compileStep.ts";
import { buildPayload } from "./payload.ts";
import type { Case, PlannedBlock, PlannedStep, Scenario, ScenarioHead } from "./plan.ts";

/**
 * Reads and checks a scenario file whole: nothing runs of a file with a fault.
 *
 * @throws {ScenarioError} with every fault that was found, in the order of the file
 */
export function compileScenario(file: string, readText: ReadText = readTextFile): Scenario {
  const faults = new Faults();
  const root = loadCells(file, faults, readText);
  if (root === undefined || faults.any) throw new ScenarioError(inOrder(faults.list));
  const cells = expandCases(root, faults);
  const advice = new Faults();
  const checked = cells.map((cell) => {
    const before = faults.list.length;
    checkShape(cell.root, scenarioShape, faults);
    return faults.list.length > before ? undefined : compileCase(cell, readText, faults, advice);
  });
  checkVariantNames(root, faults);
  if (faults.any) throw new ScenarioError(inOrder(faults.list));
  return { ...readHead(file, root, readText), cases: checked as Case[], advice: inOrder(advice.list) };
}

/** Without repetitions: several cases find the same fault. */
function inOrder(faults: readonly Fault[]): Fault[] {
  const seen = new Map(
    faults.map((fault) => [`${fault.place.file}:${fault.place.line}:${fault.place.column} ${fault.message}`, fault]),
  );
  return [...seen.values()].sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

function checkVariantNames(root: MapCell, faults: Faults): void {
  const known = entriesOf(getCell(root, "variants")).map(({ key }) => key);
  for (const block of itemsOf(getCell(root, "blocks"))) {
    for (const { key, place } of entriesOf(getCell(block, "variants"))) {
      if (!known.includes(key)) faults.add(place, `there is no variant ${key}`, hintKnown(key, known));
    }
  }
}

export function readHead(file: string, root: MapCell, readText: ReadText): ScenarioHead {
  const texts = (key: string) => itemsOf(getCell(root, key)).map((item) => textOf(item) ?? "");
  return {
    file,
    name: getText(root, "scenario") ?? file,
    sentence: readSentence(readText(file)),
    rules: texts("rules"),
    tags: texts("tags"),
    kind: getText(root, "kind"),
    story: getText(root, "story"),
    source: getText(root, "source"),
    defect: getText(root, "defect"),
  };
}

/** The comment at the start of the file, after lines for editors and its own path. */
function readSentence(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("#")) break;
    const said = line.replace(/^#\s*/, "").trim();
    if (!said.startsWith("yaml-language-server:") && !/^scenarios\/\S+\.yaml$/.test(said)) lines.push(said);
  }
  return lines.join(" ").trim();
}

function compileCase(
  { name, variant, root }: CaseCells,
  readText: ReadText,
  faults: Faults,
  advice: Faults,
): Case | undefined {
  const isStored = getCell(root, "start") !== undefined;
  const stored = isStored ? compileStart(root, readText, faults) : undefined;
  if (isStored && stored === undefined) return undefined;
  const { genesis, names } = stored ?? compileGenesis(root, faults);
  const blocks: PlannedBlock[] = [];
  const first = compilePrices(getCell(root, "prices"));
  if (first.length > 0) blocks.push(priceBlock(root, first));
  itemsOf(getCell(root, "blocks")).forEach((cell, at) => {
    blocks.push(compileBlock(cell, at + 1, variant, names, faults));
  });
  const end = getCell(root, "expect");
  const explore = compileExplore(root, blocks, names, faults);
  const alphabet = explore?.alphabet ?? [];
  checkLabels(blocks, end, alphabet, faults, advice);
  const listed = stored?.markets ?? genesis.markets.map((entry) => entry.name);
  const market = listed.length === 1 ? listed[0] : undefined;
  checkPayloads([...blocks, ...alphabet], names, market, faults);
  const known = { names, market, markets: marketsOf(listed, [...blocks, ...alphabet]) };
  checkExpectations([...blocks, ...alphabet], end, known, faults);
  if (stored !== undefined) checkStart(stored.start.expect, known, faults);
  const disabled = itemsOf(getCell(getCell(root, "invariants"), "disable")).map((item) => textOf(item) ?? "");
  return {
    name,
    variant,
    genesis,
    start: stored?.start,
    names,
    market,
    blocks,
    end,
    golden: getCell(getCell(root, "golden"), "root"),
    explore,
    disabled,
  };
}

/** The block that gives the first prices. */
function priceBlock(root: MapCell, prices: readonly PlannedStep[]): PlannedBlock {
  const { place } = getCell(root, "prices")!;
  return {
    place,
    name: "first prices",
    note: undefined,
    timeMs: undefined,
    afterMs: 1000,
    restart: [],
    repeat: 1,
    prices,
    markets: [],
    steps: [],
    expect: undefined,
    refused: false,
  };
}

/**
 * Every label is made before it is used, and once. One that nothing uses is advice. Blocks of an alphabet have no
 * order.
 */
function checkLabels(
  blocks: readonly PlannedBlock[],
  end: Case["end"],
  alphabet: readonly PlannedBlock[],
  faults: Faults,
  advice: Faults,
): void {
  const made = new Map<string, PlannedStep>();
  const used = new Set<string>();
  const use = (uses: ReturnType<typeof usesOf>) => {
    for (const { name, place } of uses) {
      used.add(name);
      if (!made.has(name))
        faults.add(
          place,
          `nothing before this is labelled ${name}`,
          hintKnown(name, [...made.keys()], `end the transaction that makes it with \`as ${name}\``),
        );
    }
  };
  const useAll = (step: PlannedStep) => {
    use(usesOf(step.payload));
    if (step.authorization?.startsWith("$")) use([{ name: step.authorization.slice(1), place: step.place }]);
  };
  const make = (step: PlannedStep) => {
    for (const label of step.labels) {
      if (made.has(label)) faults.add(step.place, `${label} is a label already`, "give it another");
      made.set(label, step);
    }
  };
  for (const { steps, expect } of blocks) {
    for (const step of steps) {
      useAll(step);
      make(step);
    }
    for (const { expect: outcome } of steps) use(usesOf(outcome));
    use(usesOf(expect));
  }
  use(usesOf(end));
  for (const { steps } of alphabet) steps.forEach(make);
  for (const { steps } of alphabet) steps.forEach(useAll);
  for (const [label, { place }] of made) {
    if (!used.has(label)) advice.add(place, `nothing uses the label ${label}`, "leave it out, or use it");
  }
}

/** Builds every payload once with placeholder labels to check its form. */
function checkPayloads(
  blocks: readonly PlannedBlock[],
  names: Names,
  market: string | undefined,
  faults: Faults,
): void {
  const context = { names, market, height: 1, timeMs: 1, all: () => "1", resolve: () => "1" };
  for (const { prices, markets, steps } of blocks) {
    for (const step of [...prices, ...markets, ...steps]) {
      const resolve = (_label: string, { kind }: { kind: string }) => (kind === "id" ? "1" : `0x${"00".repeat(32)}`);
      buildPayload(step.action, step.payload, step.place, { ...context, resolve }, faults);
    }
  }
}
