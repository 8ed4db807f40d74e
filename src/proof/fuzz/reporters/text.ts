import { formatCount } from "../../../ground/math/counts.ts";
import { USUAL } from "../campaign/expected.ts";
import type { OperationRow, SearchReport } from "../campaign/report.ts";
import { formatViolation } from "./violationText.ts";

/** Renders a report for a terminal: transactions, coverage, verdict. */
export function renderText(report: SearchReport): string {
  const { operations, nearest } = report;
  const near = nearest.length === 0 ? [] : [renderNearest(nearest), ""];
  return [renderOperations(operations), "", ...near, ...renderTotals(report), "", ...renderVerdict(report)].join("\n");
}

/** Table of actions: applied, rejected, invalid, and the most frequent codes. */
function renderOperations(operations: readonly OperationRow[]): string {
  const rows = operations.map(({ action, calls, applied, rejected, invalid }) => [
    action,
    formatCount(calls),
    calls === 0 ? "" : `${((applied * 100) / calls).toFixed(1)} %`,
    formatCount(sum(rejected)),
    formatCount(sum(invalid)),
    Object.entries({ ...rejected })
      .slice(0, 3)
      .map(([code, times]) => `${code} ${formatCount(times ?? 0)}`)
      .join(", "),
  ]);
  return formatTable([["action", "calls", "applied", "rejected", "invalid", "mostly"], ...rows]);
}

/** Smallest slack of each invariant; those with a slack of zero share one line. */
function renderNearest(nearest: SearchReport["nearest"]): string {
  const even = nearest.filter(({ distance }) => distance <= 0);
  const rows = nearest
    .filter(({ distance }) => distance > 0)
    .map(({ id, distance, unit, iteration, height }) => [
      id,
      formatCount(distance),
      unit,
      `case ${iteration}, block ${height}`,
    ]);
  const table = rows.length === 0 ? [] : [formatTable([["nearest to breaking", "by", "unit", "in"], ...rows])];
  return [...table, ...(even.length === 0 ? [] : [`at their limits: ${even.map(({ id }) => id).join(", ")}`])].join(
    "\n",
  );
}

function renderTotals(report: SearchReport): string[] {
  const { seed, profile, iterations, blocks, transactions, seconds, places, pool, invariants, digest } = report;
  const quiet = invariants.filter(({ met }) => met === 0).length;
  const rate = seconds > 0 ? `, ${formatCount(transactions / seconds)} a second` : "";
  return [
    `${formatCount(transactions)} transactions in ${formatCount(blocks)} blocks of ${formatCount(iterations)} cases in ${seconds.toFixed(1)} s${rate}`,
    `seed ${seed}, profile ${profile}; ${formatCount(places)} places reached, ${formatCount(pool)} cases in the pool`,
    `${invariants.length} invariants watched${quiet === invariants.length || quiet === 0 ? "" : `, ${quiet} of them had nothing to check`}`,
    `digest ${digest}`,
  ];
}

function renderVerdict({ verdict, failures, violations, missing, blind, transactions: all }: SearchReport): string[] {
  const lines: string[] = [];
  for (const { violation, transactions, iteration, again, scenario, unsaid, count: times } of failures) {
    lines.push(...formatViolation(violation).split("\n"));
    const size = transactions === undefined ? "not shrunk" : `shrunk to ${formatCount(transactions)} transactions`;
    lines.push(`  case ${iteration}, ${size}${times > 1 ? `, found ${times} times` : ""}`);
    if (again !== undefined) lines.push(`  again: ${again}`);
    if (scenario !== undefined) lines.push(`  as a scenario: ${scenario}`);
    if (unsaid !== undefined) lines.push(`  no scenario can express it: ${unsaid}`);
  }
  if (failures.length > 0) lines.push(`${failures.length} failures, found ${formatCount(violations)} times`);
  if (missing.length > 0) lines.push(`never reached: ${missing.join(", ")}`);
  if (blind.length > 0) lines.push(`planted and not found: ${blind.join(", ")}`);
  if (verdict === "held") lines.push("everything held");
  if (all < USUAL)
    lines.push(`too short to be conclusive: a search has to reach everything after ${formatCount(USUAL)} transactions`);
  return lines;
}

const sum = (counts: Readonly<Record<string, number | undefined>>): number =>
  Object.values(counts).reduce<number>((total, times) => total + (times ?? 0), 0);

/** Aligns cells in columns, two spaces apart: the first and the last to the left. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const align = (cell: string, at: number) =>
    at === 0 || at === widths.length - 1 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!);
  return rows.map((row) => row.map(align).join("  ").trimEnd()).join("\n");
}
