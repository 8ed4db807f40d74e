import { formatCount } from "../../../ground/math/counts.ts";
import { getMetricDefinition } from "../../report/metrics/definitions.ts";
import type { BacktestReport } from "../../report/model.ts";
import { formatMetric } from "../../report/text/metrics.ts";
import { formatUsd } from "../../report/text/numbers.ts";

/** A figure of a run. */
export interface RunFigure {
  readonly label: string;
  /** In its unit; null where it has no value. */
  readonly number: number | null;
  /** As a reader sees it. */
  readonly text: string;
  readonly unit: FigureUnit;
}

export type FigureUnit = "usd" | "count" | "fraction" | "ratio" | "ms";

/** The part of one of two runs that a page shows. */
export interface RunFigures {
  /** Name of its file. */
  readonly name: string;
  readonly figures: readonly RunFigure[];
  /** Equity over time, USD; undefined where it is not known. */
  readonly curve: { readonly timeMs: readonly number[]; readonly equity: readonly (number | null)[] } | undefined;
}

export function usdFigure(label: string, amount: string): RunFigure {
  return { label, number: Number(amount), text: formatUsd(amount), unit: "usd" };
}

export function countFigure(label: string, count: number): RunFigure {
  return { label, number: count, text: formatCount(count), unit: "count" };
}

/** Figures and curve of a report. */
export function readReportFigures(name: string, { run, summary, account }: BacktestReport): RunFigures {
  const { initialEquity, finalEquity, metrics } = summary;
  return {
    name,
    figures: [
      usdFigure("Initial equity", initialEquity),
      usdFigure("Final equity", finalEquity),
      ...metrics.map((metric): RunFigure => {
        const { label, unit } = getMetricDefinition(metric.id);
        const number = metric.value === null ? null : Number(metric.value);
        return { label, number, text: formatMetric(metric), unit };
      }),
      countFigure("Blocks", run.engine.blocks),
      countFigure("Transactions", run.engine.transactions),
    ],
    curve: {
      timeMs: [run.startMs, ...account.timeMs],
      equity: [Number(initialEquity), ...account.equity.map((text) => (text === null ? null : Number(text)))],
    },
  };
}
