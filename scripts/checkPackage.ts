// Checks the package as npm packs it: its entries (publint), their types (attw), and that every relative link of every
// page in it leads to a file of the package: `npm run check:package`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDeadLinks } from "./packageLinks.ts";
import { root, run } from "./runtimes.ts";
import { packOnce } from "./tarball.ts";

const workplace = mkdtempSync(join(tmpdir(), "perplab-package-"));
let faults = 0;

/** Calls a tool of the clone, which prints what it finds. */
function callTool(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules", script), ...args], { stdio: "inherit" });
  if (status !== 0) faults++;
}

try {
  const tarball = packOnce(workplace);
  const unpacked = run("tar", ["-xzf", tarball, "-C", workplace], { cwd: workplace });
  if (unpacked.status !== 0) throw new Error(unpacked.stderr);
  const files = run("tar", ["-tzf", tarball], { cwd: workplace })
    .stdout.trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  const dead = findDeadLinks(files, (page) => readFileSync(join(workplace, "package", page), "utf8"));
  for (const { page, line, target } of dead) console.log(`${page}:${line}: ${target} is not in the package`);
  console.log(`links: ${files.length} files, ${dead.length} links lead out of the package`);
  faults += dead.length;
  callTool("publint/src/cli.js", "run", tarball, "--strict");
  callTool("@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only");
} finally {
  rmSync(workplace, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;
