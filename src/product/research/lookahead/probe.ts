import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import { isBacktestError } from "../../backtest/errors.ts";
import type { BacktestOptions } from "../../backtest/options.ts";
import { runBacktest } from "../../backtest/runBacktest.ts";
import type { EventSource } from "../../market-data/types.ts";
import { changeSource, type FirstChange } from "./changedSource.ts";
import type { Decision } from "./decision.ts";
import type { FileRead } from "./fileWatch.ts";
import type { Future } from "./future.ts";

/** Settings of a run that a thread can be sent. */
export type ProbeSettings = Omit<BacktestOptions, "strategy" | "data" | "log" | "onProgress">;

/** One run of a strategy that is loaded for it alone. */
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

/** Runs a strategy over data and keeps its decisions. */
export async function runProbe(
  { settings, future, untilMs, isRepeated }: ProbeJob,
  strategy: AnyStrategy,
  data: EventSource,
): Promise<Omit<ProbeResult, "reads" | "builtins">> {
  const changed = future === undefined ? undefined : changeSource(data, future, untilMs);
  const options: BacktestOptions = { ...settings, strategy, data: changed ?? data };
  const run = await recordDecisions(options);
  const repeated = isRepeated === true ? await recordDecisions(options) : undefined;
  return { ...run, repeated: repeated?.decisions, firstChange: changed?.firstChange };
}

async function recordDecisions(options: BacktestOptions) {
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
  const onSend = ({ timeMs, action, payload }: Decision) => {
    if (hasBegun) decisions.push({ timeMs, action, payload });
  };
  try {
    await runBacktest(options, { observers: [observer], onSend });
  } catch (error) {
    if (!isBacktestError(error, "STRATEGY_FAILED")) throw error;
    failure = { message: error.message, place: error.place };
  }
  return { decisions, fromMs, toMs, failure };
}
