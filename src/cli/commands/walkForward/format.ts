import { countOf } from "../../../ground/math/counts.ts";
import { formatSignedPercent } from "../../../product/report/text/numbers.ts";
import {
  describeChoice,
  describeOutcome,
  formatChosen,
  listFigures,
} from "../../../product/research/walk-forward/describe.ts";
import type { WalkForwardReport } from "../../../product/research/walk-forward/model.ts";
import { formatColumns, formatTime } from "../../format.ts";

/** A walk-forward for a terminal: a row for each window, the figures of all tests, and how the parameters moved. */
export function formatWalkForward(report: WalkForwardReport): string {
  const share = (value: number | null) => (value === null ? "n/a" : formatSignedPercent(value));
  const day = (timeMs: number) => formatTime(timeMs).slice(0, 10);
  const rows = report.windows.map((window) => [
    day(window.train.fromMs),
    day(window.test.fromMs),
    day(window.test.toMs),
    describeChoice(report, window),
    formatChosen(report, window.trainValue),
    formatChosen(report, window.testValue),
    share(window.trainReturn),
    share(window.testReturn),
    describeOutcome(window),
  ]);
  const { metric } = report;
  const head = ["train from", "test from", "to", "chosen", `${metric} train`, "test", "return train", "test", ""];
  const drift = report.drift.map(({ axis, changes, distinct, offered }) => [
    `  ${axis}`,
    `${countOf(changes, "change")} in ${countOf(report.windows.length, "window")}`,
    `${distinct} of ${offered} values`,
  ]);
  return [
    formatColumns([head, ...rows], [4, 5, 6, 7]),
    "",
    formatColumns(listFigures(report).map(({ label, value, meaning }) => [label, value, meaning])),
    ...(drift.length === 0 ? [] : ["", "Drift of the parameters", formatColumns(drift)]),
  ].join("\n");
}
