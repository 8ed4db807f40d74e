import type { ParamValue } from "../../../client/strategy/params.ts";
import type { AccountOptions } from "../../backtest/strategyOptions.ts";
import type { RunOptions } from "../runs/job.ts";
import type { RunFigures } from "../runs/record.ts";
import type { Axis } from "./grid/grid.ts";
import { describeLuck, type Luck } from "./luck.ts";
import { describeMetric, type MetricKey } from "./metricKey.ts";
import { findBest } from "./rankCells.ts";
import {
  listContenders,
  measureSensitivity,
  type Sensitivity,
  type SensitivityAxis,
} from "./sensitivity/measureSensitivity.ts";
import type { CellState, SweepCell } from "./sweepCell.ts";

/** Raised by a change that breaks a reader. */
export const SWEEP_SCHEMA_VERSION = 1;

/** A finished sweep with everything that a page or a file shows of it. A function of its jobs: no clock, no machine. */
export interface Sweep {
  /** Of several strategies: their names, and the hash of their names and hashes. */
  readonly strategy: { readonly id: string; readonly title: string; readonly hash: string };
  /** Several strategies by name; empty for one. */
  readonly strategies: readonly SweptStrategy[];
  readonly data: SweepData;
  /** SHA-256 of perplab's code. */
  readonly code: string;
  /** Parameters that all cells share; none for several strategies, of which each has its own. */
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly options: RunOptions;
  readonly axes: readonly Axis[];
  readonly cells: readonly SweepCell[];
  /** The metric that ranks. */
  readonly sort: MetricKey;
  /** The metrics that tables show, `sort` not among them. */
  readonly metrics: readonly MetricKey[];
  /** Axes of a sensitivity, with the place of the run's own value on each; empty without any. */
  readonly around: readonly SensitivityAxis[];
  /** How much of the best run may be luck; null with fewer than two runs. */
  readonly luck: Luck | null;
  /** The command that makes it again. */
  readonly command: string;
  /** The command of the run of a cell. */
  readonly commandOf: (cell: SweepCell) => string;
  /** Path of the report of a cell by its hash, relative to the page. */
  readonly reports: ReadonlyMap<string, string>;
}

/** One of several strategies, before a point changes it. */
export interface SweptStrategy {
  readonly name: string;
  readonly id: string;
  readonly title: string;
  readonly hash: string;
  /** Complete. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Settings of its account over those of the run. */
  readonly account: AccountOptions;
}

export interface SweepData {
  readonly hash: string;
  readonly markets: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly sources: readonly { readonly file: string; readonly sha256: string }[];
}

/** Cells by how their runs ended. */
export function countStates(cells: readonly SweepCell[]): Record<CellState, number> {
  const counts: Record<CellState, number> = { traded: 0, idle: 0, liquidated: 0, wipedOut: 0, failed: 0 };
  for (const { state } of cells) counts[state]++;
  return counts;
}

/** The warning that every ranking carries. */
export function warnOfLuck(count: number): string {
  return (
    `The best of ${count} runs looks better than its parameters are. Part of its result is luck, and more runs mean more luck. ` +
    "Trust a cell whose neighbours are good too, and test it on data that the sweep has not seen."
  );
}

/** The same with the figures that can be computed, one sentence each. Of one result there was no choice. */
export function listLuck(sweep: Pick<Sweep, "cells" | "around" | "luck">): string[] {
  const { luck } = sweep;
  // A run that failed has no result, so it was no alternative to the best one.
  const count = listContenders(sweep).filter(({ state }) => state !== "failed").length;
  if (count < 2) return [];
  return [warnOfLuck(count), ...(luck === null ? [] : describeLuck(luck))];
}

/** A sweep as plain JSON, its cells in the order of the grid. */
export function toSweepJson(sweep: Sweep) {
  const { strategy, strategies, data, code, params, options, axes, cells, sort, command, commandOf, reports } = sweep;
  const best = findBest(listContenders(sweep), sort);
  return {
    kind: "sweep",
    schemaVersion: SWEEP_SCHEMA_VERSION,
    strategy,
    strategies,
    data,
    code,
    params,
    options,
    axes: axes.map(({ name, values }) => ({ name, values: values.map(({ value }) => value) })),
    sort,
    counts: { cells: cells.length, ...countStates(cells) },
    best: best === undefined ? null : { hash: best.hash, values: nameValues(axes, best) },
    sensitivity: describeSensitivity(sweep),
    luck: sweep.luck,
    notes: listLuck(sweep),
    command,
    cells: cells.map((cell) => {
      const { hash, state, job, record } = cell;
      const { error, root, head, blocks, startMs, endMs, metrics, reasons, own } = record;
      return {
        hash,
        values: nameValues(axes, cell),
        state,
        error:
          error === null ? null : { code: error.code, message: error.message, place: error.place, hint: error.hint },
        root,
        head,
        blocks,
        startMs,
        endMs,
        metrics,
        reasons,
        own,
        strategies: strategies.length === 0 ? [] : listStrategyCells(cell),
        params: strategies.length === 0 ? job.strategies[0]!.params : {},
        options: job.options,
        command: commandOf(cell),
        report: reports.get(hash) ?? null,
      };
    }),
  };
}

/** The strategies of a cell by name; without figures where the run failed. */
function listStrategyCells({ job, record }: SweepCell) {
  const strategies = job.strategies.map(({ name = "", strategy: _hash, params, ...account }) => {
    const found = record.strategies.find((one) => one.name === name);
    const { metrics, reasons, own }: Omit<RunFigures, "daily"> = found ?? { metrics: {}, reasons: {}, own: {} };
    return { name, outcome: found?.outcome ?? "failed", metrics, reasons, own, params, account };
  });
  return strategies.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The sensitivity of the best run with all of its own assumptions; null where nothing is varied around it. */
function describeSensitivity(sweep: Sweep) {
  const found = findSensitivity(sweep);
  return found === undefined
    ? null
    : { hash: found.base.hash, values: nameValues(sweep.axes, found.base), axes: found.axes };
}

/** Why a sweep with a sensitivity has none to show; undefined where it has one, or varies no assumption. */
export function explainNoSensitivity(sweep: Sweep): string | undefined {
  if (sweep.around.length === 0 || findSensitivity(sweep) !== undefined) return undefined;
  const { label } = describeMetric(sweep.sort);
  return `There is no sensitivity: no run with all of its own assumptions traded and has a value of ${label}.`;
}

export function findSensitivity({ axes, cells, around, sort }: Sweep): Sensitivity | undefined {
  return measureSensitivity(axes, cells, around, sort);
}

function nameValues(axes: readonly Axis[], { point }: SweepCell): Record<string, ParamValue> {
  return Object.fromEntries(axes.map(({ name, values }, at) => [name, values[point[at]!]!.value]));
}
