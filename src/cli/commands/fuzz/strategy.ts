import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { StrategyAssertion } from "../../../proof/fuzz/strategy/assertions.ts";
import type { MarketScript } from "../../../proof/fuzz/strategy/marketScript.ts";
import type { BrokenAssertion, StrategySetup } from "../../../proof/fuzz/strategy/runStrategy.ts";
import type { StrategySearch } from "../../../proof/fuzz/strategy/searchStrategy.ts";
import { type Context, defineCommand } from "../../command.ts";
import { failure, usageError } from "../../fail.ts";
import { formatTime } from "../../format.ts";
import { withProgress } from "../../progress.ts";
import { readWhole } from "../../values.ts";
import { ASSERTION_WORDS } from "./words.ts";

interface Options {
  readonly assert?: readonly string[];
  readonly leverage?: number;
  readonly deposit?: string;
  readonly param?: readonly string[];
  readonly attempts?: number;
  readonly seed?: number;
  readonly market?: string;
  readonly out?: string;
}

const DEFAULT_ASSERTIONS = ["no-liquidation"];

/** Looks for a market that breaks a strategy's promises. */
export const fuzzStrategyCommand = defineCommand<Options>({
  name: "strategy",
  summary: "Search for a market that breaks an assertion of a strategy",
  description:
    "Runs a strategy through generated markets: trends, gaps, wicks, cascades, a mark that stalls, a thin book, " +
    "funding at its cap. If an assertion breaks, the market is shrunk and printed as a script of a few lines. Exit " +
    "code 1 when one breaks.",
  examples: [
    {
      args: "fuzz strategy trend --assert no-liquidation max-drawdown=0.99 --attempts 5",
      does: "Does the strategy survive without leverage?",
    },
    {
      args: "fuzz strategy maker --assert max-position=100 --attempts 5 --seed 7 --json",
      does: "Another assertion, in other markets, for a program",
    },
  ],
  configure(command) {
    command
      .argument("<strategy>", "name of an example, or path of a strategy file")
      .option(
        "--assert <assertion...>",
        `${ASSERTION_WORDS.join(", ")}, or a module that exports assertions (default: ${DEFAULT_ASSERTIONS.join(" ")})`,
      )
      .option("-l, --leverage <multiple>", "leverage, a whole number (default: 1)", readWhole("--leverage"))
      .option("--deposit <usd>", "collateral at the start (default: 10000)")
      .option("-p, --param <name=value...>", "parameters of the strategy")
      .option("--attempts <n>", "markets to try (default: 500)", readWhole("--attempts"))
      .option("--seed <n>", "the same seed tries the same markets (default: 1)", readWhole("--seed"))
      .option("--market <file>", "run one market script, a segment a line, instead of searching")
      .option("-o, --out <folder>", "write the market: the script, and its bars, marks and funding as CSV");
  },
  async run(context, [name = ""], options) {
    const setup = await readSetup(name, options);
    const assertions = await readAssertions(options.assert ?? DEFAULT_ASSERTIONS);
    const found = await search(context, setup, assertions, options);
    const { formatScript } = await import("../../../proof/fuzz/strategy/marketScript.ts");
    const lines = found.script === undefined ? [] : formatScript(found.script);
    const files = found.script === undefined || options.out === undefined ? [] : await write(options.out, found.script);
    const again = files.length === 0 ? context.call(["out"]) : replayCommand(name, options, files[0]!);
    const charts = files.length === 0 ? undefined : chartsCommand(name, options, files.slice(1));
    const { terminal, json } = context;
    if (json) terminal.out(JSON.stringify(toJson(assertions, found, lines, files), undefined, 2));
    else terminal.out(describe(assertions, found, lines, { again, charts }));
    const { outcome } = found;
    if (outcome?.error !== undefined) {
      throw failure("STRATEGY_FAILED", outcome.error.message, { place: name, cause: outcome.error });
    }
    if (outcome?.broken !== undefined) throw failure("ASSERTION_BROKEN", outcome.broken.sentence, { place: name });
  },
});

async function readSetup(name: string, { leverage, deposit, param }: Options): Promise<StrategySetup> {
  const { loadStrategy } = await import("../../loadStrategy.ts");
  const { parseParams } = await import("../../../client/strategy/params.ts");
  const { strategy } = await loadStrategy(name);
  return {
    strategy,
    params: parseParams(strategy.params, param ?? []) as StrategySetup["params"] & object,
    ...(leverage === undefined ? {} : { leverage }),
    ...(deposit === undefined ? {} : { deposit }),
  };
}

async function readAssertions(texts: readonly string[]): Promise<StrategyAssertion[]> {
  const { parseAssertion } = await import("../../../proof/fuzz/strategy/assertions.ts");
  const list: StrategyAssertion[] = [];
  for (const text of texts) {
    const own = /\.[cm]?[jt]s$/.test(text) ? await loadAssertions(text) : parseAssertion(text);
    if (own === undefined) {
      const hint = `use ${ASSERTION_WORDS.join(", ")}, or the path of a module`;
      throw usageError("ASSERTION_INVALID", `${JSON.stringify(text)} is no assertion`, { place: "--assert", hint });
    }
    list.push(...(Array.isArray(own) ? own : [own]));
  }
  return list;
}

