// Runs the golden roots, or the tests named as arguments, on the oldest supported Node, on the clone's own and on the
// newest: the same blocks have the same roots on each.
import { dirname, join } from "node:path";
import { installRuntime, NODE_VERSIONS, type Runtime, root, run } from "./runtimes.ts";

const tests = process.argv.length > 2 ? process.argv.slice(2) : ["test/golden"];
const own: Runtime = { version: process.versions.node, folder: dirname(process.execPath) };
const runtimes = [installRuntime(NODE_VERSIONS.oldest), own, installRuntime(NODE_VERSIONS.newest)];

for (const runtime of runtimes) {
  if (runtime === undefined) continue;
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const ended = run("node", [vitest, "run", "--no-color", ...tests], { cwd: root, runtime });
  const passed = /^ *Tests +(.*)$/m.exec(ended.stdout)?.[1] ?? "nothing ran";
  console.log(`${ended.status === 0 ? "ok  " : "FAIL"} Node ${runtime.version}: ${passed}`);
  if (ended.status === 0) continue;
  process.exitCode = 1;
  console.log(`${ended.stdout}\n${ended.stderr}`);
}
