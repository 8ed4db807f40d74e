import { type Grown, orderUseful, type Reached, type Useful } from "./grow.ts";
import type { Looked, Way } from "./worker.ts";

/** The least number of cases and transactions for one mutant. */
export interface Budget {
  /** At least this many cases, and this many transactions together, if available. */
  readonly cases: number;
  readonly transactions: number;
  readonly most: number;
}

/** Measurements of a mutant over all campaigns. */
export function joinReached(grown: readonly Grown[]): Map<number, Reached> {
  const all = new Map<number, Reached>();
  for (const { reached } of grown) {
    for (const one of reached) {
      const { mutant, ran = 0, differed = 0, cases = 0, useful = [] } = all.get(one.mutant) ?? { mutant: one.mutant };
      const known = new Set(useful.map(({ name }) => name));
      all.set(mutant, {
        mutant,
        ran: ran + one.ran,
        differed: differed + one.differed,
        cases: cases + one.cases,
        useful: [...useful, ...one.useful.filter(({ name }) => !known.has(name))],
      });
    }
  }
  return all;
}

/** One of so many consecutive cases is checked in whole mode. */
const WHOLE_EVERY = 3;
const WHOLE_AT = 1;

/**
 * Chooses a mutant's cases and the mode of each check: the cases in which it makes a difference on the venue. If it
 * makes none there, code outside of blocks may still show one: then the cases are those that were checked in whole
 * mode.
 */
export function chooseCases(
  reached: Reached | undefined,
  mutant: number,
  looked: readonly Looked[],
  { cases, transactions, most }: Budget,
  isLoaded = false,
): (readonly [name: string, way: Way])[] {
  const chosen: (readonly [string, Way])[] = [];
  let sum = 0;
  // Counts do not cover code that runs when a module is loaded: any case may show its effect.
  if (isLoaded)
    return looked
      .filter(({ name, finding }) => !isScenario(name) && finding === undefined)
      .map(({ name }) => [name, "whole"]);
  for (const one of orderUseful(reached?.useful ?? [])) {
    if (chosen.length >= most || (chosen.length >= cases && sum >= transactions)) break;
    chosen.push([one.name, chosen.length % WHOLE_EVERY === WHOLE_AT ? "whole" : "plain"]);
    sum += one.transactions;
  }
  if (chosen.length > 0) return chosen;
  return orderUseful(listLooked(mutant, looked, false)).map(({ name }) => [name, "whole"] as const);
}

/** At most this many scenario files are tried with a mutant: all useful ones for most mutants. */
const FILES_MOST = 10;

/** Paths of the scenario files in which a mutant makes a difference. */
export function chooseFiles(mutant: number, looked: readonly Looked[], isLoaded = false): string[] {
  const files = looked.filter(({ name }) => isScenario(name));
  if (isLoaded) return files.map(({ name }) => name);
  return orderUseful(listLooked(mutant, files, true))
    .slice(0, FILES_MOST)
    .map(({ name }) => name);
}

export function isScenario(name: string): boolean {
  return name.endsWith(".yaml");
}

function listLooked(mutant: number, looked: readonly Looked[], areFiles: boolean): Useful[] {
  return looked.flatMap(({ name, transactions, seen, finding }) => {
    if (isScenario(name) !== areFiles) return [];
    const times = seen.find((one) => one.mutant === mutant)?.differed ?? 0;
    return times === 0 || finding !== undefined ? [] : [{ name, transactions, times }];
  });
}

/** This many cases that together reach the most mutants. */
export function chooseLooks(grown: readonly Grown[], count: number): string[] {
  const mutantsOf = new Map<string, Set<number>>();
  for (const { mutant, useful } of joinReached(grown).values()) {
    for (const { name } of useful) mutantsOf.set(name, (mutantsOf.get(name) ?? new Set()).add(mutant));
  }
  const chosen: string[] = [];
  const met = new Set<number>();
  while (chosen.length < count && mutantsOf.size > 0) {
    let best: string | undefined;
    let most = -1;
    for (const [name, mutants] of mutantsOf) {
      let news = 0;
      for (const mutant of mutants) if (!met.has(mutant)) news++;
      if (news < most || (news === most && best! < name)) continue;
      [best, most] = [name, news];
    }
    for (const mutant of mutantsOf.get(best!)!) met.add(mutant);
    mutantsOf.delete(best!);
    chosen.push(best!);
  }
  return chosen;
}
