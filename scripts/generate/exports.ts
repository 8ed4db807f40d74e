/** Renders `docs/reference/exports.md`: the tables of a backtest with their columns. */
import { columnsOf, type ExportName, exportTables } from "../../src/product/backtest/exports/definitions.ts";
import type { Column } from "../../src/product/tables/columns.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/exports.md";

export function render(): string {
  const names = Object.keys(exportTables) as ExportName[];
  return `${generatedFrom("src/product/backtest/exports/definitions.ts")}
# Tables of a backtest

\`perplab backtest\` writes its report, and the events that it sums up as tables. A report keeps a sample of a long run; a table has
every row.

\`\`\`sh
node bin/perplab.js backtest trend --data data/BTC-PERP-klines-1h-2024.csv.gz --to 2024-03-01 --leverage 3 \\
  --out fills.csv out/btc-orders.csv trades.parquet equity.parquet --equity-interval 1d
\`\`\`

The ending chooses the format, \`.csv\` or \`.parquet\`. The last word of the name chooses the table: ${names.map(code).join(", ")}. Words
are separated by anything but letters and digits. From code, the option \`tables\` of \`runBacktest\` takes the same paths.

A run with [several strategies](../guides/strategies.md#several-strategies) writes the rows of all of them into one file. Each row then begins with the column \`strategy\`, the name
of the strategy whose account it is of. A run of one strategy has no such column.

A file appears when the run is complete; until then it has a temporary name, and an old file stays. A run whose strategy throws leaves
the tables up to then. Memory is bounded however long the run is.

## Sums

Sums of columns equal the report's attribution to the unit:

| attribution | tables |
| --- | --- |
| \`price\` | sum of \`fills.realizedPnl\`, plus sum of \`trades.unrealizedPnl\` |
| \`fees\` | sum of \`fills.fee\` |
| \`funding\` | sum of \`funding.amount\` |
| \`liquidation\` | sum of \`fills.liquidationFee\`, less sum of \`adjustments.amount\` whose kind is not \`transfer\` |
| \`total\` | sum of \`trades.net\`, plus that sum of \`adjustments.amount\` |

## Types

${table(
  ["type", "CSV", "Parquet"],
  [
    ["time", "ISO 8601 text in UTC, with milliseconds", "TIMESTAMP(ms, UTC)"],
    ["text", "text, in quotes where it has a comma, a quote or a line break", "STRING"],
    ["decimal(n)", "canonical decimal text of at most n decimals", "DECIMAL(18, n) over INT64"],
    ["whole", "whole number", "INT64"],
    ["flag", "`true`, `false`", "BOOLEAN"],
  ],
)}

CSV has a line of names, commas and \`\\n\`. No value is an empty cell in CSV and null in Parquet. A reader that types CSV by itself makes
doubles of decimals; for exact sums read them as text or decimal, or use Parquet, whose metadata also has unit and meaning of each
column.

\`\`\`text
pandas   pandas.read_parquet("fills.parquet")                  decimals are decimal.Decimal
polars   polars.read_parquet("fills.parquet")                  decimals are Decimal(18, n)
DuckDB   SELECT sum(fee) FROM 'fills.parquet'                  decimals are DECIMAL(18, n)
CSV      pandas.read_csv("fills.csv", dtype=str, keep_default_na=False)
\`\`\`

${names.map(renderTable).join("\n\n")}
`;
}

function renderTable(name: ExportName): string {
  const rows = columnsOf(name).map(([column, definition]) => [
    code(column),
    typeOf(definition),
    definition.unit,
    definition.about.replaceAll("|", "\\|"),
  ]);
  return `## ${name}\n\n${exportTables[name].about}\n\n${table(["column", "type", "unit", ""], rows)}`;
}

function typeOf({ kind, decimals, isNullable }: Column): string {
  return `${kind === "decimal" ? `decimal(${decimals})` : kind}${isNullable ? " or none" : ""}`;
}
