import type { BundleComparison } from "./compareBundles.ts";
import type { LogComparison } from "./compareLogs.ts";
import type { ReportComparison } from "./compareReports.ts";
import type { RunFigures } from "./runFigures.ts";

/** The differences between two runs. */
export type Comparison = LogComparison | ReportComparison | BundleComparison;

/** Two runs as a page or a file shows them. */
export interface ComparedRuns {
  readonly comparison: Comparison;
  /** Block by block, where bundles were run again. */
  readonly logs?: LogComparison;
  readonly a: RunFigures;
  readonly b: RunFigures;
}
