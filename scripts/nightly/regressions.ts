import type { Night, StepResult } from "./night.ts";

/** Figures that should not fall, with the part of an earlier value that is still no regression. */
const NOT_LOWER: Readonly<Record<string, number>> = {
  "bugs found": 1,
  "mutation score": 0.995,
  "transactions a second": 0.7,
};
/** Figures that must stay as they are while size, seed and commit do. */
const SAME = ["digest"];

/**
 * What is worse in a night than it should be, as sentences: steps that failed, and figures below those of the last
 * night of the same size on as many cores. A night without such a predecessor is compared with nothing.
 */
export function findRegressions(nights: readonly Night[], night: Night): string[] {
  const before = nights.findLast(({ size, cores }) => size === night.size && cores === night.cores);
  return night.steps.flatMap((step) => {
    if (step.verdict === "failed") return [`${step.id} failed: ${step.notes.join("; ") || "no reason was printed"}`];
    const earlier = before?.steps.find(({ id, verdict }) => id === step.id && verdict === "passed");
    if (earlier === undefined) return [];
    if (step.verdict === "skipped")
      return [`${step.id} was skipped, and ran on ${before!.date}: ${step.notes.join("; ")}`];
    return [...findLower(step, earlier, before!), ...findOther(step, earlier, before!, night)];
  });
}

function findLower({ id, figures }: StepResult, earlier: StepResult, { date }: Night): string[] {
  return Object.entries(NOT_LOWER).flatMap(([name, part]) => {
    const now = figures[name];
    const then = earlier.figures[name];
    if (typeof now !== "number" || typeof then !== "number" || now >= then * part) return [];
    return [`${id}: ${name} fell from ${then} (${date}) to ${now}`];
  });
}

function findOther({ id, figures }: StepResult, earlier: StepResult, before: Night, night: Night): string[] {
  if (before.commit !== night.commit || before.seed !== night.seed) return [];
  return SAME.filter((name) => figures[name] !== earlier.figures[name]).map(
    (name) =>
      `${id}: ${name} is ${figures[name]}, and was ${earlier.figures[name]} on ${before.date} at the same commit`,
  );
}
