import type { TableColumn } from "../../report/html/dataTable.ts";
import { describeMetric, type MetricKey } from "./metricKey.ts";

/** How a table shows values of a metric: as reports do. */
export function getMetricColumn(id: MetricKey): Pick<TableColumn, "kind" | "digits" | "unit"> {
  const { unit } = describeMetric(id);
  if (unit === "fraction") return { kind: "percent" };
  if (unit === "ms") return { kind: "duration" };
  if (unit === "count") return { kind: "count" };
  return { kind: "decimal", digits: 2, ...(unit === "usd" ? { unit: "USD" } : {}) };
}
