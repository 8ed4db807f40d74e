/** Which mutants the search is measured with, as options of the command and as words of a worker. */
import type { OracleName } from "./oracles/openCopy.ts";

export interface SearchDraw {
  /** Number of drawn mutants, and the seed that draws them. */
  readonly mutants: number;
  readonly seed: number;
  /** Oracles whose evidence names the mutants: those that none of them kills. None: drawn ones. */
  readonly missedBy: readonly OracleName[];
  /** The same, with all mutants that each of them has tried. */
  readonly triedBy: readonly OracleName[];
}

/** Mutants of a search without an option. */
export const MUTANTS_USUAL = 1_000;

export const OTHERS = ["scenarios", "tests"] as const satisfies readonly OracleName[];

/**
 * Reads names of oracles with commas between them.
 *
 * @throws Error for any other name
 */
export function readOracles(text: string, option: string): OracleName[] {
  return text.split(",").map((word) => {
    const oracle = OTHERS.find((name) => name === word);
    if (oracle === undefined) throw new Error(`${option} must be ${OTHERS.join(", ")}, not ${word}`);
    return oracle;
  });
}

/** Words after the name of the bench in the command of a worker. */
export function writeDraw({ mutants, seed, missedBy, triedBy }: SearchDraw): string[] {
  if (missedBy.length > 0) return ["missed-by", missedBy.join(",")];
  return triedBy.length > 0 ? ["tried-by", triedBy.join(",")] : [String(mutants), String(seed)];
}

/**
 * Reads what `writeDraw` wrote.
 *
 * @returns undefined for drawn mutants
 * @throws Error for oracles that are not there
 */
export function readNamedDraw(words: readonly string[]): SearchDraw | undefined {
  const [way, oracles, ...others] = words;
  if (way !== "missed-by" && way !== "tried-by") return undefined;
  if (oracles === undefined || others.length > 0)
    throw new Error(`${way} has the names of oracles: ${way} scenarios,tests`);
  const by = readOracles(oracles, way);
  const drawn = { mutants: MUTANTS_USUAL, seed: 1 };
  return way === "missed-by" ? { ...drawn, missedBy: by, triedBy: [] } : { ...drawn, missedBy: [], triedBy: by };
}
