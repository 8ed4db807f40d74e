import { getMetricDefinition, type MetricId, metricDefinitions } from "../../report/metrics/definitions.ts";
import { type Column, decimal, nullable, ratio, text, whole } from "../../tables/columns.ts";
import { defineTable, type Table } from "../../tables/table.ts";
import { type ExactDecimal, readExact } from "./grid/exactDecimal.ts";
import type { Axis } from "./grid/grid.ts";
import type { Sweep } from "./sweepDocument.ts";

const USD_DECIMALS = 6;
const IDS = Object.keys(metricDefinitions) as MetricId[];

/**
 * The table of a sweep: a row for each cell, in the order of the grid. The metrics of several strategies follow those
 * of the run, strategy by strategy, as `sharpe@bold`.
 *
 * @param names of several strategies; none for one
 */
export function defineSweepTable(axes: readonly Axis[], names: readonly string[] = []): Table {
  const columns: Record<string, Column> = { cell: whole("Place of the cell in the order of the grid, from 0") };
  const nameColumn = createColumnNames(names);
  for (const axis of axes) {
    const about = `Value of ${axis.name}`;
    columns[nameColumn(axis.name)] = isNumeric(axis) ? ratio(about) : text(about);
  }
  columns["state"] = text("traded, idle, liquidated, wipedOut or failed");
  for (const id of IDS) columns[id] = nullable(columnOf(id));
  for (const name of names) {
    columns[`outcome@${name}`] = nullable(text(`completed or wipedOut, of ${name}`));
    for (const id of IDS) columns[`${id}@${name}`] = nullable(columnOf(id));
  }
  columns["error"] = nullable(text("Code and message of a failed run"));
  columns["root"] = nullable(text("State root after the last block"));
  columns["hash"] = text("Hash of the run's job");
  columns["command"] = text("The command that makes the run again");
  return defineTable("sweep", "A run at a point of the grid.", columns);
}

/**
 * Names the column of an axis, which must not take the name of a metric or of another column.
 *
 * @param strategies names of several strategies, each with columns of its own
 */
function createColumnNames(strategies: readonly string[]): (axis: string) => string {
  const own = strategies.flatMap((name) => ["outcome", ...IDS].map((column) => `${column}@${name}`));
  const taken = new Set<string>(["cell", "state", "error", "root", "hash", "command", ...IDS, ...own]);
  return (axis) => (taken.has(axis) ? `axis_${axis}` : axis);
}

function isNumeric({ values }: Axis): boolean {
  return values.every(({ value }) => typeof value === "number");
}

function columnOf(id: MetricId): Column {
  const { unit, definition } = getMetricDefinition(id);
  const about = definition.replace(/\.$/, "");
  if (unit === "usd") return decimal(USD_DECIMALS, "USD", about);
  return unit === "count" || unit === "ms" ? whole(about, unit === "ms" ? "ms" : "") : ratio(about);
}

/** The rows of the table. */
export function* listSweepRows({ axes, cells, strategies, commandOf }: Sweep): Generator<Record<string, unknown>> {
  const nameColumn = createColumnNames(strategies.map(({ name }) => name));
  for (const [place, cell] of cells.entries()) {
    const { record, state, point, hash } = cell;
    const row: Record<string, unknown> = { cell: place };
    for (const [at, axis] of axes.entries()) {
      const { value } = axis.values[point[at]!]!;
      row[nameColumn(axis.name)] = isNumeric(axis) ? value : `${value}`;
    }
    row["state"] = state;
    for (const id of IDS) row[id] = toColumnValue(id, record.metrics[id] ?? null);
    for (const { name } of strategies) {
      const own = record.strategies.find((one) => one.name === name);
      row[`outcome@${name}`] = own?.outcome ?? null;
      for (const id of IDS) row[`${id}@${name}`] = toColumnValue(id, own?.metrics[id] ?? null);
    }
    row["error"] = record.error === null ? null : `${record.error.code}: ${record.error.message}`;
    row["root"] = record.root;
    row["hash"] = hash;
    row["command"] = commandOf(cell);
    yield row;
  }
}

function toColumnValue(id: MetricId, value: number | string | null): number | bigint | null {
  if (value === null || getMetricDefinition(id).unit !== "usd") return value as number | null;
  const exact = readExact(`${value}`) as ExactDecimal;
  return exact.digits * 10n ** BigInt(USD_DECIMALS - exact.scale);
}
