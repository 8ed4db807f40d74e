// Runs tests and reports which lines of src they reach, by V8: `npm run coverage`. Without arguments the fast tests
// run, and the report is docs/evidence/source-coverage.md. Arguments go to Vitest, and the report to
// out/source-coverage.md. With `--report FOLDER` it only reads what a run left there.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type FileReach, listRanges, readReach, type ScriptCoverage } from "./sourceReach.ts";

const root = join(import.meta.dirname, "..");
/** Files on the page, and ranges of lines for each. */
const LEAST = 30;
const RANGES = 10;

const args = process.argv.slice(2);
const kept = args[0] === "--report" ? args[1] : undefined;
const folder = kept ?? mkdtempSync(join(tmpdir(), "perplab-coverage-"));
const isWhole = args.length === 0 || kept !== undefined;
const page = isWhole ? "docs/evidence/source-coverage.md" : "out/source-coverage.md";
// The sources of the project `mocking` are not loaded as they are.
const projects = isWhole ? ["--project", "fast"] : ["--project", "fast", "--project", "slow"];
const chosen = kept === undefined ? args : [];
const tests = chosen.includes("--project") ? chosen : [...projects, ...chosen];
if (kept === undefined) {
  // A test may fail for being measured: the report is of what ran.
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, PERPLAB_COVERAGE: folder };
  spawnSync(process.execPath, [vitest, "run", ...tests], { cwd: root, env, stdio: "inherit" });
}

const taken = new Map<string, ScriptCoverage[]>();
for (const name of readdirSync(folder)) {
  const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { result: ScriptCoverage[] };
  for (const script of result) taken.set(script.url, [...(taken.get(script.url) ?? []), script]);
}
const files = globSync("src/**/*.ts", { cwd: root }).sort();
const reached = files
  .map((file) => {
    const scripts = taken.get(pathToFileURL(join(root, file)).href) ?? [];
    return readReach(file, readFileSync(join(root, file), "utf8"), scripts);
  })
  .filter(({ lines }) => lines > 0);
mkdirSync(dirname(join(root, page)), { recursive: true });
writeFileSync(join(root, page), render(reached));
if (kept === undefined) rmSync(folder, { recursive: true });
console.log(`wrote ${page}: ${percent(reached)} of ${sum(reached, "lines")} lines`);

function render(all: readonly FileReach[]): string {
  const rooms = Map.groupBy(all, ({ file }) => file.split("/").slice(1, -1).slice(0, 2).join("/"));
  const rows = [...rooms].map(
    ([room, list]) => `| \`${room}\` | ${list.length} | ${sum(list, "lines")} | ${percent(list)} |`,
  );
  const least = all.filter(({ missed }) => missed.length > 0).sort((a, b) => b.missed.length - a.missed.length);
  const names = least
    .slice(0, LEAST)
    .map(
      ({ file, lines, missed }) =>
        `| \`${file.slice(4)}\` | ${missed.length} of ${lines} | ${shorten(lines, missed)} |`,
    );
  return `# Lines of \`src\` that tests reach

Measured by V8 over \`vitest run ${tests.join(" ")}\` and the processes that its tests start: \`npm run coverage\`. A line counts if
it has code once types are removed; it is reached if any of its code ran. Arguments name other tests:
\`npm run coverage -- --project fast --project slow\` takes them all, the searches and long flows among them.

| room | files | lines | reached |
|---|---|---|---|
${rows.join("\n")}
| all | ${all.length} | ${sum(all, "lines")} | ${percent(all)} |

## What is not reached

${least.length} of ${all.length} files have lines that are not reached; these have the most.

| file | lines not reached | which |
|---|---|---|
${names.join("\n")}
`;
}

function shorten(lines: number, missed: readonly number[]): string {
  if (missed.length === lines) return "all";
  const ranges = listRanges(missed).split(", ");
  return ranges.length <= RANGES
    ? ranges.join(", ")
    : `${ranges.slice(0, RANGES).join(", ")}, and ${ranges.length - RANGES} more`;
}

function percent(list: readonly FileReach[]): string {
  const lines = sum(list, "lines");
  const missed = list.reduce((total, file) => total + file.missed.length, 0);
  return `${(((lines - missed) * 100) / lines).toFixed(1)} %`;
}

function sum(list: readonly FileReach[], field: "lines"): number {
  return list.reduce((total, file) => total + file[field], 0);
}
