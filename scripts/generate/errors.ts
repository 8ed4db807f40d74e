/** Renders `docs/reference/errors.md`: every error code of the commands and functions of the package. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describeFailure, EXIT } from "../../src/cli/fail.ts";
import { StrategyError, type StrategyErrorCode } from "../../src/client/strategy/errors.ts";
import { BacktestError, type BacktestErrorCode } from "../../src/product/backtest/errors.ts";
import { ClusterError, type ClusterErrorCode } from "../../src/product/cluster/queue/errors.ts";
import { ReplayError, type ReplayErrorCode } from "../../src/product/replay/errors.ts";
import { BundleError, type BundleErrorCode } from "../../src/product/research/bundle/errors.ts";
import { SweepError, type SweepErrorCode } from "../../src/product/research/sweep/errors.ts";
import { WalkForwardError, type WalkForwardErrorCode } from "../../src/product/research/walk-forward/errors.ts";
import { FreezeError, type FreezeErrorCode } from "../../src/product/scenario/freeze/errors.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/errors.md";

const root = join(import.meta.dirname, "../..");

/** Errors of the command line itself; their meanings are only here. */
const CLI_CODES: Readonly<Record<string, string>> = {
  USAGE: "an unknown command or option, or a missing argument",
  OPTION_INVALID: "an option with an invalid value",
  OPTION_MISSING: "an option that another option requires is missing",
  GENESIS_INVALID: "a genesis file that is not a JSON object, or does not describe a venue",
  VENUE_STOPPED: "the venue stopped by itself because its store is no longer reliable",
  PORT_TAKEN: "a port on which another program listens",
  ADDRESS_UNKNOWN: "an address that this machine cannot listen on",
  FINDING_UNKNOWN: "a word of `--allow` or `--deny` that is not the name of a finding",
  STRATEGY_UNKNOWN: "neither an example with this name nor a file with this path",
  STRATEGY_BROKEN: "a strategy file that does not load, or a strategy that ends the process",
  STRATEGY_EXPECTED: "a file of several strategies where one strategy is taken",
  PORTFOLIO_INVALID: "a file of several strategies that is none, with the line",
  STRATEGY_INVALID: "a strategy file whose default export is not a strategy",
  STRATEGY_UNREPEATABLE: "a strategy that decides differently in two equal runs of a look-ahead check",
  LOOKAHEAD_FOUND: "a strategy with a decision that depends on data that was not known yet",
  LOOKAHEAD_UNPROVED: "a strategy that reads data of its own run which the check could not change for it",
  LOOKAHEAD_VACUOUS: "a strategy that decided nothing in its look-ahead check; exit code 3",
  DATA_DIFFERS: "streams of recorded data that contradict each other, where `tape check --strict` refuses it",
  RUNS_DIFFER: "two runs that `compare`, `bundle` or `rerun` found to differ; exit code 4",
  RUNS_UNLIKE: "a block log that is to be compared with a report",
  REPORT_COMMAND: "a report to bundle whose command does not make a run in this perplab",
  SCRIPT_FAILED: "a script of `perplab run` that throws or does not load",
  REPORT_FORMAT: "a file name whose ending is not a known format",
  OUTPUT_REPEATED: "a file that is named twice among those to be written",
  FILE_EXISTS: "a file to write that exists",
  FILE_EXPECTED: "a folder where a file should be",
  FOLDER_EXPECTED: "a file where a folder should be",
  FILE_MALFORMED: "a file that is neither YAML nor JSON; the place names line and column",
  FILE_MISSING: "no such file",
  FILE_FORBIDDEN: "a file or folder that may not be read or written",
  DISK_FULL: "no space left",
  LOG_TORN: "a block log that ends inside a record",
  SUBJECT_INVALID: "a subject to explain that has no known form",
  INJECTION_INVALID: "an injected transaction that is not valid; the message names its place in the list",
  SCENARIO_MISSING: "a path that is not a scenario file",
  SCENARIO_FAILED: "a scenario file that cannot run, or whose run differs from its expectations",
  SCENARIO_EXISTS: "a file to write that exists, or whose name is not the name of a scenario",
  CORPUS_MISSING: "a folder without cases",
  INVARIANT_FAILED: "a check of the user's own invariant that throws, or changes the venue",
  CASE_HOLDS: "a case to shrink that does not fail",
  SEARCH_VIOLATED: "a search or a replay that found a violation",
  EXPLOIT_FOUND: "a search that found an exploit",
  ASSERTION_BROKEN: "a strategy that breaks one of its assertions in some market",
  ASSERTION_INVALID: "an assertion that has no known form, or a module without an assertion",
  SCRIPT_INVALID: "a line of a market script that is not a segment",
  PATHS_VACUOUS: "a report with too few days and round trips to draw paths from; exit code 3",
  STORE_MISSING: "a folder of stored runs that is not there",
  STRATEGY_FAILED: "a strategy that throws in some market",
  SEARCH_VACUOUS: "a search that covered too little to prove anything; exit code 3",
  SEARCH_DIFFERS: "two runs of the same case differ; exit code 4",
  INTERNAL: "a fault in perplab itself, with its stack trace",
};

