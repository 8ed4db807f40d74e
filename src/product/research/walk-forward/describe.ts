import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { formatNumber, formatPercent, formatSignedPercent } from "../../report/text/numbers.ts";
import { valuesAt } from "../sweep/grid/grid.ts";
import { showNumber } from "../sweep/metricKey.ts";
import type { FailedRuns, WalkForwardReport, WindowResult } from "./model.ts";

/** The chosen values of a window, as `fast=12 slow=48`; axes with one value are left out, unless all have one. */
export function describeChoice({ axes, points }: WalkForwardReport, { chosen }: WindowResult): string {
  if (chosen === null) return "none";
  const values = valuesAt(axes, points[chosen]!);
  const isGrid = axes.some((axis) => axis.values.length > 1);
  return axes
    .flatMap(({ name, values: all }, at) => (isGrid && all.length === 1 ? [] : [`${name}=${values[at]!.text}`]))
    .join(" ");
}

/** How a test ended, where a reader has to know it; empty for one that traded over all of its span. */
export function describeOutcome({ outcome, error }: WindowResult): string {
  if (outcome === "completed") return "";
  if (outcome === "flat") return "flat: no run of training had a value";
  return error === null ? "wiped out" : `failed: ${error.code}: ${error.message}`;
}

/** How many runs failed, and why the first of them did. */
export function describeFailures({ runs, of, first }: FailedRuns): string {
  const reason = first === null ? "" : `, the first with ${first.code}: ${first.message}`;
  return `${formatCount(runs)} of ${countOf(of, "run")} failed${reason}`;
}

/** The metric that chose, as reports write it. */
export function formatChosen({ metric }: WalkForwardReport, value: number | null): string {
  return value === null ? "n/a" : showNumber(metric, value);
}

/** Key figures of the tests together, with their meaning. */
export function listFigures({ outOfSample, efficiency, windows }: WalkForwardReport) {
  const { totalReturn, maxDrawdown, sharpe, probabilisticSharpe, gains, tests } = outOfSample;
  const none = "n/a";
  return [
    {
      label: "Out-of-sample return",
      value: formatSignedPercent(totalReturn),
      meaning: "All tests one after the other.",
    },
    { label: "Max drawdown", value: formatPercent(maxDrawdown), meaning: "At the end of days of all tests." },
    {
      label: "Sharpe",
      value: sharpe === null ? none : formatNumber(sharpe, 2),
      meaning: "Annual, of the daily returns of all tests.",
    },
    {
      label: "Probabilistic Sharpe",
      value: probabilisticSharpe === null ? none : formatPercent(probabilisticSharpe, 1),
      meaning: "Probability that the true Sharpe ratio of the tests is above 0.",
    },
    { label: "Tests with a gain", value: `${gains} of ${tests}`, meaning: `Of ${countOf(windows.length, "window")}.` },
    {
      label: "Efficiency",
      value: efficiency === null ? none : formatPercent(efficiency, 0),
      meaning:
        "Annual growth in the tests over annual growth in training. Near 100 %, the chosen values gained in the tests as they did in training.",
    },
  ];
}
