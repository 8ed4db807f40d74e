import { extname } from "node:path";
import { type CliError, usageError } from "./fail.ts";

const ENDINGS = [".yaml", ".yml", ".json"];

/** Whether the name of a strategy is that of a file with several. */
export function isPortfolioFile(nameOrPath: string): boolean {
  return ENDINGS.includes(extname(nameOrPath).toLowerCase());
}

/** A command that takes one strategy refuses a file of several. */
export function refusePortfolio(path: string): CliError {
  return usageError(
    "STRATEGY_EXPECTED",
    "a file of several strategies is for perplab backtest, sweep, walk-forward and bundles; this takes one strategy",
    {
      place: path,
      hint: "name one of its strategies by its example or its own file",
    },
  );
}

/** Settings of accounts by the name of their strategy are for a file of several. */
export function refuseAccount(): CliError {
  return usageError("OPTION_INVALID", "--account is for a file of several strategies", {
    place: "--account",
    hint: "give the settings of one account as --deposit, --leverage, --margin, --latency and --seed",
  });
}
