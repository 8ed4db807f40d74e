import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listRules } from "../../../scripts/coverage/rules.ts";
import { ROOT } from "../../perpbench/buildCopy.ts";
import type { MutationCopy } from "../buildCopy.ts";
import { createExplainer, type Explained } from "../report.ts";
import { createRuleFinder } from "./rulesOf.ts";

/** What became of a mutant: the first proof that fails with it, if any. */
export interface Fate {
  /** `mode` is `plain` if the proofs alone see it, and `checked` if only the invariants or the recorded roots do. */
  readonly killer?: KillerNote | undefined;
  /** Proofs that run its place, and proofs in which it makes a difference. */
  readonly reached: number;
  readonly differed: number;
}

export interface KillerNote {
  readonly mode: "plain" | "checked";
  readonly file: string;
  readonly kind: string;
  readonly what: string;
}

export interface SurvivorNote {
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly original: string;
  readonly changed: string;
  /** Ids with commas between them; empty if no comment cites one. */
  readonly rules: string;
  readonly reached: number;
  readonly differed: number;
  readonly equivalent: boolean;
  readonly why?: string;
}

/** Mutants that are not equivalent. */
export interface Counts {
  readonly mutants: number;
  readonly plain: number;
  /** Killed in either mode. */
  readonly killed: number;
}

export interface RuleNote extends Counts {
  /** Empty for code whose comments cite no rule. */
  readonly rule: string;
}

export interface FileNote extends Counts {
  readonly file: string;
}

/** CPU time, s. */
export interface Cost {
  /** Of the runs without a mutant, all together. */
  readonly reach: number;
  /** Of one mutant, on average. */
  readonly mutant: number;
}

/** What became of a mutant, by its key. */
export type KeptFate = "plain" | "checked" | "survived";

/** What a measurement of all mutants found. */
export interface OracleRun {
  /** Number of files. */
  readonly proofs: number;
  /** Mutants without one have not been tried. */
  readonly fates: ReadonlyMap<number, Fate>;
  /** Files that fail without a mutant. */
  readonly falseAlarms: readonly string[];
  /** Results of earlier versions that count. */
  readonly carried: number;
  readonly cost?: Cost;
  /** Hashes of the files that were tried. */
  readonly texts?: Readonly<Record<string, string>>;
}

export interface OracleReport {
  readonly version: string;
  readonly seed: number;
  readonly total: number;
  /** Number of drawn mutants, and of those that were tried. */
  readonly drawn: number;
  readonly mutants: number;
  readonly proofs: number;
  readonly equivalent: number;
  readonly plain: number;
  readonly killed: number;
  /** Of the survivors: no proof runs their place; they make no difference in any. */
  readonly unreached: number;
  readonly same: number;
  readonly rules: readonly RuleNote[];
  readonly files: readonly FileNote[];
  readonly falseAlarms: readonly string[];
  /** Results of earlier versions of the sources that count. */
  readonly carried: number;
  readonly cost?: Cost;
  readonly survivors: readonly SurvivorNote[];
  readonly fates: Readonly<Record<string, KeptFate>>;
  readonly texts?: Readonly<Record<string, string>>;
}

export interface OracleResults extends OracleRun {
  readonly seed: number;
  readonly copy: MutationCopy;
  readonly explained: Explained;
}

export function createOracleReport({ copy, fates, explained, ...results }: OracleResults): OracleReport {
  const explain = createExplainer(explained);
  const known = new Set(listRules().keys());
  const finders = new Map<string, ReturnType<typeof createRuleFinder>>();
  const byRule = new Tally();
  const byFile = new Tally();
  const kept: Record<string, KeptFate> = {};
  const survivors: SurvivorNote[] = [];
  let [plain, killed] = [0, 0];
  for (const [number, mutant] of copy.mutants) {
    const { key, file, line, from, original, text } = mutant;
    const fate = fates.get(number);
    if (fate === undefined) continue;
    const { killer, reached, differed } = fate;
    kept[key] = killer?.mode ?? "survived";
    const explanation = killer === undefined ? explain(key) : undefined;
    const equivalent = explanation?.equivalent === true;
    const finder = finders.get(file) ?? createRuleFinder(readFileSync(join(ROOT, "src", file), "utf8"), known);
    finders.set(file, finder);
    const rules = finder(from);
    if (killer?.mode === "plain") plain++;
    if (killer !== undefined) killed++;
    if (!equivalent) {
      byRule.add(rules.length === 0 ? [""] : rules, killer);
      byFile.add([file], killer);
    }
    if (killer !== undefined) continue;
    survivors.push({
      key,
      file,
      line,
      original,
      changed: text,
      rules: rules.join(", "),
      reached,
      differed,
      equivalent,
      ...(explanation === undefined ? {} : { why: explanation.why }),
    });
  }
  const open = survivors.filter(({ equivalent }) => !equivalent);
  const order = ["", ...known];
  return {
    ...results,
    version: copy.version,
    total: copy.total,
    drawn: copy.mutants.size,
    mutants: fates.size,
    equivalent: survivors.length - open.length,
    plain,
    killed,
    unreached: open.filter(({ reached }) => reached === 0).length,
    same: open.filter(({ reached, differed }) => reached > 0 && differed === 0).length,
    rules: byRule
      .list()
      .map(([rule, counts]) => ({ rule, ...counts }))
      .sort((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule)),
    files: byFile
      .list()
      .map(([file, counts]) => ({ file, ...counts }))
      .sort((a, b) => (a.file < b.file ? -1 : 1)),
    survivors,
    fates: kept,
  };
}

class Tally {
  readonly #counts = new Map<string, { mutants: number; plain: number; killed: number }>();

  add(names: readonly string[], killer: KillerNote | undefined): void {
    for (const name of names) {
      const counts = this.#counts.get(name) ?? { mutants: 0, plain: 0, killed: 0 };
      this.#counts.set(name, counts);
      counts.mutants++;
      if (killer?.mode === "plain") counts.plain++;
      if (killer !== undefined) counts.killed++;
    }
  }

  list(): (readonly [string, Counts])[] {
    return [...this.#counts];
  }
}
