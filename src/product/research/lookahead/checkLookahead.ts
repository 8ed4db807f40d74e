import type { ParamValue } from "../../../client/strategy/params.ts";
import { BacktestError } from "../../backtest/errors.ts";
import type { EventSource } from "../../market-data/types.ts";
import type { FirstChange } from "./changedSource.ts";
import { chooseCuts } from "./cuts.ts";
import { type Decision, type DecisionPair, findDifference } from "./decision.ts";
import type { FileRead } from "./fileWatch.ts";
import { FORESIGHT_LIMIT, type Foresight, measureForesight } from "./foresight.ts";
import type { Future, FutureKind, FutureMarket } from "./future.ts";
import type { ProbeJob, ProbeResult, Prober } from "./probe.ts";
import { type PriceSurvey, surveyPrices } from "./survey.ts";

/**
 * - `looksAhead`: a decision differs when only later data is changed, or the strategy, shown an unrelated market,
 *   trades with the recorded one
 * - `unrepeatable`: two equal runs decide differently, so that nothing can be compared
 * - `unproved`: the strategy reads data of its own run that this check cannot change for it
 * - `vacuous`: there was no decision to compare
 * - `clean`: nothing was found
 */
export type LookaheadVerdict = "looksAhead" | "unrepeatable" | "unproved" | "vacuous" | "clean";

/** A decision that depends on data that was not known yet, or that two equal runs do not share. */
export interface DifferingDecision extends DecisionPair {
  /** Time of the earlier of the two. */
  readonly timeMs: number;
  /** Undefined where the runs were equal. */
  readonly future: { readonly kind: FutureKind; readonly cutMs: number; readonly seed: number } | undefined;
  readonly firstChange: FirstChange | undefined;
}

/** Result of a check. */
export interface LookaheadReport {
  readonly kind: "lookahead";
  readonly verdict: LookaheadVerdict;
  readonly strategy: { readonly id: string; readonly params: Readonly<Record<string, ParamValue>> };
  readonly seed: number;
  /** Decisions of the run over the data as recorded. */
  readonly decisions: number;
  /** Runs by their kind. */
  readonly runs: { readonly equal: number; readonly changed: number; readonly unrelated: number };
  readonly cuts: readonly number[];
  readonly differs: DifferingDecision | undefined;
  /** In the unrelated market; undefined where nothing was bought or sold there. */
  readonly foresight: Foresight | undefined;
  /** Files that the strategy opened, with their role in the run. */
  readonly reads: readonly SeenFile[];
  /** Modules of Node that it imports, through which it could read unwatched data. */
  readonly builtins: readonly string[];
  /** A second run with the same loaded module decided differently: the module keeps something between runs. */
  readonly keepsState: boolean;
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
  readonly strategy: LookaheadReport["strategy"];
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
 * Checks whether a strategy uses data before its time.
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
  const report = new Findings(options, seed, base);
  const unequal = findDifference(base.decisions, again.decisions, Number.POSITIVE_INFINITY);
  if (unequal !== undefined) return report.end("unrepeatable", differing(unequal, undefined, undefined));

  const times = base.decisions.map(({ timeMs }) => timeMs);
  const cuts = chooseCuts(count, seed, base, times);
  const survey = await surveyPrices(data, cuts);
  report.cuts = cuts;
  report.known = known;
  for (const [place, cutMs] of cuts.entries()) {
    for (const kind of FUTURES) {
      const future = futureAt(kind, seed + place, cutMs, survey.marketsAt[place]!);
      const redirects = known.length === 0 ? {} : ((await copies?.write(known, future)) ?? {});
      const changed = await run({ future, untilMs: endAfter(future), redirects });
      await copies?.clear();
      report.see(changed, redirects);
      const differs = findDifference(base.decisions, changed.decisions, cutMs);
      if (differs !== undefined) return report.end("looksAhead", differing(differs, future, changed.firstChange));
    }
  }
  report.foresight = await measureUnrelated(options, survey, run, report);
  if (Math.abs(report.foresight?.score ?? 0) >= FORESIGHT_LIMIT) return report.end("looksAhead");
  if (report.hasUnchanged) return report.end("unproved");
  return report.end(base.decisions.length === 0 && report.changedDecisions === 0 ? "vacuous" : "clean");
}

