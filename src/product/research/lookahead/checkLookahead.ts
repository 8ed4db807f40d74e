import type { ParamValue } from "../../../client/strategy/params.ts";
import { BacktestError } from "../../backtest/errors.ts";
import type { EventSource } from "../../market-data/types.ts";
import type { FirstChange } from "./changedSource.ts";
import { chooseCuts } from "./cuts.ts";
import { listDifferences, type StrategyDifference } from "./decision.ts";
import type { FileRead } from "./fileWatch.ts";
import { Findings } from "./findings.ts";
import { type Foresight, measureForesight } from "./foresight.ts";
import type { Future, FutureKind, FutureMarket } from "./future.ts";
import type { ProbeJob, ProbeResult, Prober } from "./probe.ts";
import type { FutureSeries } from "./seriesFuture.ts";
import { surveyPrices } from "./survey.ts";

/**
 * - `looksAhead`: a decision differs when only later data is changed, or the strategy, shown an unrelated market,
 *   trades with the recorded one
 * - `unrepeatable`: two equal runs decide differently, so that nothing can be compared
 * - `unproved`: the strategy reads data of its own run that this check cannot change for it
 * - `vacuous`: there was no decision to compare
 * - `disturbed`: of several strategies, another one looked ahead or was not repeatable, and its orders changed the
 *   market of this one
 * - `clean`: nothing was found
 *
 */
export type LookaheadVerdict = "looksAhead" | "unrepeatable" | "unproved" | "vacuous" | "disturbed" | "clean";

/** A decision that depends on data that was not known yet, or that two equal runs do not share. */
export interface DifferingDecision extends Omit<StrategyDifference, "name"> {
  /** Undefined where the runs were equal. */
  readonly future: { readonly kind: FutureKind; readonly cutMs: number; readonly seed: number } | undefined;
  readonly firstChange: FirstChange | undefined;
}

/** What a check found about one strategy. */
export interface StrategyFindings {
  readonly verdict: LookaheadVerdict;
  /** Decisions of the run over the data as recorded. */
  readonly decisions: number;
  readonly differs: DifferingDecision | undefined;
  /** In the unrelated market; undefined where nothing was bought or sold there. */
  readonly foresight: Foresight | undefined;
  /** A second run with the same loaded module decided differently: the module keeps something between runs. */
  readonly keepsState: boolean;
}

