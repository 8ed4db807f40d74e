import type { FailureReport, TimelineRow } from "./model.ts";

/** Renders one failure for a terminal. */
export function renderText(report: FailureReport): string {
  const { headline, sentence, rules, catalogue, scenario, command, cost, changes, terms, sides, orders } = report;
  const ids = [...rules, ...catalogue].join(", ");
  const parts = [
    [headline, `Expected: ${sentence}${ids === "" ? "" : ` (${ids})`}`],
    [`scenarios/regressions/${scenario.name}`, indent(scenario.text.trimEnd().split("\n"))].flat(),
    ["what happened", ...indent(timeline(report))],
  ];
  if (sides.length > 0) {
    const rows = sides.map(({ what, venue, model }) => [what, venue, model]);
    parts.push(["venue and model", ...indent(table([["value", "venue", "model"], ...rows]))]);
  }
  if (changes.length > 0) {
    const rows = changes.map(({ what, before, after, by, last }) => [what, before, after, by, last]);
    parts.push([
      "what it changed",
      ...indent(table([["value", "before", "after", "by", "changed before by"], ...rows])),
    ]);
  }
  if (terms.length > 0) {
    parts.push(["what was compared", ...indent(table(terms.map(({ name, value }) => [name, value])))]);
  }
  if (orders !== undefined) {
    const rows = orders.wanted.map((wanted, at) => [String(at + 1), wanted, orders.found[at] ?? ""]);
    parts.push([`two orders: ${orders.rule}`, ...indent(table([["", "by the rule", "found"], ...rows]))]);
  }
  if (cost !== undefined) {
    const { transactionsBefore, transactions, candidates, isDone } = cost;
    const more = isDone ? "" : ", and it may shrink further";
    parts.push([`from ${transactionsBefore} transactions to ${transactions} in ${candidates} tries${more}`]);
  }
  parts.push([`again: ${command}`]);
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function timeline({ timeline: rows, accounts, markets }: FailureReport): string[] {
  const head = ["", "block", "what", "outcome", ...markets.map((name) => `mark ${name}`)];
  const people = accounts.flatMap((name) => [name, "position", "equity", "maintenance"]);
  const lines = table([[...head, ...people], ...rows.map(cellsOf)]);
  const fills = rows.flatMap(({ fills: found, height }) => found.map((fill) => `fill in block ${height}: ${fill}`));
  return [...lines, ...fills];
}

function cellsOf({ height, index, what, outcome, marks, accounts, isFailing }: TimelineRow): string[] {
  const place = index === undefined ? String(height) : `${height}-${index}`;
  const people = accounts.flatMap((cells) =>
    cells === undefined
      ? ["", "", "", ""]
      : [
          `${cells.collateral}${isFailing && cells.isMeant ? " <" : ""}`,
          cells.positions,
          cells.equity,
          cells.maintenance,
        ],
  );
  return [isFailing ? ">" : "", place, shorten(what), outcome, ...marks, ...people];
}

/** Longest text of a transaction in a row; the scenario shows the full text. */
const WIDTH = 60;
const shorten = (text: string) => (text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);

const indent = (lines: readonly string[]) => lines.map((line) => (line === "" ? "" : `  ${line}`));

/** Aligns cells in columns. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)), []);
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join("  ")
      .trimEnd(),
  );
}
