/**
 * `perplab/backtest`: a strategy against recorded data, in the venue.
 *
 *     const data = await openData(["BTC-PERP=BTCUSDT-1h-2024.csv"]);
 *     const { report } = await runBacktest({ strategy, data, leverage: 10 });
 *
 * Several strategies in one venue: `runBacktest({ strategies: [{ name, strategy, deposit }, …], data })`.
 */
export type { BacktestResult, StrategyResult } from "./backtestResult.ts";
export { BacktestError, type BacktestErrorCode, isBacktestError } from "./errors.ts";
export { type ExportName, exportTables } from "./exports/definitions.ts";
export {
  type BacktestOptions,
  type BacktestProgress,
  DEFAULTS,
  INTRABAR_ORDERS,
  type IntrabarOrder,
  type PortfolioOptions,
  parseFees,
} from "./options.ts";
export { type BacktestHooks, runBacktest } from "./runBacktest.ts";
export type { RunStop } from "./runStop.ts";
export type { LogLine, StrategyMetric } from "./strategyNotes.ts";
export type { AccountOptions, StrategyOptions } from "./strategyOptions.ts";
