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

/** A combination of oracles. */
export interface Combination {
  readonly names: readonly string[];
  /** Mutants whose fate all of them know, equivalent ones not counted. */
  readonly mutants: number;
  /** Of these, killed by one of them at least. */
  readonly killed: number;
}

export interface Together {
  /** Mutants that were asked for, without equivalent ones. */
  readonly mutants: number;
  readonly alone: readonly Combination[];
  /** Each oracle, each pair and all, on the mutants that all of them know. */
  readonly shared: readonly Combination[];
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
 * Counts what oracles kill alone and together.
 *
 * @param keys mutants to count, without equivalent ones
 */
export function compareOracles(keys: readonly string[], oracles: readonly OracleFates[]): Together {
  const known = oracles.filter(({ kills }) => keys.some((key) => kills.has(key)));
  const count = (list: readonly OracleFates[], among: readonly string[]): Combination => {
    const mutants = among.filter((key) => list.every(({ kills }) => kills.has(key)));
    const killed = mutants.filter((key) => list.some(({ kills }) => kills.get(key) === true));
    return { names: list.map(({ name }) => name), mutants: mutants.length, killed: killed.length };
  };
  const all = keys.filter((key) => known.every(({ kills }) => kills.has(key)));
  const pairs = known.flatMap((one, at) => known.slice(at + 1).map((other) => [one, other]));
  const groups = [
    ...known.map((one) => [one]),
    ...(known.length > 2 ? pairs : []),
    ...(known.length > 1 ? [known] : []),
  ];
  return {
    mutants: keys.length,
    alone: known.map((one) => count([one], keys)),
    shared: groups.map((list) => count(list, all)),
  };
}

export function renderTogether({ mutants, alone, shared }: Together): string[] {
  const share = (count: number, all: number) => (all === 0 ? "-" : `${((count / all) * 100).toFixed(1)} %`);
  const row = ({ names, mutants: all, killed }: Combination) =>
    `| ${names.join(", ")} | ${all} | ${killed} | ${share(killed, all)} |`;
  return [
    "## Alone and together",
    "",
    `Of these mutants, ${mutants} are not equivalent. An oracle knows the fate of those that its own measurement drew, with the same text.`,
    "",
    "| oracle, on the mutants that it knows | mutants | killed | share |",
    "|---|---|---|---|",
    ...alone.map(row),
    "",
    "| oracles, on the mutants that all know | mutants | killed by one at least | share |",
    "|---|---|---|---|",
    ...shared.map(row),
  ];
}

function readJson<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}
