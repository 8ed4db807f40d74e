import { countOf } from "../../../../ground/math/counts.ts";
import { ACTION_NAMES, actions } from "../../../../protocol/actions/index.ts";
import { formatCells, formatCount } from "../cells.ts";
import type { Written } from "../writeFinding.ts";
import { describeWritten } from "../writtenText.ts";
import type { AroundReport } from "./aroundReport.ts";

/** Renders a report for a terminal: steps by action, what was explored, violations. */
export function describeAround(report: AroundReport, written: readonly Written[]): string {
  const { scenarios, cases, withModel, places, steps, blocks, sampled, findings, met } = report;
  const rows = Object.entries(report.actions)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([action, { tried, applied }]) => [action, formatCount(tried), formatCount(applied)]);
  const quiet = Object.values(met).filter((count) => count === 0).length;
  const lines = findings.flatMap(({ file, case: row, before, step, violation, more }, at) => [
    `${violation.invariant} is broken: ${violation.observed.split("\n")[0]}`,
    `  ${file}${row === "" ? "" : ` (${row})`}, before ${before}: ${step ?? "the scenario itself"}${describeMore(more)}`,
    describeWritten(written[at]!),
  ]);
  return [
    formatCells([["step", "tried", "applied"], ...rows]),
    "",
    `explored: one step at each of ${countOf(places, "place")} of ${countOf(scenarios, "scenario")} (${countOf(cases, "case")})`,
    `${countOf(steps, "step")}; ${countOf(blocks, "block")} checked, ${formatCount(sampled)} of them with heavy invariants`,
    `the model ran in lock step in ${countOf(withModel, "case")}`,
    `${countOf(Object.keys(met).length, "invariant")} checked, ${formatCount(quiet)} of them had nothing to check`,
    ...(findings.length === 0 ? ["everything held"] : ["", ...lines]),
  ].join("\n");
}

const describeMore = (more: number): string => (more === 0 ? "" : `; ${countOf(more, "further step")}`);

/** The report for programs. */
export function plainAround({ findings, ...report }: AroundReport, written: readonly Written[]): object {
  const list = findings.map(({ chronicle: _chronicle, ...finding }, at) => ({ ...finding, ...written[at] }));
  return { ...report, findings: list };
}

/** True if no step of an account was applied: such an exploration shows nothing. */
export function isVacuous({ actions: counts }: AroundReport): boolean {
  const own = ACTION_NAMES.filter((name) => actions[name].scope !== "authority");
  return own.every((name) => (counts[name]?.applied ?? 0) === 0);
}