/** The classes whose codes are a union type, with a comment on every member. */
const TABLES: readonly { title: string; file: string; type: string; exitCode: (code: string) => number }[] = [
  { title: "Backtests", file: "src/product/backtest/errors.ts", type: "BacktestErrorCode", exitCode: exitOfBacktest },
  { title: "Replays", file: "src/product/replay/errors.ts", type: "ReplayErrorCode", exitCode: exitOfReplay },
  { title: "Strategies", file: "src/client/strategy/errors.ts", type: "StrategyErrorCode", exitCode: exitOfStrategy },
  {
    title: "Strategies of other programs",
    file: "src/product/strategy-host/errors.ts",
    type: "StrategyHostErrorCode",
    exitCode: exitOf,
  },
  { title: "Runs of a sweep", file: "src/product/research/runs/errors.ts", type: "RunErrorCode", exitCode: exitOf },
  { title: "Jobs of a command", file: "src/product/jobs/errors.ts", type: "JobErrorCode", exitCode: exitOf },
  {
    title: "Queues and workers",
    file: "src/product/cluster/queue/errors.ts",
    type: "ClusterErrorCode",
    exitCode: exitOfCluster,
  },
  { title: "Sweeps", file: "src/product/research/sweep/errors.ts", type: "SweepErrorCode", exitCode: exitOfSweep },
  {
    title: "Walk-forwards",
    file: "src/product/research/walk-forward/errors.ts",
    type: "WalkForwardErrorCode",
    exitCode: exitOfWalkForward,
  },
  { title: "Market data", file: "src/product/market-data/errors.ts", type: "DataErrorCode", exitCode: exitOf },
  {
    title: "Bundles",
    file: "src/product/research/bundle/errors.ts",
    type: "BundleErrorCode",
    exitCode: exitOfBundle,
  },
  {
    title: "Frozen scenarios",
    file: "src/product/scenario/freeze/errors.ts",
    type: "FreezeErrorCode",
    exitCode: exitOfFreeze,
  },
  { title: "Block logs", file: "src/venue/simulation/log/errors.ts", type: "LogErrorCode", exitCode: exitOf },
  {
    title: "Venues driven from code",
    file: "src/venue/simulation/driver/errors.ts",
    type: "DriverErrorCode",
    exitCode: exitOf,
  },
  { title: "Stores and dumps", file: "src/server/host/store/errors.ts", type: "StoreErrorCode", exitCode: exitOf },
  { title: "Hosts", file: "src/server/host/errors.ts", type: "HostErrorCode", exitCode: exitOf },
  { title: "Searches", file: "src/proof/fuzz/errors.ts", type: "FuzzErrorCode", exitCode: exitOf },
  { title: "Fuzz cases", file: "src/proof/fuzz/case/caseError.ts", type: "CaseFault", exitCode: exitOf },
  { title: "Formulas", file: "src/venue/formulas/formulaError.ts", type: "FormulaErrorCode", exitCode: exitOf },
  { title: "The client", file: "src/client/sdk/errors.ts", type: "ClientErrorCode", exitCode: exitOf },
  {
    title: "Checks before a signature",
    file: "src/client/sdk/transaction/preflightFailure.ts",
    type: "PreflightCode",
    exitCode: exitOf,
  },
  { title: "Tables", file: "src/product/tables/errors.ts", type: "TableErrorCode", exitCode: exitOf },
  { title: "Reports", file: "src/product/report/errors.ts", type: "ReportErrorCode", exitCode: exitOf },
];

function exitOfBacktest(name: string): number {
  return new BacktestError(name as BacktestErrorCode, "").exitCode;
}

function exitOfFreeze(name: string): number {
  return new FreezeError(name as FreezeErrorCode, "", { place: "" }).exitCode;
}

function exitOfCluster(code: string): number {
  return describeFailure(new ClusterError(code as ClusterErrorCode, "")).exitCode;
}

function exitOfBundle(name: string): number {
  return new BundleError(name as BundleErrorCode, "").exitCode;
}

function exitOfReplay(name: string): number {
  return new ReplayError(name as ReplayErrorCode, "", { place: "" }).exitCode;
}

function exitOfSweep(name: string): number {
  return new SweepError(name as SweepErrorCode, "").exitCode;
}

function exitOfWalkForward(name: string): number {
  return new WalkForwardError(name as WalkForwardErrorCode, "", { place: "", hint: "" }).exitCode;
}

function exitOfStrategy(name: string): number {
  return new StrategyError(name as StrategyErrorCode, "").exitCode;
}

function exitOf(name: string): number {
  return describeFailure(Object.assign(new Error(""), { code: name })).exitCode;
}

