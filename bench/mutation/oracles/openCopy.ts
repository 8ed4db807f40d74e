/**
 * Copies of the sources for one oracle, by their hash: a copy that is there is never changed, since processes run in
 * it.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashFolder } from "../../lib/hashFolder.ts";
import { ROOT } from "../../perpbench/buildCopy.ts";
import { buildMutationCopy, type MutationCopy } from "../buildCopy.ts";
import { prepareTests } from "./tests/prepareTests.ts";

/** Module of the processes of an oracle, in its copy. */
const WORKERS = {
  scenarios: "bench/mutation/oracles/scenarioWorker.ts",
  tests: "bench/mutation/oracles/tests/testWorker.ts",
} as const;

export type OracleName = keyof typeof WORKERS;

/** A copy in its folder. */
export interface OpenedCopy extends MutationCopy {
  readonly folder: string;
  /** Hash of all its files: on it every result depends. */
  readonly hash: string;
}

export interface OracleCopy extends OpenedCopy {
  readonly worker: string;
}

/** The copy of these sources with this many mutants of a seed. */
export function openOracleCopy(oracle: OracleName, count: number, seed: number): OracleCopy {
  const copy = openCopy(`mutation-${oracle}`, (draft) => {
    const made = buildMutationCopy(count, seed, draft);
    if (oracle === "tests") prepareTests(draft);
    return made;
  });
  return { ...copy, worker: join(copy.folder, WORKERS[oracle]) };
}

/**
 * Makes a copy, unless it is there.
 *
 * @param name  folder of such copies
 * @param build makes the copy in a folder
 */
export function openCopy(name: string, build: (draft: string) => MutationCopy): OpenedCopy {
  const place = join(ROOT, "out", name);
  const draft = join(place, `draft-${process.pid}`);
  const copy = build(draft);
  const hash = hashFolder(draft);
  const folder = join(place, hash);
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
  return { ...copy, folder, hash };
}
