/**
 * Renders `docs/reference/report.schema.json`: the JSON Schema of a report as `perplab backtest --out report.json`
 * writes it.
 */
import { backtestReportSchema } from "../../src/product/report/model.ts";

export const path = "docs/reference/report.schema.json";

export function render(): string {
  const { $id, ...schema } = backtestReportSchema as typeof backtestReportSchema & { readonly $id: string };
  const head = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id,
    title: "Report of a backtest",
    description:
      "Money, prices, sizes and rates are canonical decimal text (USD, USD per base, base, 1); times are whole " +
      "milliseconds since 1970-01-01T00:00:00Z; metrics that are ratios are numbers. The version in `schemaVersion` " +
      "rises with every change that breaks a reader.",
  };
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`;
}
