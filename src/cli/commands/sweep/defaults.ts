import type { MetricId } from "../../../product/report/metrics/definitions.ts";

/** Metrics of a table, unless others are named. */
export const METRICS: readonly MetricId[] = ["totalReturn", "sharpe", "maxDrawdown", "roundTrips", "fundingPaid"];
/** Rows of the table on the terminal. */
export const TOP = 20;
/** Points of a draw at most, as `choosePoints` has it. */
export const CELLS_MOST = 100_000;
