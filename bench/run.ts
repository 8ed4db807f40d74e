/**
 * Runs the benches, each in a process of its own, one after the other, and prints one table.
 *
 *     npm run bench                         all of them
 *     npm run bench -- book scale           some
 *     npm run bench -- --record             and append to bench/history.jsonl
 *     npm run bench:smoke                   small sizes; fails if a bench does not run or its results differ, never on time
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { judge, printReport, type Report } from "./lib/measure.ts";

/** Every bench, and what makes it small. */
const BENCHES: Readonly<Record<string, readonly string[]>> = {
  book: ["--small"],
  venue: ["--blocks", "20", "--rounds", "1"],
  levels: ["--small"],
  scale: ["--small"],
  cascade: ["--small"],
  signing: ["--count", "50", "--rounds", "1"],
  import: ["--rows", "20000"],
  replay: ["--small"],
  books: ["--small"],
  sweep: ["--small"],
  queue: ["--small"],
  watch: ["--blocks", "10", "--rounds", "1"],
  shrink: ["--small"],
  store: ["--small"],
  load: ["--small"],
  flood: ["--small"],
  start: ["--rounds", "1"],
  python: ["--small"],
};

const given = process.argv.slice(2);
const smoke = given.includes("--smoke");
const names = given.filter((word) => word in BENCHES);
const options = given.filter((word) => word !== "--smoke" && !(word in BENCHES));
const unknown = options.find((word, place) => !word.startsWith("--") && !options[place - 1]?.startsWith("--"));
if (unknown !== undefined) {
  console.error(`No bench is called "${unknown}"; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}

const failed: string[] = [];
const missed: string[] = [];
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const words = [...(smoke ? BENCHES[name]! : []), ...options, ...(options.includes("--json") ? [] : ["--json"])];
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 26,
  });
  const line = stdout.trim().split("\n").at(-1) ?? "";
  if (status !== 0 || !line.startsWith("{")) {
    failed.push(name);
    console.error(`\n${name} failed${status === 0 ? ": it printed no report" : ""}`);
    continue;
  }
  if (options.includes("--json")) {
    console.log(line);
    continue;
  }
  const found = JSON.parse(line) as Report;
  if (smoke) {
    console.log(`${name}: ran, ${found.figures.length} figures`);
    continue;
  }
  printReport(found);
  for (const { name: figure, value, target } of found.figures) {
    if (target !== undefined && judge(value, target) !== "met") missed.push(`${name}: ${figure}`);
  }
}
if (missed.length > 0) console.log(`\nTargets missed as measured:\n  ${missed.join("\n  ")}`);
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exit(1);
}
