import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import { isBacktestError } from "../../backtest/errors.ts";
import type { BacktestOptions, PortfolioOptions } from "../../backtest/options.ts";
import { runBacktest } from "../../backtest/runBacktest.ts";
import type { StrategyOptions } from "../../backtest/strategyOptions.ts";
import type { EventSource } from "../../market-data/types.ts";
import { changeSource, type FirstChange } from "./changedSource.ts";
import type { Decision } from "./decision.ts";
import type { FileRead } from "./fileWatch.ts";
import type { Future } from "./future.ts";

/**
 * Settings of a run that a thread can be sent: of one strategy, or of several in the order in which they are loaded.
 */
export type ProbeSettings = Omit<BacktestOptions, "strategy" | "data" | "log" | "onProgress"> & {
  readonly strategies?: readonly Omit<StrategyOptions, "strategy">[];
};

/** One run of strategies that are loaded for it alone. */
export interface ProbeJob {
  readonly settings: ProbeSettings;
  /** Default: the data as recorded. */
  readonly future?: Future;
  /** The data ends after this time. Default: where it ends. */
  readonly untilMs?: number;
  /** Files that the strategy reads in place of others, by their real path. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** Run a second time with the same loaded module, to see whether it keeps anything. */
  readonly isRepeated?: boolean;
}

/** The decisions of a run, and the files that the strategy read. */
export interface ProbeResult {
  readonly decisions: readonly Decision[];
  /** Of the second run, where one was asked for. */
  readonly repeated: readonly Decision[] | undefined;
  /** Times of the first and the last block. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly firstChange: FirstChange | undefined;
  readonly reads: readonly FileRead[];
  /** Modules of Node that the strategy imports. */
  readonly builtins: readonly string[];
  /** A hook that threw: the run ended there. */
  readonly failure: { readonly message: string; readonly place: string | undefined } | undefined;
}

/** Runs a job: in a thread of its own, or, for a strategy from code, with a function that makes it. */
export type Prober = (job: ProbeJob) => Promise<ProbeResult>;

/** Runs strategies over data and keeps their decisions. */
export async function runProbe(
  { settings, future, untilMs, isRepeated }: ProbeJob,
  loaded: AnyStrategy | readonly AnyStrategy[],
  data: EventSource,
): Promise<Omit<ProbeResult, "reads" | "builtins">> {
  const changed = future === undefined ? undefined : changeSource(data, future, untilMs);
  const options = { ...joinStrategies(settings, [loaded].flat()), data: changed ?? data };
  const run = await recordDecisions(options);
  const repeated = isRepeated === true ? await recordDecisions(options) : undefined;
  return { ...run, repeated: repeated?.decisions, firstChange: changed?.firstChange };
}

function joinStrategies({ strategies, ...settings }: ProbeSettings, loaded: readonly AnyStrategy[]) {
  if (strategies === undefined) return { ...settings, strategy: loaded[0]! };
  return { ...settings, strategies: strategies.map((one, place) => ({ ...one, strategy: loaded[place]! })) };
}

async function recordDecisions(options: BacktestOptions | PortfolioOptions) {
  const decisions: Decision[] = [];
  let hasBegun = false;
  let fromMs = 0;
  let toMs = 0;
  let failure: ProbeResult["failure"];
  const observer = {
    onStart: () => {
      hasBegun = true;
    },
    onBlock: (_: unknown, { timeMs }: { readonly timeMs: number }) => {
      if (fromMs === 0) fromMs = timeMs;
      toMs = timeMs;
    },
  };
  // The leverage that every run sets before its first block is no decision of the strategy.
  const onSend = ({ timeMs, action, payload }: Omit<Decision, "strategy">, strategy: string) => {
    if (hasBegun) decisions.push({ strategy, timeMs, action, payload });
  };
  try {
    await runBacktest(options, { observers: [observer], onSend });
  } catch (error) {
    if (!isBacktestError(error, "STRATEGY_FAILED")) throw error;
    failure = { message: error.message, place: error.place };
  }
  return { decisions, fromMs, toMs, failure };
}
