// Checks what a user installs: the packed tarball in an empty project on the oldest supported and on the clone's own
// Node, the clear answer on a Node that is too old, and a clone on such a Node, which brings its own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Ended, installRuntime, NODE_VERSIONS, type Runtime, root, run, runNpm } from "./runtimes.ts";

const { version, exports: subpaths } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  exports: Record<string, unknown>;
};
const modules = Object.keys(subpaths).filter((path) => !path.endsWith(".json"));
const workplace = mkdtempSync(join(tmpdir(), "perplab-install-"));
let faults = 0;

function expect(what: string, holds: boolean, ended: Ended): void {
  console.log(`${holds ? "ok  " : "FAIL"} ${what}`);
  if (holds) return;
  faults++;
  console.log(`     exit code ${ended.status}\n${ended.stdout}\n${ended.stderr}`.replaceAll("\n", "\n     "));
}

/** Installs the tarball into an empty project. */
function createProject(tarball: string, runtime: Runtime): string {
  const cwd = mkdtempSync(join(workplace, "project-"));
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const ended = runNpm(["install", "--no-audit", "--no-fund", tarball], { cwd, runtime });
  expect(`Node ${runtime.version}: the tarball installs in an empty project`, ended.status === 0, ended);
  return cwd;
}

function callPerplab(cwd: string, runtime: Runtime, args: readonly string[]): Ended {
  return run(join(cwd, "node_modules", ".bin", "perplab"), args, { cwd, runtime });
}

function checkSupported(tarball: string, runtime: Runtime): void {
  const cwd = createProject(tarball, runtime);
  const printed = callPerplab(cwd, runtime, ["--version"]);
  const isRight = printed.status === 0 && printed.stdout === `${version}\n` && printed.stderr === "";
  expect(`Node ${runtime.version}: perplab --version`, isRight, printed);

  const lines = modules.map((path) => {
    const name = `perplab/${path.slice(2)}`;
    return `if (Object.keys(await import("${name}")).length === 0) throw new Error("${name} exports nothing");`;
  });
  writeFileSync(join(cwd, "modules.js"), lines.join("\n"));
  const imported = run("node", ["modules.js"], { cwd, runtime });
  expect(`Node ${runtime.version}: ${modules.length} modules import`, imported.status === 0, imported);
}

function checkTooOld(tarball: string, runtime: Runtime): void {
  const answered = callPerplab(createProject(tarball, runtime), runtime, ["--version"]);
  const isRight = answered.status === 2 && /^perplab needs Node 22\.18 or newer, .*\n$/.test(answered.stderr);
  expect(`Node ${runtime.version}: perplab says in one line what it needs`, isRight, answered);
}

function checkClone(runtime: Runtime): void {
  const cwd = join(workplace, "clone");
  const cloned = run("git", ["clone", "--quiet", root, cwd], { cwd: workplace });
  expect("the repository clones", cloned.status === 0, cloned);
  const installed = runNpm(["ci", "--no-audit", "--no-fund"], { cwd, runtime });
  expect(`Node ${runtime.version}: npm ci in the clone`, installed.status === 0, installed);
  const printed = run("node", ["bin/perplab.js", "--version"], { cwd, runtime });
  const isRight = printed.status === 0 && printed.stdout === `${version}\n` && printed.stderr === "";
  expect(`Node ${runtime.version}: the clone runs on the Node that it brings`, isRight, printed);
}

try {
  const packed = runNpm(["pack", "--silent", "--pack-destination", workplace], { cwd: root });
  expect("npm pack", packed.status === 0, packed);
  const tarball = join(workplace, packed.stdout.trim().split("\n").at(-1) ?? "");

  const oldest = installRuntime(NODE_VERSIONS.oldest);
  if (oldest !== undefined) checkSupported(tarball, oldest);
  checkSupported(tarball, { version: process.versions.node, folder: dirname(process.execPath) });
  const tooOld = installRuntime(NODE_VERSIONS.tooOld);
  if (tooOld !== undefined) {
    checkTooOld(tarball, tooOld);
    checkClone(tooOld);
  }
} finally {
  rmSync(workplace, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;
