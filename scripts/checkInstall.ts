// Checks the installation. The packed tarball must run in an empty project on the oldest supported Node and on the
// clone's own. On a Node that is too old it must print a clear error, and a clone there must bring its own Node.
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
/** State roots of the same backtest on every Node. */
const roots = new Set<string>();
let faults = 0;

/** A strategy of a user, in a separate project. */
const STRATEGY = `
import { defineStrategy, Type } from "perplab/strategy";

export default defineStrategy({
  id: "mine",
  params: Type.Object({ size: Type.Number({ default: 1, description: "How much" }) }),
  onBar(ctx): void {
    ctx.params.size;
  },
});
`;

/** The files of the package that a client in another language reads. */
const DOCUMENTS = `
import asyncapi from "perplab/asyncapi.json" with { type: "json" };
import openapi from "perplab/openapi.json" with { type: "json" };
import heads from "perplab/vectors/heads/heads.json" with { type: "json" };
import placeOrder from "perplab/vectors/placeOrder.json" with { type: "json" };

const { encodeType } = openapi.components.schemas.SignedPlaceOrder["x-eip712"];
if (encodeType !== placeOrder.encodeType) throw new Error("the contract and the vectors differ");
if (asyncapi.asyncapi === undefined || heads === undefined) throw new Error("a document is missing");
`;

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

  const names = modules.map((path) => `perplab/${path.slice(2)}`);
  const lines = names.map(
    (name) => `if (Object.keys(await import("${name}")).length === 0) throw new Error("${name} exports nothing");`,
  );
  writeFileSync(join(cwd, "modules.js"), lines.join("\n"));
  const imported = run("node", ["modules.js"], { cwd, runtime });
  expect(`Node ${runtime.version}: ${names.length} modules import`, imported.status === 0, imported);

  writeFileSync(join(cwd, "documents.js"), DOCUMENTS);
  const served = run("node", ["documents.js"], { cwd, runtime });
  expect(`Node ${runtime.version}: the contract documents and the wire vectors import`, served.status === 0, served);

  writeFileSync(join(cwd, "types.ts"), names.map((name, i) => `export * as m${i} from "${name}";`).join("\n"));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024", "types.ts"];
  const checked = run(process.execPath, [compiler, ...flags], { cwd });
  expect(`Node ${runtime.version}: their types resolve`, checked.status === 0, checked);

  const queued = callPerplab(cwd, runtime, ["worker", "--redis", "redis://127.0.0.1:1"]);
  const isNamed = queued.status === 1 && queued.stderr.includes("error CLUSTER_MODULES");
  expect(`Node ${runtime.version}: optional packages are not installed, and a worker says how to`, isNamed, queued);

  writeFileSync(join(cwd, "mine.ts"), STRATEGY);
  const shown = callPerplab(cwd, runtime, ["strategies", "./mine.ts", "--json"]);
  const isShown = shown.status === 0 && shown.stdout.includes('"id":"mine"');
  expect(`Node ${runtime.version}: a strategy in TypeScript loads`, isShown, shown);

  const sample = "node_modules/perplab/data/BTC-PERP-klines-1m-2024-07-19.csv.gz";
  const tested = callPerplab(cwd, runtime, ["backtest", "trend", "--data", sample, "--leverage", "5", "--json"]);
  const stateRoot = /"stateRoot": ?"(0x[0-9a-f]{64})"/.exec(tested.stdout)?.[1];
  if (stateRoot !== undefined) roots.add(stateRoot);
  const isSame = tested.status === 0 && stateRoot !== undefined && roots.size === 1;
  expect(`Node ${runtime.version}: a backtest ends at the same state root`, isSame, tested);
}

function checkTooOld(tarball: string, runtime: Runtime): void {
  const answered = callPerplab(createProject(tarball, runtime), runtime, ["--version"]);
  const isRight = answered.status === 2 && /^perplab needs Node 22\.18 or newer, .*\n$/.test(answered.stderr);
  expect(`Node ${runtime.version}: perplab prints in one line which Node it needs`, isRight, answered);
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
