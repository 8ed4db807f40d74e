import { countOf } from "../../ground/math/counts.ts";
import type { BacktestResult } from "../../product/backtest/backtestResult.ts";
import type { BacktestOptions, PortfolioOptions } from "../../product/backtest/options.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { addRunOptions } from "../runOptions.ts";
import type { Terminal } from "../terminal.ts";
import { defined, readDuration, readWhole } from "../values.ts";
import type { BacktestWords } from "./backtest/readRun.ts";

const SAMPLE =
  "data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-markPriceKlines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv";

/** A strategy against recorded data. */
export const backtestCommand = defineCommand<BacktestWords>({
  name: "backtest",
  summary: "Run a strategy against recorded market data, in the venue",
  description:
    "Replays recorded market data in the venue, with a strategy that trades in the same book, and reports the " +
    "result. The strategy is the name of an example or the path of your own file; a file of several strategies " +
    "lets them trade side by side, each with its own account. The data is a tape or the " +
    "source files themselves, as [MARKET[:LAYOUT]=]PATH. Shows a summary; --out writes the report. Everything that " +
    "decides the result is in the report, with the command that repeats the run.",
  examples: [
    {
      args: `backtest trend --data ${SAMPLE} --leverage 3 --out report.html report.json`,
      does: "Trend following over a year of hourly bars, with the report as one HTML file and as JSON",
    },
    {
      args: `backtest trend --data ${SAMPLE} --leverage 3 --out fills.csv orders.csv trades.parquet equity.parquet`,
      does: "Every fill and order as CSV, round trips and the equity curve as Parquet",
    },
    {
      args:
        `backtest trend --data ${SAMPLE} --from 2024-07-01 --to 2024-08-01 ` +
        "--param fast=12 slow=48 --leverage 10 --fees 0.0002/0.0005 --latency 500 --log crash.log",
      does: "The month of the crash, with other parameters, fees and latency, and a block log to verify",
    },
    {
      args: "backtest maker --data data/BTC-PERP-aggTrades-2024-03-05.csv.gz --leverage 5 --json",
      does: "A market maker over a day of trades, with the report as JSON for a program",
    },
    {
      args: "backtest trend --data data/BTC-PERP-klines-1m-2024-07-19.csv.gz --check-lookahead",
      does: "Check that no decision of a strategy depends on data that was not known yet",
    },
  ],
  configure(command) {
    command
      .argument(
        "<strategy>",
        "name of an example, path of a strategy file, or a .yaml or .json file of several strategies",
      )
      .requiredOption("-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")
      .option(
        "-p, --param <name=value...>",
        "parameters of the strategy; `perplab strategies <name>` lists them; of one of several: fast@bold=12",
      )
      .option(
        "--account <name=value...>",
        "of a file of several strategies: settings of accounts over those of the file: leverage@bold=3",
      );
    addRunOptions(command)
      .option("--seed <text>", "seed of the strategy's random numbers (default: 1)")
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow")
      .option(
        "-o, --out <file...>",
        "write the report: .html, .json, .md or .txt, or a folder/ for the first three; and tables, .csv or .parquet, " +
          "named by the last word: fills, orders, trades, funding, equity, adjustments",
      )
      .option(
        "--equity-interval <length>",
        "time between two rows of the table equity: 1m, 1h, 1d (default: the shortest bar of the run)",
        readDuration("--equity-interval"),
      )
      .option("--log <file>", "write the block log, for `perplab verify`; must not exist")
      .option("--notes <file>", "write the lines that the strategy logged")
      .option(
        "--bundle <file>",
        "write the run as one file that `perplab rerun` proves: strategy, options, data, result",
      )
      .option(
        "--check-lookahead [moments]",
        "instead of a report: check at so many moments that no decision depends on later data (default: 8)",
        readWhole("--check-lookahead", LOOKAHEAD_MOST),
      );
  },
  async run(context, [strategy = ""], options) {
    if (options.checkLookahead !== undefined) {
      const { planOutputs } = await import("../outputs.ts");
      const { readRun } = await import("./backtest/readRun.ts");
      const { tables } = await planOutputs(options.out ?? []);
      await checkForLookahead(context, strategy, await readRun(context, strategy, { ...options, tables }), options);
      return;
    }
    const { makeBacktest } = await import("./backtest/makeBacktest.ts");
    const { result, failure, written } = await makeBacktest(context, strategy, options);
    await print(context, result, written);
    if (failure !== undefined) throw failure;
  },
});

/** Options for files that a look-ahead check does not make. */
const WRITERS = ["out", "log", "notes", "bundle"] as const;

async function checkForLookahead(
  context: Context,
  name: string,
  run: Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data">,
  options: BacktestWords,
): Promise<void> {
  const written = WRITERS.find((option) => options[option] !== undefined);
  if (written !== undefined) {
    throw usageError("OPTION_INVALID", "not written by a look-ahead check", {
      place: `--${written}`,
      hint: "leave it out, or run the backtest once more without --check-lookahead",
    });
  }
  const cuts = options.checkLookahead === true ? 8 : options.checkLookahead!;
  if (cuts < 1) {
    throw usageError("OPTION_INVALID", "a check needs at least 1 moment", {
      place: "--check-lookahead",
      hint: "write a number from 1 on, or no number for 8",
    });
  }
  const { checkRun } = await import("./backtest/checkLookahead.ts");
  const { openSources } = await import("../openSources.ts");
  const data = await openSources(context, options);
  try {
    const { data: sources, allow, deny } = options;
    await checkRun(context, { name, options: run, cuts, sources, data, ...defined({ allow, deny }) });
  } finally {
    await data.close();
  }
}

/** More moments take as many times as long, and find nothing that some hundred do not. */
const LOOKAHEAD_MOST = 1_000;

async function print({ terminal, json }: Context, result: BacktestResult, written: readonly string[]): Promise<void> {
  if (json) {
    const { renderJson } = await import("../../product/report/json.ts");
    terminal.out(renderJson(result.report).trimEnd());
    return;
  }
  const { renderTerminal } = await import("../../product/report/terminal.ts");
  terminal.out(renderTerminal(result.report, { colors: terminal.color }).trimEnd());
  printLogs(terminal, result);
  if (written.length > 0) terminal.out(["", "Written", ...written.map((path) => `  ${path}`)].join("\n"));
}

/** How many lines the strategies logged. */
function printLogs(terminal: Terminal, { strategies }: BacktestResult): void {
  for (const { name, logs } of strategies) {
    if (logs.length > 0) {
      const who = strategies.length === 1 ? "The strategy" : name;
      terminal.out(`\n${who} logged ${countOf(logs.length, "line")}; --notes writes them.`);
    }
  }
}
