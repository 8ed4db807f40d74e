// Plants the defect of every scenario that names one in a copy of the sources, and sees the scenario fail there: a
// regression scenario that passes with its defect shows nothing. Takes a folder; the committed scenarios by default.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { compileScenario } from "../src/scenario/compile/compileScenario.ts";
import { findScenarioFiles } from "../src/scenario/run/findFiles.ts";

const root = join(import.meta.dirname, "..");
let bad = 0;

for (const file of findScenarioFiles([resolve(process.argv[2] ?? join(root, "scenarios")).replaceAll("\\", "/")])
  .files) {
  const { defect, name } = compileScenario(file);
  if (defect === undefined) continue;
  const fault = plant(file, resolve(dirname(file), defect));
  console.log(fault === undefined ? `defect found: ${name}` : `DEFECT NOT FOUND: ${name} (${file}): ${fault}`);
  if (fault !== undefined) bad++;
}
process.exitCode = bad === 0 ? 0 : 1;

/** Why the scenario does not show its defect; undefined where it does. */
function plant(file: string, patch: string): string | undefined {
  const copy = mkdtempSync(join(tmpdir(), "perplab-defect-"));
  try {
    for (const part of ["src", "bin", "package.json"]) cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
    const applied = spawnSync("git", ["apply", "--whitespace=nowarn", patch], { cwd: copy, encoding: "utf8" });
    if (applied.status !== 0) return `the patch does not apply: ${applied.stderr.trim()}`;
    const run = spawnSync(process.execPath, ["bin/perplab.js", "scenario", "run", file], {
      cwd: copy,
      encoding: "utf8",
    });
    return run.status === 1 && run.stdout.includes("FAIL")
      ? undefined
      : `it ends with ${run.status}: ${run.stderr.trim()}`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
