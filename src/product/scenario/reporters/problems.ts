import type { Place } from "../parse/cell.ts";
import type { ScenarioResult } from "../run/result.ts";

/** A failure or a fault in one form, for reporters that list them. */
export interface Problem {
  readonly file: string;
  /** Name of the case; empty where there is only one. */
  readonly name: string;
  /** `expectation`, `unexpected`, `invariant`, `determinism`, `golden`, `run`, or `file` for a file that cannot run. */
  readonly kind: string;
  readonly place: Place;
  readonly title: string;
  readonly detail: string;
}

export function problemsOf(results: readonly ScenarioResult[]): Problem[] {
  return results.flatMap(({ file, faults, cases }) => [
    ...faults.map(
      ({ place, message, hint }): Problem => ({
        file,
        name: "",
        kind: "file",
        place,
        title: message,
        detail: hint === undefined ? "" : `hint: ${hint}`,
      }),
    ),
    ...cases.flatMap(({ name, failures }) =>
      failures.map(
        ({ kind, place, what, expected, observed, hint, block, height }): Problem => ({
          file,
          name,
          kind,
          place,
          title: what,
          detail: [
            `expected ${expected}`,
            `observed ${observed}`,
            ...(block === "" ? [] : [`in ${block}, height ${height}`]),
            ...(hint === undefined ? [] : [`hint: ${hint}`]),
          ].join("\n"),
        }),
      ),
    ),
  ]);
}
