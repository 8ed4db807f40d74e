import type { Reached } from "./grow.ts";
import type { Mutant } from "./instrument.ts";
import type { Looked, Tried } from "./worker.ts";

/**
 * Why a survivor is no gap of the tests, by its key, or by a key with `…` for any words. `equivalent` ones behave as
 * the original and do not count.
 */
export type Explained = Readonly<Record<string, { readonly equivalent: boolean; readonly why: string }>>;

/**
 * Why a mutant survives. `unreached`: no case runs its place. `same`: cases run it, and it would never make a
 * difference. `unseen`: it made a difference in its cases, but no checker found it, or it had no effect.
 */
export type Cause = "unreached" | "same" | "unseen";

export interface Survivor {
  /** Key of the mutant, stable while its file has the same text. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly changed: string;
  readonly cause: Cause;
  /** In the campaigns: executions of its place, executions with a difference, and cases with a difference. */
  readonly ran: number;
  readonly differed: number;
  readonly cases: number;
  /** Cases and transactions that it was tried with. */
  readonly met: number;
  readonly transactions: number;
  readonly equivalent: boolean;
  readonly why?: string;
}

export interface Tally {
  readonly name: string;
  readonly killed: number;
  readonly unseen: number;
  readonly same: number;
  readonly unreached: number;
}

export interface MutationReport {
  readonly version: string;
  /** Commit of the clone, with `+` if its files differed from it. */
  readonly commit: string;
  readonly seed: number;
  /** Number of all possible mutants. */
  readonly total: number;
  readonly mutants: number;
  readonly killed: number;
  /** Of these, found by the scenario files of earlier failures, and by no case. */
  readonly killedByScenarios: number;
  /** Of these, killed in an earlier version. */
  readonly carried: number;
  readonly unseen: number;
  readonly same: number;
  readonly unreached: number;
  readonly equivalent: number;
  /** Not tried yet. */
  readonly open: number;
  /** Killed, as a share of all that are tried and not equivalent. */
  readonly score: number | undefined;
  /** The same, by cases alone. */
  readonly scoreByCases: number | undefined;
  /** Totals of the campaigns from which the cases were chosen. */
  readonly grown: { readonly cases: number; readonly transactions: number };
  readonly falseAlarms: readonly string[];
  readonly killers: readonly (readonly [name: string, times: number])[];
  readonly files: readonly Tally[];
  readonly mutators: readonly Tally[];
  readonly survivors: readonly Survivor[];
  /** Keys of the killed ones. */
  readonly killedKeys: readonly string[];
  /** Explanations of mutants that no longer exist. */
  readonly stale: readonly string[];
  /** Killed mutants that an explanation calls equivalent. */
  readonly refuted: readonly string[];
}

export interface MutationResults {
  readonly version: string;
  readonly commit: string;
  readonly seed: number;
  /** Keys of all possible mutants. */
  readonly keys: readonly string[];
  readonly mutants: ReadonlyMap<number, Mutant>;
  readonly grown: MutationReport["grown"];
  readonly reached: ReadonlyMap<number, Reached>;
  readonly looked: readonly Looked[];
  /** Mutants of code that runs when a module is loaded. */
  readonly loaded: ReadonlySet<number>;
  readonly tried: ReadonlyMap<number, Tried>;
  readonly carried: number;
  readonly explained: Explained;
}

type State = "killed" | Cause | "equivalent" | "open";