async function loadAssertions(path: string): Promise<StrategyAssertion[]> {
  const { registerSelfImports } = await import("../../selfImports.ts");
  registerSelfImports();
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    throw failure("ASSERTION_INVALID", `the module does not load: ${(error as Error).message}`, {
      place: path,
      cause: error,
    });
  }
  const list = Object.values(module)
    .flat()
    .filter((value): value is StrategyAssertion => {
      const one = value as Partial<StrategyAssertion> | null;
      return typeof one === "object" && typeof one?.id === "string" && typeof one.slack === "function";
    });
  if (list.length > 0) return list;
  const hint = "export what `defineAssertion({ id, sentence, slack })` returns";
  throw failure("ASSERTION_INVALID", "the module exports no assertion", { place: path, hint });
}

async function search(
  { terminal }: Context,
  setup: StrategySetup,
  assertions: readonly StrategyAssertion[],
  { market, seed = 1, attempts = 500 }: Options,
): Promise<StrategySearch> {
  if (market !== undefined) {
    const { runStrategy } = await import("../../../proof/fuzz/strategy/runStrategy.ts");
    const script = await readScript(market);
    const outcome = await runStrategy(setup, script, assertions);
    const held = outcome.broken === undefined && outcome.error === undefined;
    return {
      script: held ? undefined : script,
      outcome: held ? undefined : outcome,
      attempts: 1,
      shrinks: 0,
      slack: outcome.slack,
    };
  }
  const { searchStrategy } = await import("../../../proof/fuzz/strategy/searchStrategy.ts");
  return withProgress(terminal, { label: "searching", total: attempts, unit: "markets" }, (progress) =>
    searchStrategy({
      setup,
      assertions,
      seed,
      attempts,
      onProgress: (done, slack) => progress.update(done, `least slack ${slack.toFixed(3)}`),
    }),
  );
}

async function readScript(path: string): Promise<MarketScript> {
  const { parseScript } = await import("../../../proof/fuzz/strategy/marketScript.ts");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw usageError("FILE_MISSING", "the market script cannot be read", { place: path, cause: error });
  }
  const script = parseScript(text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")));
  if ("reason" in script) throw usageError("SCRIPT_INVALID", script.reason, { place: `${path}:${script.line}` });
  return script;
}

async function write(folder: string, script: MarketScript): Promise<string[]> {
  const { formatScript, playScript } = await import("../../../proof/fuzz/strategy/marketScript.ts");
  const { filesOf } = await import("../../../proof/fuzz/strategy/scriptSource.ts");
  const { reserveFiles, writeWholeFiles } = await import("../../writeFile.ts");
  const { klines, marks, funding } = filesOf(playScript(script));
  const files = [
    { path: join(folder, "market.txt"), text: `${formatScript(script).join("\n")}\n` },
    { path: join(folder, "TEST-PERP-klines-15m.csv"), text: klines },
    { path: join(folder, "TEST-PERP-markPriceKlines-15m.csv"), text: marks },
    { path: join(folder, "TEST-PERP-fundingRate.csv"), text: funding },
  ];
  await reserveFiles(files.map(({ path }) => path));
  await writeWholeFiles(files);
  return files.map(({ path }) => path);
}

/** Runs the market that was written, with the same promises. */
function replayCommand(name: string, options: Options, market: string): string {
  const { assert = DEFAULT_ASSERTIONS } = options;
  return formatCommand([
    ...["fuzz", "strategy", name, "--assert", ...assert, "--market", market],
    ...moneyWords(options),
  ]);
}

/** Runs the market's files as a backtest, with a report. */
function chartsCommand(name: string, options: Options, files: readonly string[]): string {
  return formatCommand(["backtest", name, "--data", ...files, ...moneyWords(options), "--out", "report.html"]);
}

function moneyWords({ leverage = 1, deposit, param }: Options): string[] {
  return [
    ...["--leverage", `${leverage}`],
    ...(deposit === undefined ? [] : ["--deposit", deposit]),
    ...(param === undefined ? [] : ["--param", ...param]),
  ];
}

function describe(
  assertions: readonly StrategyAssertion[],
  { outcome, attempts, shrinks, slack }: StrategySearch,
  lines: readonly string[],
  { again, charts }: { readonly again: string; readonly charts: string | undefined },
): string {
  if (outcome === undefined) {
    const rows = assertions.map(({ id }, at) => `  ${id}: least slack ${slack[at]!.toFixed(4)}`);
    return [`${countOf(attempts, "market")}, and every assertion held`, ...rows].join("\n");
  }
  const what = outcome.broken === undefined ? "the strategy failed" : `${outcome.broken.assertion} does not hold`;
  return [
    `${what}, found in market ${formatCount(attempts)}, shrunk in ${countOf(shrinks, "run")}:`,
    "",
    ...lines.map((line) => `  ${line}`),
    "",
    ...(outcome.broken === undefined ? [] : viewLines(outcome.broken)),
    "",
    `again: ${again}`,
    ...(charts === undefined ? [] : [`with charts: ${charts}`]),
  ].join("\n");
}

function viewLines({ view }: BrokenAssertion): string[] {
  return [
    `  at ${formatTime(view.timeMs)}, block ${view.height}, mark ${view.mark}`,
    `  equity ${view.equity.toFixed(2)}, maintenance ${view.maintenance.toFixed(2)}, position ${view.position}`,
  ];
}

function toJson(
  assertions: readonly StrategyAssertion[],
  { outcome, attempts, shrinks, slack }: StrategySearch,
  script: readonly string[],
  files: readonly string[],
): object {
  const held = assertions.map(({ id, sentence }, at) => ({ id, sentence, leastSlack: slack[at] }));
  return {
    attempts,
    shrinks,
    assertions: held,
    broken: outcome?.broken,
    error: outcome?.error?.message,
    script,
    files,
  };
}
