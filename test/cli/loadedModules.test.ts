import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { createFolder, projectRoot, runNode } from "../helpers/project.ts";

const preload = pathToFileURL(join(projectRoot, "test/helpers/traceModules.ts")).href;
const fileOf = (path: string) => join(projectRoot, path);

/**
 * The files of src that a program loads, relative to it, and the number of all modules, those of libraries included.
 */
function load(args: readonly string[]): { files: readonly string[]; modules: number; status: number | null } {
  const { stderr, status } = runNode(["--import", preload, ...args], { cwd: createFolder() });
  const src = `${pathToFileURL(fileOf("src")).href}/`;
  const urls = stderr.split("\n").filter((line) => line.startsWith("file:"));
  const files = urls.flatMap((url) => (url.startsWith(src) ? [url.slice(src.length)] : []));
  return { files, modules: new Set(urls).size, status };
}

const cli = (...args: string[]) => [fileOf("bin/perplab.js"), ...args];
const module = (path: string) => [
  "--input-type=module",
  "--eval",
  `await import(${JSON.stringify(pathToFileURL(fileOf(path)).href)})`,
];
const BACKTEST = cli("backtest", "trend", "--data", fileOf("data/BTC-PERP-klines-1h-2024.csv.gz"), "--json");

/** What each program loads, and a file that shows that it ran. */
const PROGRAMS: Readonly<Record<string, { args: readonly string[]; allowed: RegExp; shown: string }>> = {
  "perplab backtest --help": {
    args: cli("backtest", "--help"),
    allowed: /^cli\/(main|help|helpPages)\.ts$/,
    shown: "cli/helpPages.ts",
  },
  "perplab backtest --no-color --help": {
    args: cli("backtest", "--no-color", "--help"),
    allowed: /^(cli|ground)\//,
    shown: "cli/commands/backtest.ts",
  },
  "perplab backtest": {
    args: BACKTEST,
    allowed: /^(cli|product|venue|client|protocol|ground)\//,
    shown: "venue/engine/applyBlock.ts",
  },
  "perplab scenario run": {
    args: cli("scenario", "run", fileOf("scenarios/accounts/created-by-what-comes-in.yaml")),
    allowed: /^(cli|product|venue|client|protocol|ground|proof\/invariants)\//,
    shown: "proof/invariants/statements.ts",
  },
  "perplab/sdk": {
    args: module("src/client/sdk/index.ts"),
    allowed: /^(client|protocol|ground)\//,
    shown: "client/sdk/index.ts",
  },
  "perplab/sdk/node": {
    args: module("src/client/sdk/node.ts"),
    allowed: /^(client|protocol|ground)\//,
    shown: "client/sdk/node.ts",
  },
  "perplab/strategy": {
    args: module("src/client/strategy/index.ts"),
    allowed: /^(client|protocol|ground)\//,
    shown: "client/strategy/index.ts",
  },
  "perplab/engine": {
    args: module("src/venue/index.ts"),
    allowed: /^(venue|protocol|ground)\//,
    shown: "venue/engine/applyBlock.ts",
  },
};

// Goal: a program loads the wings that it needs: a backtest no laboratory and no service, a client no venue. Method: a
// loader reports every file of src that Node loads while the program runs.
test.each(Object.entries(PROGRAMS))("%s loads no other wing", (_name, { args, allowed, shown }) => {
  const { files, status } = load(args);
  expect(status).toBe(0);
  expect(files).toContain(shown);
  expect(files.filter((file) => !allowed.test(file))).toEqual([]);
});

const imports = fileOf("bin/imports.js");

/** The most modules of a start; each costs a fifth of a millisecond. Little above what is loaded today. */
const STARTS: readonly (readonly [name: string, args: readonly string[], most: number])[] = [
  ["perplab --version", cli("--version"), 6],
  ["perplab --help", cli("--help"), 8],
  ["perplab backtest --help", cli("backtest", "--help"), 8],
  ["perplab backtest --no-color --help", cli("backtest", "--no-color", "--help"), 24],
  ["perplab backtest", BACKTEST, 535],
  ["perplab/backtest in a thread", ["--require", imports, ...module("src/product/backtest/index.ts")], 433],
];

// Goal: the start of a process stays short. Method: modules are counted, which no load of the machine changes.
describe("the number of modules of a start is limited", () => {
  test.each(STARTS)("%s", (_name, args, most) => {
    const { modules, status } = load(args);
    expect(status).toBe(0);
    expect(modules).toBeLessThanOrEqual(most);
  });

  test("a library that is imported at the start exceeds it", () => {
    const [, args, most] = STARTS[4]!;
    expect(
      load(["--import", pathToFileURL(fileOf("node_modules/yaml/dist/index.js")).href, ...args]).modules,
    ).toBeGreaterThan(most);
  });
});
