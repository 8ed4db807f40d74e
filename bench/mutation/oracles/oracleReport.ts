import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listRules } from "../../../scripts/coverage/rules.ts";
import { ROOT } from "../../perpbench/buildCopy.ts";
import type { MutationCopy } from "../buildCopy.ts";
import { createExplainer, type Explained } from "../report.ts";
import { createRuleFinder } from "./rulesOf.ts";

/** What became of a mutant: the first proof that fails with it, if any. */
export interface Fate {
  /** `mode` is `plain` if the proofs alone see it, and `checked` if only the invariants do. */
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

export interface RuleNote {
  /** Empty for code whose comments cite no rule. */
  readonly rule: string;
  readonly mutants: number;
  readonly plain: number;
  /** Killed by the proofs or by the invariants. */
  readonly killed: number;
}

/** What a measurement of all mutants found. */
export interface OracleRun {
  /** Number of files. */
  readonly proofs: number;
  readonly fates: ReadonlyMap<number, Fate>;
  /** Files that fail without a mutant. */
  readonly falseAlarms: readonly string[];
  /** Results of earlier versions that count. */
  readonly carried: number;
}

export interface OracleReport {
  readonly version: string;
  readonly seed: number;
  readonly total: number;
  readonly mutants: number;
  readonly proofs: number;
  readonly equivalent: number;
  readonly plain: number;
  readonly killed: number;
  /** Of the survivors: no proof runs their place; they make no difference in any. */
  readonly unreached: number;
  readonly same: number;
  readonly rules: readonly RuleNote[];
  readonly falseAlarms: readonly string[];
  /** Results of earlier versions of the sources that count. */
  readonly carried: number;
  readonly survivors: readonly SurvivorNote[];
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
  const byRule = new Map<string, { mutants: number; plain: number; killed: number }>();
  const survivors: SurvivorNote[] = [];
  let [plain, killed] = [0, 0];
  for (const [number, mutant] of copy.mutants) {
    const { key, file, line, from, original, text } = mutant;
    const { killer, reached, differed } = fates.get(number)!;
    const explanation = killer === undefined ? explain(key) : undefined;
    const equivalent = explanation?.equivalent === true;
    const finder = finders.get(file) ?? createRuleFinder(readFileSync(join(ROOT, "src", file), "utf8"), known);
    finders.set(file, finder);
    const rules = finder(from);
    if (killer?.mode === "plain") plain++;
    if (killer !== undefined) killed++;
    if (!equivalent) {
      for (const rule of rules.length === 0 ? [""] : rules) {
        const tally = byRule.get(rule) ?? { mutants: 0, plain: 0, killed: 0 };
        byRule.set(rule, tally);
        tally.mutants++;
        if (killer?.mode === "plain") tally.plain++;
        if (killer !== undefined) tally.killed++;
      }
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
    mutants: copy.mutants.size,
    equivalent: survivors.length - open.length,
    plain,
    killed,
    unreached: open.filter(({ reached }) => reached === 0).length,
    same: open.filter(({ reached, differed }) => reached > 0 && differed === 0).length,
    rules: [...byRule]
      .map(([rule, tally]) => ({ rule, ...tally }))
      .sort((a, b) => order.indexOf(a.rule) - order.indexOf(b.rule)),
    survivors,
  };
}
