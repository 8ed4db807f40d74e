import type { Mutant } from "./instrument.ts";
import type { Covered, Tried } from "./worker.ts";

/** Why a survivor is no fault of the tests, by its key, or of a kind of them, by a key with `…` for any words. `equivalent` ones do the same as the original and do not count. */
export type Explained = Readonly<Record<string, { readonly equivalent: boolean; readonly why: string }>>;

export interface Survivor {
  /** Names the mutant as long as its file holds the same text. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly changed: string;
  /** Cases that reach it; 0 where none does. */
  readonly cases: number;
  readonly why?: string;
}

export interface Tally {
  readonly name: string;
  readonly killed: number;
  readonly survived: number;
  readonly unreached: number;
}

export interface MutationReport {
  readonly version: string;
  readonly seed: number;
  /** Of all places. */
  readonly total: number;
  readonly mutants: number;
  readonly killed: number;
  readonly survived: number;
  /** No case reaches them; they count as survivors. */
  readonly unreached: number;
  readonly equivalent: number;
  /** Not tried yet. */
  readonly open: number;
  /** Killed over all that are tried and not equivalent. */
  readonly score: number | undefined;
  /** Killed over those that a case reaches and that are not equivalent. */
  readonly reachedScore: number | undefined;
  readonly cases: number;
  readonly transactions: number;
  readonly falseAlarms: readonly { readonly number: number; readonly invariant: string }[];
  readonly killers: readonly (readonly [name: string, times: number])[];
  readonly files: readonly Tally[];
  readonly mutators: readonly Tally[];
  readonly survivors: readonly Survivor[];
}

export interface MutationResults {
  readonly version: string;
  readonly seed: number;
  readonly total: number;
  readonly mutants: ReadonlyMap<number, Mutant>;
  readonly cases: readonly Covered[];
  readonly tried: ReadonlyMap<number, Tried>;
  readonly explained: Explained;
}

type State = "killed" | "survived" | "unreached" | "equivalent" | "open";

export function createMutationReport(results: MutationResults): MutationReport {
  const { version, seed, total, mutants, cases, tried, explained } = results;
  const useful = cases.filter(({ finding }) => finding === undefined);
  const reached = new Map<number, number>();
  for (const { seen } of useful) for (const [mutant] of seen) reached.set(mutant, (reached.get(mutant) ?? 0) + 1);
  const killers = new Map<string, number>();
  const survivors: Survivor[] = [];
  const explain = createExplainer(explained);
  const states = new Map<number, State>();
  for (const [number, mutant] of mutants) {
    const { key } = mutant;
    const { finding } = tried.get(number) ?? {};
    if (finding !== undefined) {
      killers.set(finding.invariant, (killers.get(finding.invariant) ?? 0) + 1);
      states.set(number, "killed");
      continue;
    }
    const isReached = reached.has(number);
    if (isReached && !tried.has(number)) {
      states.set(number, "open");
      continue;
    }
    const explanation = explain(key);
    states.set(number, explanation?.equivalent === true ? "equivalent" : isReached ? "survived" : "unreached");
    const { file, line, mutator, original, text } = mutant;
    survivors.push({
      key,
      file,
      line,
      mutator,
      original,
      changed: text,
      cases: reached.get(number) ?? 0,
      ...(explanation === undefined ? {} : { why: explanation.why }),
    });
  }
  const count = (state: State) => [...states.values()].filter((one) => one === state).length;
  const killed = count("killed");
  const survived = count("survived");
  const unreached = count("unreached");
  const share = (of: number) => (of === 0 ? undefined : killed / of);
  return {
    version,
    seed,
    total,
    mutants: mutants.size,
    killed,
    survived,
    unreached,
    equivalent: count("equivalent"),
    open: count("open"),
    score: share(killed + survived + unreached),
    reachedScore: share(killed + survived),
    cases: useful.length,
    transactions: useful.reduce((sum, { transactions }) => sum + transactions, 0),
    falseAlarms: cases.flatMap(({ number, finding }) =>
      finding === undefined ? [] : [{ number, invariant: finding.invariant }],
    ),
    killers: [...killers].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
    files: tally(mutants, states, ({ file }) => file),
    mutators: tally(mutants, states, ({ mutator }) => mutator),
    survivors,
  };
}

/** Finds the explanation of a key: its own, or the first of a kind. */
function createExplainer(explained: Explained): (key: string) => Explained[string] | undefined {
  const kinds = Object.entries(explained)
    .filter(([key]) => key.includes(ANY))
    .map(([key, explanation]) => {
      const parts = key.split(ANY).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return { matches: new RegExp(`^${parts.join(".*")}$`), explanation };
    });
  return (key) => explained[key] ?? kinds.find(({ matches }) => matches.test(key))?.explanation;
}

/** Stands for any words in the key of a kind. */
const ANY = "…";

function tally(
  mutants: ReadonlyMap<number, Mutant>,
  states: ReadonlyMap<number, State>,
  nameOf: (mutant: Mutant) => string,
): Tally[] {
  const tallies = new Map<string, { killed: number; survived: number; unreached: number }>();
  for (const [number, mutant] of mutants) {
    const state = states.get(number)!;
    const name = nameOf(mutant);
    const counts = tallies.get(name) ?? { killed: 0, survived: 0, unreached: 0 };
    tallies.set(name, counts);
    if (state === "killed" || state === "survived" || state === "unreached") counts[state]++;
  }
  return [...tallies].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, counts]) => ({ name, ...counts }));
}