/** The members of a union of texts with the comment before or after each. */
function readUnion(file: string, name: string): [code: string, meaning: string][] {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const declaration = source.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name);
  if (declaration === undefined || !ts.isTypeAliasDeclaration(declaration) || !ts.isUnionTypeNode(declaration.type)) {
    throw new Error(`${file} has no union ${name}`);
  }
  return declaration.type.types.map((member) => {
    const before = text.slice(0, member.getStart()).match(/\/\*\* ([^\n]*?)\.? \*\/\s*\|? *$/)?.[1];
    const after = text.slice(member.end).match(/^;? *\/\/ ([^\n]*)/)?.[1];
    const meaning = before ?? after;
    if (meaning === undefined) throw new Error(`${file}: ${member.getText()} has no comment with its meaning`);
    return [member.getText().slice(1, -1), meaning];
  });
}

/** The members of an interface with the comment before each. */
function readInterface(file: string, name: string): [member: string, meaning: string][] {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const declaration = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  if (declaration === undefined || !ts.isInterfaceDeclaration(declaration)) throw new Error(`${file} has no ${name}`);
  return declaration.members.map((member) => {
    const meaning = ts.getJSDocCommentsAndTags(member)[0]?.comment;
    if (typeof meaning !== "string") throw new Error(`${file}: ${member.getText()} has no comment with its meaning`);
    return [member.name?.getText() ?? "", meaning];
  });
}

/** Code of a text that is not a transaction. */
const WIRE_CODE = "VALIDATION_ERROR";

/** Classes of errors that have one code, which they state themselves, with the first sentence of their comment. */
function listSingles(): [code: string, meaning: string][] {
  const found: [string, string][] = [];
  for (const file of globSync("src/**/*.ts", { cwd: root })) {
    const text = readFileSync(join(root, file), "utf8");
    if (!text.includes(" readonly code = ")) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const node of source.statements.filter(ts.isClassDeclaration)) {
      const member = node.members.filter(ts.isPropertyDeclaration).find((one) => one.name.getText() === "code");
      if (member?.initializer === undefined || !ts.isStringLiteral(member.initializer)) continue;
      const meaning = ts.getJSDocCommentsAndTags(node)[0]?.comment;
      if (typeof meaning !== "string") throw new Error(`${file}: ${node.name?.text} has no comment with its meaning`);
      const [sentence = ""] = meaning.split(/\.(?:\s|$)/);
      found.push([member.initializer.text, `${sentence[0]!.toLowerCase()}${sentence.slice(1)}`]);
    }
  }
  // A word alone is a code of Node, and the wire has a section of its own.
  const own = found.filter(([name]) => name.includes("_") && name !== WIRE_CODE);
  return own.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Codes that the command line throws, with their exit codes. */
function findCliCodes(): Map<string, number> {
  const found = new Map<string, number>([["INTERNAL", 1]]);
  for (const file of globSync("src/cli/**/*.ts", { cwd: root })) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, call, name] of text.matchAll(/\b(usageError|failure)\(\s*"([A-Z_]+)"/g)) {
      found.set(name!, call === "usageError" ? 2 : 1);
    }
    for (const [, exit, name] of text.matchAll(/\bCliError\(\s*EXIT\.(\w+),\s*"([A-Z_]+)"/g)) {
      found.set(name!, EXIT[exit as keyof typeof EXIT]);
    }
    for (const [, name, exit] of text.matchAll(/\{ code: "([A-Z_]+)", .* exitCode: EXIT\.(\w+) \}/g)) {
      found.set(name!, exit === "usage" ? 2 : 1);
    }
  }
  return found;
}

function renderCli(): string {
  const found = findCliCodes();
  const unknown = [...found.keys()].filter((name) => !Object.hasOwn(CLI_CODES, name));
  const gone = Object.keys(CLI_CODES).filter((name) => !found.has(name));
  if (unknown.length + gone.length > 0) {
    throw new Error(`scripts/generate/errors.ts: no meaning for ${unknown.join(", ")}; not thrown: ${gone.join(", ")}`);
  }
  return table(
    ["code", "exit", "when"],
    Object.entries(CLI_CODES).map(([name, meaning]) => [code(name), `${found.get(name)}`, meaning]),
  );
}

export function render(): string {
  const sections = TABLES.map(({ title, file, type, exitCode }) => {
    const rows = readUnion(file, type).map(([name, meaning]) => [code(name), `${exitCode(name)}`, meaning]);
    return `## ${title}\n\n${table(["code", "exit", "when"], rows)}\n`;
  });
  return `${generatedFrom("the error types of src")}
# Errors

An error is an input or an operation that failed: one error, with a stable code, the place, the reason, and usually a
hint. In code it is thrown, with the code in \`code\`. A command prints it and ends with the exit code below: 1 for work that
could not be done, 2 for a wrong call. An action that the venue refuses is not an error but a [rejection](rejections.md).

${sections.join("\n")}
## Errors of one code

${table(
  ["code", "exit", "when"],
  listSingles().map(([name, meaning]) => [code(name), `${exitOf(name)}`, meaning]),
)}

## The command line

${renderCli()}

## Engine and wire

${table(
  ["code", "when"],
  [
    [code(WIRE_CODE), "Text that is not a transaction, with its place ([the wire](wire.md))."],
    ...readInterface("src/protocol/engineError.ts", "Details").map(([name, meaning]) => [code(name), meaning]),
  ],
)}
`;
}
