/** Mutants that other oracles miss, from their evidence, and the score of all together with the search. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MutationReport } from "../report.ts";
import type { OracleName } from "./openCopy.ts";
import type { OracleReport } from "./oracleReport.ts";
import { compareOracles, type Together } from "./together.ts";

/** What oracles found of the mutants that all of them have tried. */
export interface Missed {
  readonly oracles: readonly OracleName[];
  /** Keys of these mutants. */
  readonly tried: readonly string[];
  /** Keys of those that each oracle kills, in the order of the oracles. */
  readonly killed: readonly ReadonlySet<string>[];
  /** Keys of those that no oracle kills. */
  readonly keys: readonly string[];
}

/**
 * Reads what oracles miss.
 *
 * @param folder folder with their evidence
 * @throws Error if an oracle has none
 */
export function readMissed(folder: string, oracles: readonly OracleName[]): Missed {
  const all = oracles.map((oracle) => {
    const path = join(folder, `mutation-${oracle}.json`);
    if (!existsSync(path))
      throw new Error(`--missed-by ${oracle} needs ${path}: npm run mutation -- --oracle ${oracle}`);
    return new Map(Object.entries((JSON.parse(readFileSync(path, "utf8")) as OracleReport).fates));
  });
  const tried = [...(all[0]?.keys() ?? [])].filter((key) => all.every((fates) => fates.has(key)));
  const killed = all.map((fates) => new Set(tried.filter((key) => fates.get(key) !== "survived")));
  return { oracles, tried, killed, keys: tried.filter((key) => killed.every((keys) => !keys.has(key))) };
}

/** Scores of the oracles and of the search together. */
export interface MissedScore {
  /** Mutants that the oracles have tried, and those of them that are not equivalent. */
  readonly tried: number;
  readonly counted: number;
  /** Killed by each oracle, and by one of them at least. */
  readonly alone: readonly number[];
  readonly killed: number;
  /** Missed by all of them and not equivalent; of these, tried with the search, and killed by it. */
  readonly missed: number;
  readonly searched: number;
  readonly found: number;
}

/** @param isEquivalent whether a key is explained as equivalent: such a mutant counts only if something kills it */
export function scoreMissed(
  { tried, killed, keys }: Missed,
  { killedKeys, survivors }: Pick<MutationReport, "killedKeys" | "survivors">,
  isEquivalent: (key: string) => boolean,
): MissedScore {
  const found = new Set(killedKeys);
  const searched = new Set([...found, ...survivors.map(({ key }) => key)]);
  const open = keys.filter((key) => found.has(key) || !isEquivalent(key));
  const byOracles = tried.length - keys.length;
  return {
    tried: tried.length,
    counted: byOracles + open.length,
    alone: killed.map(({ size }) => size),
    killed: byOracles,
    missed: open.length,
    searched: open.filter((key) => searched.has(key)).length,
    found: open.filter((key) => found.has(key)).length,
  };
}

/** Every oracle and the search, alone and together, on the mutants that all oracles have tried. */
export function compareWithSearch(
  { oracles, tried, killed }: Missed,
  { killedKeys, survivors }: Pick<MutationReport, "killedKeys" | "survivors">,
  isEquivalent: (key: string) => boolean,
): Together {
  const searched = new Map([
    ...survivors.map(({ key }) => [key, false] as const),
    ...killedKeys.map((key) => [key, true] as const),
  ]);
  const isKilled = (key: string) => searched.get(key) === true || killed.some((keys) => keys.has(key));
  const others = oracles.map((name, place) => ({
    name,
    kills: new Map(tried.map((key) => [key, killed[place]!.has(key)] as const)),
  }));
  const counted = tried.filter((key) => isKilled(key) || !isEquivalent(key));
  return compareOracles(counted, [{ name: "search", kills: searched }, ...others]);
}

export function renderMissed(oracles: readonly string[], score: MissedScore): string[] {
  const { tried, counted, alone, killed, missed, searched, found } = score;
  const share = (count: number) => `${count} of ${counted}, ${((count / counted) * 100).toFixed(1)} %`;
  const names = oracles.join(" and ");
  return [
    `- mutants that ${names} have tried: ${tried}, of which ${tried - counted} are equivalent`,
    ...oracles.map((name, place) => `- killed by ${name}: ${share(alone[place]!)}`),
    ...(oracles.length > 1 ? [`- killed by one of them at least: ${share(killed)}`] : []),
    `- the search has tried ${searched} of the ${missed} that they miss, and kills ${found}`,
    `- killed by ${names} and the search together: ${searched < missed ? "at least " : ""}${share(killed + found)}`,
    "",
    `The fates of ${names} are those of their own pages, which are of other copies. A fate counts while the text of its place is the same.`,
  ];
}
