import { nullable, ratio, text, time, whole } from "../../tables/columns.ts";
import { defineTable, type Row } from "../../tables/table.ts";
import { describeChoice } from "./describe.ts";
import type { WalkForwardReport } from "./model.ts";

/** A row for each window of a walk-forward. */
export const windowTable = defineTable("windows", "A window of a walk-forward.", {
  window: whole("Place of the window, from 0"),
  trainFrom: time("Start of training"),
  trainTo: time("End of training, not part of it"),
  testFrom: time("Start of the test"),
  testTo: time("End of the test, not part of it"),
  chosen: text("Chosen values, as name=value with spaces between; `none` for a flat test"),
  ranked: whole("Runs of training that had a value of the metric"),
  trainMetric: nullable(ratio("The metric of the chosen run in training")),
  testMetric: nullable(ratio("The same metric in the test")),
  trainReturn: nullable(ratio("Return of the chosen run in training")),
  testReturn: nullable(ratio("Return of the test")),
  outcome: text("completed, wipedOut, failed or flat"),
  root: nullable(text("State root after the test")),
});

/** The rows of the table. */
export function* listWindowRows(report: WalkForwardReport): Generator<Row<typeof windowTable>> {
  for (const [place, window] of report.windows.entries()) {
    yield {
      window: place,
      trainFrom: window.train.fromMs,
      trainTo: window.train.toMs,
      testFrom: window.test.fromMs,
      testTo: window.test.toMs,
      chosen: describeChoice(report, window),
      ranked: window.ranked,
      trainMetric: window.trainValue,
      testMetric: window.testValue,
      trainReturn: window.trainReturn,
      testReturn: window.testReturn,
      outcome: window.outcome,
      root: window.root,
    };
  }
}
