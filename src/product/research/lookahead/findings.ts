import type { FirstChange } from "./changedSource.ts";
import type {
  CheckedStrategy,
  DifferingDecision,
  LookaheadOptions,
  LookaheadReport,
  LookaheadVerdict,
  SeenFile,
  StrategyFindings,
} from "./checkLookahead.ts";
import { type Decision, listDifferences, of, type StrategyDifference } from "./decision.ts";
import { FORESIGHT_LIMIT, type Foresight } from "./foresight.ts";
import type { Future } from "./future.ts";
import type { ProbeResult } from "./probe.ts";

/** From the worst to the best. */
const ORDER: readonly LookaheadVerdict[] = ["looksAhead", "unrepeatable", "unproved", "vacuous", "disturbed", "clean"];

/** What is known of one strategy so far. */
interface Found {
  verdict: "looksAhead" | "unrepeatable" | "disturbed" | undefined;
  differs: DifferingDecision | undefined;
  foresight: Foresight | undefined;
  /** Whether it decided anything with a changed future. */
  hasChanged: boolean;
}

/** The findings so far, by strategy. */
export class Findings {
  cuts: readonly number[] = [];
  known: readonly string[] = [];
  readonly #strategies: LookaheadOptions["strategies"];
  readonly #seed: number;
  readonly #base: ProbeResult;
  readonly #found: ReadonlyMap<string, Found>;
  readonly #copied = new Set<string>();
  #changed = 0;
  #unrelated = 0;

  constructor(strategies: LookaheadOptions["strategies"], seed: number, base: ProbeResult) {
    this.#strategies = strategies;
    this.#seed = seed;
    this.#base = base;
    const none = { verdict: undefined, differs: undefined, foresight: undefined, hasChanged: false };
    this.#found = new Map(strategies.map(({ name }) => [name, { ...none }]));
  }

  /**
   * Strategies that differ first differ by themselves. Others are disturbed by them.
   *
   * @param differences by time
   */
  compare(
    verdict: "looksAhead" | "unrepeatable",
    differences: readonly StrategyDifference[],
    future?: Future,
    firstChange?: FirstChange,
  ): void {
    const firstMs = differences[0]?.timeMs;
    for (const { name, ...difference } of differences) {
      const found = this.#found.get(name)!;
      if (found.verdict === verdict) continue;
      if (difference.timeMs !== firstMs) {
        found.verdict = "disturbed";
        continue;
      }
      const { kind, cutMs, seed } = future ?? {};
      const shown = kind === undefined ? undefined : { kind, cutMs: cutMs!, seed: seed! };
      found.verdict = verdict;
      found.differs = { ...difference, future: shown, firstChange };
    }
  }

  get hasFound(): boolean {
    return [...this.#found.values()].some(({ differs }) => differs !== undefined);
  }

  /** Whether every strategy has looked ahead. */
  get isAllFound(): boolean {
    return [...this.#found.values()].every(({ verdict }) => verdict === "looksAhead");
  }

  /** A run with a changed future. */
  see({ decisions }: ProbeResult, redirects: Readonly<Record<string, string>>): void {
    this.#changed++;
    for (const { strategy } of decisions) this.#found.get(strategy)!.hasChanged = true;
    for (const path of Object.keys(redirects)) this.#copied.add(path);
  }

  /** The run in an unrelated market. */
  seeUnrelated({ decisions }: ProbeResult, measure: (decisions: readonly Decision[]) => Foresight | undefined): void {
    this.#unrelated++;
    for (const [name, found] of this.#found) {
      found.foresight = measure(of(decisions, name));
      if (Math.abs(found.foresight?.score ?? 0) >= FORESIGHT_LIMIT) found.verdict = "looksAhead";
    }
  }

  end(): LookaheadReport {
    const { reads, builtins, decisions, repeated } = this.#base;
    const names = this.#strategies.map(({ name }) => name);
    const kept = repeated === undefined ? [] : listDifferences(decisions, repeated, Number.POSITIVE_INFINITY, names);
    const each = this.#strategies.map((strategy): CheckedStrategy => {
      const { name } = strategy;
      const found = this.#found.get(name)!;
      const own = of(decisions, name).length;
      return {
        ...strategy,
        verdict: this.#judge(found, own),
        decisions: own,
        differs: found.differs,
        foresight: found.foresight,
        keepsState: kept.some((one) => one.name === name && one.timeMs === kept[0]!.timeMs),
      };
    });
    return {
      kind: "lookahead",
      strategy: {
        id: each.map(({ id, name }) => (each.length === 1 ? id : name)).join(" + "),
        params: each.length === 1 ? each[0]!.params : {},
      },
      ...this.#sumUp(each),
      strategies: each.length === 1 ? [] : each,
      seed: this.#seed,
      runs: { equal: 3, changed: this.#changed, unrelated: this.#unrelated },
      cuts: this.cuts,
      reads: reads.map((read) => ({ ...read, role: this.#roleOf(read.path) })),
      builtins,
    };
  }

  #judge({ verdict, hasChanged }: Found, decisions: number): LookaheadVerdict {
    if (verdict === "looksAhead" || verdict === "unrepeatable") return verdict;
    if (this.known.some((path) => !this.#copied.has(path))) return "unproved";
    if (verdict !== undefined) return verdict;
    // Two equal runs that differ leave nothing that others could be compared by.
    if (this.cuts.length === 0 && this.hasFound) return "disturbed";
    return decisions === 0 && !hasChanged ? "vacuous" : "clean";
  }

  /** Of several strategies: the worst verdict, and the first strategy that has it. */
  #sumUp(each: readonly CheckedStrategy[]): StrategyFindings {
    const rank = ({ verdict }: StrategyFindings) => ORDER.indexOf(verdict);
    const [worst] = [...each].sort((a, b) => rank(a) - rank(b));
    const { verdict, differs, foresight } = worst!;
    return {
      verdict,
      decisions: this.#base.decisions.length,
      differs,
      foresight,
      keepsState: each.some(({ keepsState }) => keepsState),
    };
  }

  #roleOf(path: string): SeenFile["role"] {
    if (!this.known.includes(path)) return "other";
    return this.#copied.has(path) ? "changed" : "unchanged";
  }
}
