// Plants the defect of every scenario that names one in a copy of the sources, and checks that the scenario fails
// there: a regression scenario that passes with its defect proves nothing. Takes a folder; the committed scenarios by
// default.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { compileScenario } from "../src/product/scenario/compile/compileScenario.ts";
import { findScenarioFiles } from "../src/product/scenario/run/findFiles.ts";

const root = join(import.meta.dirname, "..");
const { files } = findScenarioFiles([resolve(process.argv[2] ?? join(root, "scenarios")).replaceAll("\\", "/")]);
const planned = files.flatMap((file) => {
  const { defect, name } = compileScenario(file);
  return defect === undefined ? [] : [{ file, name, patch: resolve(dirname(file), defect) }];
});
let next = 0;
let bad = 0;
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = bad === 0 ? 0 : 1;

/** Checks one defect after the other in a copy of its own, until none is left. */
async function work(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), "perplab-defect-"));
  try {
    for (const part of ["src", "bin", "package.json"]) cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
    for (let one = planned[next++]; one !== undefined; one = planned[next++]) {
      const { file, name, patch } = one;
      const fault = await plant(copy, file, patch);
      console.log(fault === undefined ? `defect found: ${name}` : `DEFECT NOT FOUND: ${name} (${file}): ${fault}`);
      if (fault !== undefined) bad++;
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The reason why the scenario does not show its defect; undefined if it does. Restores the copy. */
async function plant(copy: string, file: string, patch: string): Promise<string | undefined> {
  const apply = ["apply", "--whitespace=nowarn", patch];
  const applied = await run("git", apply, copy);
  if (applied.status !== 0) return `the patch does not apply: ${applied.errors}`;
  const { status, out, errors } = await run(process.execPath, ["bin/perplab.js", "scenario", "run", file], copy);
  const taken = await run("git", [...apply, "--reverse"], copy);
  if (taken.status !== 0) throw new Error(`${patch} cannot be reverted: ${taken.errors}`);
  return status === 1 && out.includes("FAIL") ? undefined : `it ends with ${status}: ${errors}`;
}

interface Ended {
  readonly status: number | string;
  readonly out: string;
  readonly errors: string;
}

function run(command: string, words: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((done) => {
    execFile(command, words, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }, (error, out, errors) => {
      done({ status: error === null ? 0 : (error.code ?? 1), out, errors: errors.trim() });
    });
  });
}
