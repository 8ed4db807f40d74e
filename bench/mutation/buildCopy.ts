import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { hashFolder } from "../lib/hashFolder.ts";
import { ROOT } from "../perpbench/buildCopy.ts";
import { drawMutants } from "./drawMutants.ts";
import { instrument, listMutants, type Mutant } from "./instrument.ts";

export const COPY: string = join(ROOT, "out", "mutation");

/** Source folders to mutate. */
const MUTATED = ["venue/engine", "venue/reads", "ground/math"];
/**
 * Not mutated, since other tests cover them: queries about a venue, which no block calls, and the random generator of
 * cases, which the venue does not use.
 */
const ASIDE = /^ground\/math\/random\.ts$/;
/** Code that walks over structures that a mutant may have broken: its loop turns are counted, too. */
const WATCHED = [...MUTATED, "ground/collections", "proof/invariants", "proof/fuzz", "proof/generators"];
/** The files of this folder that run in the copy: the others do not affect the result. */
const RUN = ["worker.ts", "grow.ts", "mutant.ts", "chooseCases.ts", "oracles/scenarioWorker.ts"];
/** Where a block begins. */
const START = "  const systemCount = ";

export interface MutationCopy {
  readonly version: string;
  /** Mutants by number, from 1. */
  readonly mutants: ReadonlyMap<number, Mutant>;
  /** Number of all possible mutants. */
  readonly total: number;
  /** Keys of all possible mutants. */
  readonly keys: readonly string[];
}

/**
 * Writes a new copy with this many mutants of a seed.
 *
 * @param named keys of the mutants to take in their place
 */
export function buildMutationCopy(
  count: number,
  seed: number,
  copy: string = COPY,
  named?: ReadonlySet<string>,
): MutationCopy {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const part of ["src", "package.json", ...RUN.map((file) => `bench/mutation/${file}`)]) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  const files = MUTATED.flatMap(listSources).filter((file) => !ASIDE.test(file));
  const byFile = new Map(files.map((file) => [file, listMutants(file, readSource(file))]));
  const taken =
    named === undefined
      ? drawMutants(byFile, count, seed)
      : [...byFile.values()].flatMap((list) => list.filter(({ key }) => named.has(key)));
  const mutants = new Map(taken.map((mutant, place) => [place + 1, mutant]));
  for (const file of WATCHED.flatMap(listSources)) {
    const here = new Map([...mutants].filter(([, mutant]) => mutant.file === file));
    const runtime = posix.relative(posix.dirname(`src/${file}`), "bench/mutation/mutant.ts");
    let text = instrument(file, readSource(file), here, runtime);
    if (file === "venue/engine/applyBlock.ts") text = markStart(text, runtime);
    writeFileSync(join(copy, "src", file), text);
  }
  const keys = [...byFile.values()].flatMap((list) => list.map(({ key }) => key));
  const version = hashFolder(copy);
  cpSync(join(ROOT, "scenarios"), join(copy, "scenarios"), { recursive: true });
  return { version, mutants, total: keys.length, keys };
}

function markStart(text: string, runtime: string): string {
  const parts = text.split(START);
  if (parts.length !== 2) throw new Error(`applyBlock.ts has ${parts.length - 1} places of "${START}" instead of one`);
  return `import { startTurns } from "${runtime}";\n${parts.join(`  startTurns();\n${START}`)}`;
}

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, "src", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => posix.join(folder, file.split(sep).join("/")))
    .sort();
}

function readSource(file: string): string {
  return readFileSync(join(ROOT, "src", file), "utf8");
}

if (import.meta.main) {
  const { version, mutants, total } = buildMutationCopy(Number(process.argv[2] ?? 1000), 1);
  console.log(`${dirname(join(COPY, "src"))}: ${mutants.size} of ${total} mutants, copy ${version}`);
}
