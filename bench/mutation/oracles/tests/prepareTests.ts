import { cpSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../../../perpbench/buildCopy.ts";

/** Folders whose tests reach the engine and state what it does. */
const FOLDERS = ["ground", "protocol", "venue", "proof/invariants", "proof/model"];
/** Tests that compare with roots of an earlier run: they see any change, and state no rule. */
const RECORDED = ["golden"];

/** What these tests import of others. */
const SHARED = ["helpers", "reference", "vectors"];
/** What tests read besides sources, and what runs them. */
const PARTS = ["test", "scripts", "docs", "data", "bench/mutation/oracles/tests"];

/** Fast test files of the engine, by whether what they expect is recorded. */
export interface TestFiles {
  readonly stated: readonly string[];
  readonly recorded: readonly string[];
  /** Folders of tests on which their results depend. */
  readonly parts: readonly string[];
}

/** Adds the tests to a copy of the sources. */
export function prepareTests(copy: string): void {
  // What the measurements themselves write decides no result.
  const filter = (path: string) => !relative(ROOT, path).replaceAll("\\", "/").startsWith("docs/evidence/");
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter });
}

/** The files to run in a copy. */
export function listTestFiles(copy: string): TestFiles {
  const parts = [...FOLDERS, ...RECORDED, ...SHARED].map((folder) => `test/${folder}`);
  return { stated: listTests(copy, FOLDERS), recorded: listTests(copy, RECORDED), parts };
}

function listTests(copy: string, folders: readonly string[]): string[] {
  const slow = JSON.parse(readFileSync(join(copy, "test", "slow.json"), "utf8")) as readonly {
    readonly file: string;
  }[];
  const left = new Set(slow.map(({ file }) => file));
  return folders
    .flatMap((folder) => globSync(`test/${folder}/**/*.test.ts`, { cwd: copy }))
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !left.has(file))
    .sort();
}
