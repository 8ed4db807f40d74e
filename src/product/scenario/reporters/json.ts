import type { ScenarioResult } from "../run/result.ts";
import { totalsOf } from "./totals.ts";

/** Everything, for programs. The same results give the same text: times are left out. */
export function renderJson(results: readonly ScenarioResult[]): string {
  return JSON.stringify({ totals: totalsOf(results), scenarios: results.map(untimed) }, null, 2);
}

function untimed({ durationMs: _time, cases, ...result }: ScenarioResult): object {
  return { ...result, cases: cases.map(({ durationMs: _caseTime, ...found }) => found) };
}
