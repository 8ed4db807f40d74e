/** A small copy as the oracle of tests has it: a source with all of its mutants, and tests of it. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrument, listMutants, type Mutant } from "../../../../../bench/mutation/instrument.ts";
import { projectRoot } from "../../../../helpers/project.ts";

const SOURCE = `import { spin } from "./spin.ts";
let memo: number | undefined;
export function add(a: number, b: number): number { return a + b; }
export function bounded(a: number): boolean { return a > 1000; }
export function pause(): number { spin(false); return 1; }
export function remember(): number { return (memo ??= compute(2)); }
function compute(a: number): number { return a * 3; }
export function unused(a: number): number { return a - 7; }
`;

const TESTS = {
  "sums.test.ts": `import { expect, test } from "vitest";
import { add, bounded } from "../src/f.ts";
test("adds", () => expect(add(2, 3)).toBe(5));
test("is bounded", () => expect([bounded(5), bounded(2000)]).toEqual([false, true]));
`,
  "pauses.test.ts": `import { expect, test } from "vitest";
import { pause } from "../src/f.ts";
test("pauses", () => expect(pause()).toBe(1));
`,
  "memo.test.ts": `import { expect, test } from "vitest";
import { remember } from "../src/f.ts";
test("remembers", () => expect(remember()).toBe(6));
test("remembers it", () => expect(remember()).toBe(6));
`,
};
/** Files that a copy has besides sources and tests. */
const PARTS = ["bench/mutation/mutant.ts", "bench/mutation/oracles/tests", "test/seed.ts", "test/cleanUp.ts"];

export interface PlantedCopy {
  readonly folder: string;
  /** Paths of its test files. */
  readonly files: readonly string[];
  readonly mutants: ReadonlyMap<number, Mutant>;
  /** The mutant that changes one text to another. */
  numberOf(original: string, text: string): number;
  /** Adds a test file, and returns its path. */
  addTest(name: string, text: string): string;
  remove(): void;
}

export function makePlantedCopy(): PlantedCopy {
  const folder = mkdtempSync(join(tmpdir(), "perplab-tests-"));
  const mutants = new Map(listMutants("f.ts", SOURCE).map((mutant, at) => [at + 1, mutant]));
  for (const name of ["src", "test"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of PARTS) cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "src", "spin.ts"), "export function spin(goes: boolean): void {\n  while (goes);\n}\n");
  writeFileSync(join(folder, "src", "f.ts"), instrument("f.ts", SOURCE, mutants, "../bench/mutation/mutant.ts"));
  const addTest = (name: string, text: string) => {
    writeFileSync(join(folder, "test", name), text);
    return `test/${name}`;
  };
  return {
    folder,
    files: Object.entries(TESTS).map(([name, text]) => addTest(name, text)),
    mutants,
    numberOf: (original, text) =>
      [...mutants].find(([, mutant]) => mutant.original === original && mutant.text === text)![0],
    addTest,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