export function createMutationReport(results: MutationResults): MutationReport {
  const { version, commit, seed, keys, mutants, grown, tried, carried, explained } = results;
  const killers = new Map<string, number>();
  const survivors: Survivor[] = [];
  const refuted: string[] = [];
  const explain = createExplainer(explained);
  const states = new Map<number, State>();
  const reach = createReach(results);
  for (const [number, mutant] of mutants) {
    const done = tried.get(number);
    if (done?.finding !== undefined) {
      killers.set(done.finding.invariant, (killers.get(done.finding.invariant) ?? 0) + 1);
      states.set(number, "killed");
      if (explained[mutant.key]?.equivalent === true) refuted.push(mutant.key);
      continue;
    }
    if (done === undefined) {
      states.set(number, "open");
      continue;
    }
    const { key, file, line, mutator, original, text } = mutant;
    const explanation = explain(key);
    const equivalent = explanation?.equivalent === true;
    const { ran, differed, cases } = reach(number);
    const cause = ran === 0 ? "unreached" : differed === 0 ? "same" : "unseen";
    states.set(number, equivalent ? "equivalent" : cause);
    survivors.push({
      key,
      file,
      line,
      mutator,
      original,
      changed: text,
      cause,
      ran,
      differed,
      cases,
      met: done.cases,
      transactions: done.transactions,
      equivalent,
      ...(explanation === undefined ? {} : { why: explanation.why }),
    });
  }
  const count = (state: State) => [...states.values()].filter((one) => one === state).length;
  const [killed, unseen, same, unreached] = [count("killed"), count("unseen"), count("same"), count("unreached")];
  const killedByScenarios = killers.get("scenario") ?? 0;
  const tries = killed + unseen + same + unreached;
  const isExplained = createMatcher(keys);
  return {
    version,
    commit,
    seed,
    total: keys.length,
    mutants: mutants.size,
    killed,
    killedByScenarios,
    carried,
    unseen,
    same,
    unreached,
    equivalent: count("equivalent"),
    open: count("open"),
    score: tries === 0 ? undefined : killed / tries,
    scoreByCases: tries === 0 ? undefined : (killed - killedByScenarios) / tries,
    grown,
    falseAlarms: listFalseAlarms(results),
    killers: [...killers].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
    files: tally(mutants, states, ({ file }) => file),
    mutators: tally(mutants, states, ({ mutator }) => mutator),
    survivors,
    killedKeys: [...mutants].flatMap(([number, { key }]) => (states.get(number) === "killed" ? [key] : [])),
    stale: Object.keys(explained).filter((key) => !isExplained(key)),
    refuted,
  };
}

/** How often places ran and mutants differed: on the venue or, outside of blocks, in the checks of cases. */
function createReach({ reached, looked, loaded }: MutationResults) {
  return (mutant: number): { ran: number; differed: number; cases: number } => {
    const { ran = 0, differed = 0, cases = 0 } = reached.get(mutant) ?? {};
    if (differed > 0) return { ran, differed, cases };
    const seen = looked.flatMap((one) => one.seen.find((place) => place.mutant === mutant) ?? []);
    const isLoaded = loaded.has(mutant) ? 1 : 0;
    return {
      ran: ran + seen.reduce((sum, place) => sum + place.ran, 0) + isLoaded,
      differed: seen.reduce((sum, place) => sum + place.differed, 0) + isLoaded,
      cases: seen.filter((place) => place.differed > 0).length,
    };
  };
}

function listFalseAlarms({ looked, tried }: MutationResults): string[] {
  const looks = looked.flatMap(({ name, finding }) =>
    finding === undefined ? [] : [`${name} (${finding.invariant})`],
  );
  // Results come in any order.
  return [...new Set([...looks, ...[...tried.values()].flatMap(({ falseAlarms }) => falseAlarms ?? [])])].sort();
}

/** Finds the explanation of a key: its own, or the first pattern that matches. */
export function createExplainer(explained: Explained): (key: string) => Explained[string] | undefined {
  const kinds = Object.entries(explained)
    .filter(([key]) => key.includes(ANY))
    .map(([key, explanation]) => ({ matches: matcherOf(key), explanation }));
  return (key) => explained[key] ?? kinds.find(({ matches }) => matches.test(key))?.explanation;
}

/** Returns whether a key or pattern matches an existing mutant. */
function createMatcher(keys: readonly string[]): (key: string) => boolean {
  const known = new Set(keys);
  return (key) => known.has(key) || (key.includes(ANY) && keys.some((one) => matcherOf(key).test(one)));
}

function matcherOf(key: string): RegExp {
  const parts = key.split(ANY).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

/** Matches any words in the pattern of a key. */
const ANY = "…";

function tally(
  mutants: ReadonlyMap<number, Mutant>,
  states: ReadonlyMap<number, State>,
  nameOf: (mutant: Mutant) => string,
): Tally[] {
  const tallies = new Map<string, { killed: number; unseen: number; same: number; unreached: number }>();
  for (const [number, mutant] of mutants) {
    const state = states.get(number)!;
    const name = nameOf(mutant);
    const counts = tallies.get(name) ?? { killed: 0, unseen: 0, same: 0, unreached: 0 };
    tallies.set(name, counts);
    if (state !== "equivalent" && state !== "open") counts[state]++;
  }
  return [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, counts]) => ({ name, ...counts }));
}