/** One of several strategies of a check. */
export interface CheckedStrategy extends StrategyFindings {
  readonly name: string;
  readonly id: string;
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** What a check found: of one strategy, or of several together, whose verdict is the worst. */
export interface LookaheadReport extends StrategyFindings {
  readonly kind: "lookahead";
  /** Of several: their names, without parameters. */
  readonly strategy: { readonly id: string; readonly params: Readonly<Record<string, ParamValue>> };
  /** Each of several strategies by name; empty for one. */
  readonly strategies: readonly CheckedStrategy[];
  readonly seed: number;
  /** Runs by their kind. */
  readonly runs: { readonly equal: number; readonly changed: number; readonly unrelated: number };
  readonly cuts: readonly number[];
  /** Files that the strategies opened, with what they are to the run. */
  readonly reads: readonly SeenFile[];
  /** Modules of Node that they import, through which they could read unwatched data. */
  readonly builtins: readonly string[];
}

export interface SeenFile extends FileRead {
  /**
   * `changed`: data of the run, which the strategy got with the changed future; `unchanged`: data of the run that could
   * not be; `other`: any other file.
   */
  readonly role: "changed" | "unchanged" | "other";
}

/** Files of the run's data, for a strategy that reads them itself. */
export interface DataCopies {
  /** Which of the files that a strategy opened are data of the run, by path. */
  recognise(reads: readonly FileRead[]): Promise<readonly string[]>;
  /** Writes copies of some with another future. A path without a copy is not in the result. */
  write(paths: readonly string[], future: Future): Promise<Readonly<Record<string, string>>>;
  /** Removes the last copies. */
  clear(): Promise<void>;
}

export interface LookaheadOptions {
  /** The strategies of the run by name. */
  readonly strategies: readonly {
    readonly name: string;
    readonly id: string;
    readonly params: CheckedStrategy["params"];
  }[];
  readonly settings: ProbeJob["settings"];
  readonly data: EventSource;
  readonly probe: Prober;
  /** Default: files are not recognised. */
  readonly copies?: DataCopies;
  /** Moments at which the data is cut. Default: 8. */
  readonly cuts?: number;
  /** Default: 1. */
  readonly seed?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export const DEFAULT_CUTS = 8;
const FUTURES: readonly FutureKind[] = ["mirrored", "otherPath"];

/**
 * Checks whether strategies use data before its time, each of them in the run of all.
 *
 * 1. Two equal runs must decide equally.
 * 2. For each cut, two runs see everything after the cut changed. What was decided up to the cut must be equal. Files
 *    of the run's data that the strategy opens itself are changed in the same way.
 * 3. In a market that has nothing to do with the data, decisions must not go with the recorded prices: that finds a
 *    strategy that carries the prices, or signals made of them, in a file or in its code.
 *
 * @throws whatever a run throws, except the failure of a hook after the first run
 */
export async function checkLookahead(options: LookaheadOptions): Promise<LookaheadReport> {
  const { settings, probe, data, copies, seed = 1, cuts: count = DEFAULT_CUTS } = options;
  const { depth, quote } = data.manifest.counts;
  if (depth + quote > 0) {
    throw new BacktestError("DATA_UNUSABLE", "the data has a recorded order book, of which no other future is made", {
      place: "data",
      hint: "check the strategy with trades or bars: leave the files of the book out",
    });
  }
  const total = 3 + FUTURES.length * count;
  let done = 0;
  const run = async (job: Omit<ProbeJob, "settings">): Promise<ProbeResult> => {
    const result = await probe({ settings, ...job });
    done++;
    options.onProgress?.(done, total);
    return result;
  };
  const base = await run({ isRepeated: true });
  if (base.failure !== undefined) throw Object.assign(new Error(base.failure.message), FAILED, base.failure);
  const again = await run({});
  const known = (await copies?.recognise(base.reads)) ?? [];
  const names = options.strategies.map(({ name }) => name);
  const report = new Findings(options.strategies, seed, base);
  report.compare("unrepeatable", listDifferences(base.decisions, again.decisions, Number.POSITIVE_INFINITY, names));
  if (report.hasFound) return report.end();

  const times = base.decisions.map(({ timeMs }) => timeMs);
  const cuts = chooseCuts(count, seed, base, times);
  const survey = await surveyPrices(data, cuts);
  report.cuts = cuts;
  report.known = known;
  for (const [place, cutMs] of cuts.entries()) {
    for (const kind of FUTURES) {
      const future = futureAt(kind, seed + place, cutMs, survey.marketsAt[place]!, survey.valuesAt[place]!);
      const redirects = known.length === 0 ? {} : ((await copies?.write(known, future)) ?? {});
      const changed = await run({ future, untilMs: endAfter(future), redirects });
      await copies?.clear();
      report.see(changed, redirects);
      const differences = listDifferences(base.decisions, changed.decisions, cutMs, names);
      report.compare("looksAhead", differences, future, changed.firstChange);
      // Whatever a further cut shows, nothing is clean any more.
      if (report.isAllFound) return report.end();
    }
  }
  const future = futureAt("otherPath", seed, Number.NEGATIVE_INFINITY, survey.marketsAtStart, survey.valuesAtStart);
  const markets = data.manifest.markets.map(({ name }) => name);
  report.seeUnrelated(await run({ future }), (decisions) => measureForesight(decisions, markets, survey.series));
  return report.end();
}

const FAILED = { code: "STRATEGY_FAILED", name: "BacktestError", exitCode: 1 };

function futureAt(
  kind: FutureKind,
  seed: number,
  cutMs: number,
  markets: readonly FutureMarket[],
  series: readonly FutureSeries[],
): Future {
  return { kind, seed, cutMs, markets, ...(series.length === 0 ? {} : { series }) };
}

/** A run may end when everything that could change a decision at the cut has been shown. */
function endAfter({ cutMs, markets }: Future): number {
  return cutMs + 3 * Math.max(...markets.map(({ stepMs }) => stepMs)) + 60_000;
}
