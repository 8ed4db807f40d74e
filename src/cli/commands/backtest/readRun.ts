import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import type { BacktestOptions, PortfolioOptions } from "../../../product/backtest/options.ts";
import type { Context } from "../../command.ts";
import type { PolicyOptions } from "../../policy.ts";
import { isPortfolioFile, refuseAccount } from "../../portfolioName.ts";
import { type RunOptions, readRunOptions } from "../../runOptions.ts";
import { defined } from "../../values.ts";

/** Options of a backtest as the command line reads them. */
export interface BacktestWords extends PolicyOptions, RunOptions {
  readonly data: readonly string[];
  readonly param?: readonly string[];
  readonly account?: readonly string[];
  readonly seed?: string;
  readonly log?: string;
  readonly out?: readonly string[];
  readonly equityInterval?: number;
  readonly notes?: string;
  readonly bundle?: string;
  readonly checkLookahead?: true | number;
}

/** Finds a strategy by the name that the call gives it. */
export type LoadStrategy = (name: string) => Promise<{ readonly strategy: AnyStrategy }>;

/** Everything of a run except its data, so that faults are found before the data is read. */
export async function readRun(
  context: Context,
  name: string,
  given: BacktestWords & { readonly tables: readonly string[] },
  load?: LoadStrategy,
): Promise<Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data">> {
  const isOfSeveral = load === undefined && isPortfolioFile(name);
  return isOfSeveral ? readPortfolio(context, name, given) : readOptions(context, name, given, load);
}

/** The same of one strategy. */
async function readOptions(
  context: Context,
  name: string,
  given: BacktestWords & { readonly tables: readonly string[] },
  load?: LoadStrategy,
): Promise<Omit<BacktestOptions, "data">> {
  if (given.account !== undefined) throw refuseAccount();
  const { parseParams } = await import("../../../client/strategy/params.ts");
  const { loadStrategy } = await import("../../loadStrategy.ts");
  const { strategy } = await (load ?? loadStrategy)(name);
  const run = defined({
    strategy,
    params: parseParams(strategy.params, given.param ?? []) as NonNullable<BacktestOptions["params"]>,
    ...(await readShared(context, given)),
  });
  const { resolveSettings } = await import("../../../product/backtest/options.ts");
  resolveSettings(run);
  return run;
}

/** The same of several strategies: options of accounts are those of each strategy whose entry has none. */
async function readPortfolio(
  context: Context,
  path: string,
  given: BacktestWords & { readonly tables: readonly string[] },
): Promise<Omit<PortfolioOptions, "data">> {
  const { readPortfolioFile } = await import("../../portfolioFile.ts");
  const { changePortfolio } = await import("../../changePortfolio.ts");
  const entries = await changePortfolio(await readPortfolioFile(path), given);
  const run = defined({ strategies: entries.map(({ options }) => options), ...(await readShared(context, given)) });
  const { resolveSettings } = await import("../../../product/backtest/options.ts");
  resolveSettings(run);
  return run;
}

/** Options of a run that do not depend on its strategy. */
async function readShared(context: Context, given: BacktestWords & { readonly tables: readonly string[] }) {
  return {
    ...(await readRunOptions(given)),
    seed: given.seed,
    log: given.log,
    tables: given.tables,
    equityMs: given.equityInterval,
    command: context.call(["out", "equityInterval", "log", "notes", "bundle"]),
  };
}
