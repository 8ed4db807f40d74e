import type { Violation } from "../../invariants/machinery/watching/watch.ts";

/** `openInterest is broken at block 3, transaction 2: …`, followed by the values that were compared. */
export function formatViolation({ invariant, height, index, step, observed, terms = [] }: Violation): string {
  const where = index === undefined ? (step === undefined ? "" : `, step ${step}`) : `, transaction ${index}`;
  const place = `block ${height}${where}`;
  return [
    `${invariant} is broken at ${place}: ${observed}`,
    ...terms.map(({ name, value }) => `  ${name}: ${value}`),
  ].join("\n");
}
