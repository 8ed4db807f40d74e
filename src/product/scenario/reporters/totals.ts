import type { ScenarioResult } from "../run/result.ts";

export interface Totals {
  readonly files: number;
  readonly passed: number;
  readonly failed: number;
  readonly invalid: number;
  readonly cases: number;
  readonly blocks: number;
  readonly transactions: number;
}

/** Sums over files. */
export function totalsOf(results: readonly ScenarioResult[]): Totals {
  const cases = results.flatMap((result) => result.cases);
  const count = (status: ScenarioResult["status"]) => results.filter((result) => result.status === status).length;
  return {
    files: results.length,
    passed: count("passed"),
    failed: count("failed"),
    invalid: count("invalid"),
    cases: cases.length,
    blocks: cases.reduce((sum, { blocks }) => sum + blocks, 0),
    transactions: cases.reduce((sum, { transactions }) => sum + transactions, 0),
  };
}