const FAILED = { code: "STRATEGY_FAILED", name: "BacktestError", exitCode: 1 };

async function measureUnrelated(
  { data }: LookaheadOptions,
  survey: PriceSurvey,
  run: (job: Omit<ProbeJob, "settings">) => Promise<ProbeResult>,
  report: Findings,
): Promise<Foresight | undefined> {
  const future = futureAt("otherPath", report.seed, Number.NEGATIVE_INFINITY, survey.marketsAtStart);
  const unrelated = await run({ future });
  report.unrelated++;
  const names = data.manifest.markets.map(({ name }) => name);
  return measureForesight(unrelated.decisions, names, survey.series);
}

function futureAt(kind: FutureKind, seed: number, cutMs: number, markets: readonly FutureMarket[]): Future {
  return { kind, seed, cutMs, markets };
}

/** A run may end when everything that could change a decision at the cut has been shown. */
function endAfter({ cutMs, markets }: Future): number {
  return cutMs + 3 * Math.max(...markets.map(({ stepMs }) => stepMs)) + 60_000;
}

function differing(
  pair: DecisionPair,
  future: Future | undefined,
  firstChange: FirstChange | undefined,
): DifferingDecision {
  const timeMs = Math.min(...[pair.recorded, pair.changed].flatMap((one) => (one === undefined ? [] : [one.timeMs])));
  const { kind, cutMs, seed } = future ?? {};
  return {
    ...pair,
    timeMs,
    future: kind === undefined ? undefined : { kind, cutMs: cutMs!, seed: seed! },
    firstChange,
  };
}

/** The findings so far. */
class Findings {
  readonly seed: number;
  cuts: readonly number[] = [];
  known: readonly string[] = [];
  unrelated = 0;
  foresight: Foresight | undefined;
  changedDecisions = 0;
  readonly #options: LookaheadOptions;
  readonly #base: ProbeResult;
  #changed = 0;
  readonly #copied = new Set<string>();

  constructor(options: LookaheadOptions, seed: number, base: ProbeResult) {
    this.#options = options;
    this.seed = seed;
    this.#base = base;
  }

  see({ decisions }: ProbeResult, redirects: Readonly<Record<string, string>>): void {
    this.#changed++;
    this.changedDecisions += decisions.length;
    for (const path of Object.keys(redirects)) this.#copied.add(path);
  }

  /** Whether the strategy reads data of the run that was not changed for it. */
  get hasUnchanged(): boolean {
    return this.known.some((path) => !this.#copied.has(path));
  }

  end(verdict: LookaheadVerdict, differs?: DifferingDecision): LookaheadReport {
    const { reads, builtins, decisions, repeated } = this.#base;
    return {
      kind: "lookahead",
      verdict,
      strategy: this.#options.strategy,
      seed: this.seed,
      decisions: decisions.length,
      runs: { equal: 3, changed: this.#changed, unrelated: this.unrelated },
      cuts: this.cuts,
      differs,
      foresight: this.foresight,
      reads: reads.map((read) => ({ ...read, role: this.#roleOf(read.path) })),
      builtins,
      keepsState: repeated !== undefined && keeps(decisions, repeated),
    };
  }

  #roleOf(path: string): SeenFile["role"] {
    if (!this.known.includes(path)) return "other";
    return this.#copied.has(path) ? "changed" : "unchanged";
  }
}

function keeps(decisions: readonly Decision[], repeated: readonly Decision[]): boolean {
  return findDifference(decisions, repeated, Number.POSITIVE_INFINITY) !== undefined;
}
