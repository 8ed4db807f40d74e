/** Renders `docs/reference/sweep-columns.md`: the columns of the table that `perplab sweep --out sweep.csv` writes. */
import { defineSweepTable } from "../../src/product/research/sweep/sweepTable.ts";
import { generatedFrom } from "../markdown.ts";

export const path = "docs/reference/sweep-columns.md";

export function render(): string {
  const { columns } = defineSweepTable([]);
  const entries = Object.entries(columns);
  const rows = entries.map(([name, { kind, unit, about, isNullable }]) => {
    const type = `${kind}${isNullable ? " or empty" : ""}`;
    return `| \`${name}\` | ${type} | ${unit} | ${about} |`;
  });
  // Axes come after the place of the cell.
  rows.splice(
    1,
    0,
    "| each axis by its name | ratio or text |  | Value of the axis; `axis_NAME` where a column has the name |",
  );
  // Of several strategies the metrics of each follow those of the run.
  rows.splice(
    rows.findIndex((row) => row.startsWith("| `error`")),
    0,
    "| `outcome@NAME` | text or empty |  | of each of several strategies: completed or wipedOut |",
    "| each metric as `METRIC@NAME` | as above |  | the same of each of several strategies, with its own account |",
  );
  return `${generatedFrom("src/product/research/sweep/sweepTable.ts")}
# Columns of a sweep

\`perplab sweep --out sweep.csv\` (or \`.parquet\`) writes a row for each cell, in the order of the grid. The JSON document has a
[schema](sweep.schema.json).

| column | values | unit | meaning |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}
