/** Oracles alone and together, on mutants that each of them has tried. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MutationReport } from "../report.ts";
import type { OracleReport } from "./oracleReport.ts";

/** The fates that one oracle knows: whether it kills a mutant, by its key. */
export interface OracleFates {
  readonly name: string;
  readonly kills: ReadonlyMap<string, boolean>;
}

/** Oracles together, on the mutants whose fate all of them know. */
export interface Combination {
  readonly names: readonly string[];
  readonly mutants: number;
  /** Killed by each alone, in the order of the names. */
  readonly alone: readonly number[];
  /** Killed by one of them at least. */
  readonly killed: number;
}

export interface Together {
  /** Mutants that were asked for, without equivalent ones. */
  readonly mutants: number;
  /** Each oracle, each pair, and all. */
  readonly combinations: readonly Combination[];
}

/** Reads the fates of all oracles from a folder with their evidence. */
export function readFates(folder: string): OracleFates[] {
  const search = readJson<MutationReport>(join(folder, "mutation.json"));
  const searched = new Map<string, boolean>([
    ...(search?.survivors ?? []).map(({ key }) => [key, false] as const),
    ...(search?.killedKeys ?? []).map((key) => [key, true] as const),
  ]);
  const others = ["scenarios", "tests"].map((name) => {
    const { fates = {} } = readJson<OracleReport>(join(folder, `mutation-${name}.json`)) ?? {};
    return { name, kills: new Map(Object.entries(fates).map(([key, fate]) => [key, fate !== "survived"])) };
  });
  return [{ name: "search", kills: searched }, ...others];
}

/**
 * Counts what oracles kill alone and together. Oracles that know none of the mutants are left out.
 *
 * @param keys mutants to count, without equivalent ones
 */
export function compareOracles(keys: readonly string[], oracles: readonly OracleFates[]): Together {
  const known = oracles.filter(({ kills }) => keys.some((key) => kills.has(key)));
  const pairs = known.flatMap((one, at) => known.slice(at + 1).map((other) => [one, other]));
  const groups = [...known.map((one) => [one]), ...pairs, ...(known.length > 2 ? [known] : [])];
  const combinations = groups.map((group): Combination => {
    const mutants = keys.filter((key) => group.every(({ kills }) => kills.has(key)));
    const count = (list: readonly OracleFates[]) =>
      mutants.filter((key) => list.some(({ kills }) => kills.get(key) === true)).length;
    return {
      names: group.map(({ name }) => name),
      mutants: mutants.length,
      alone: group.map((one) => count([one])),
      killed: count(group),
    };
  });
  return { mutants: keys.length, combinations };
}

export function renderTogether({ mutants: all, combinations }: Together): string[] {
  const share = (count: number, mutants: number) => (mutants === 0 ? "-" : `${((count / mutants) * 100).toFixed(1)} %`);
  return [
    "## Alone and together",
    "",
    `Of the mutants that were tried, ${all} are not equivalent. An oracle knows the fate of those that its own measurement drew, with the`,
    "same text. A row has the mutants that all of its oracles know.",
    "",
    "| oracles | mutants | killed by each alone | by one at least | share |",
    "|---|---|---|---|---|",
    ...combinations.map(
      ({ names, mutants, alone, killed }) =>
        `| ${names.join(", ")} | ${mutants} | ${alone.join(", ")} | ${killed} | ${share(killed, mutants)} |`,
    ),
  ];
}

function readJson<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}
