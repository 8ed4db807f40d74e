import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatDecimal } from "../../../../src/ground/math/decimal.ts";
import { exportTables } from "../../../../src/product/backtest/exports/definitions.ts";
import { runBacktest } from "../../../../src/product/backtest/runBacktest.ts";
import { createFolder, projectRoot } from "../../../helpers/project.ts";
import { readTable } from "../../../helpers/readTable.ts";
import { memorySource } from "../memorySource.ts";
import { restless, wander } from "../wander.ts";

interface Reading {
  readonly table: "fills" | "trades" | "funding" | "equity";
  readonly ending: string;
  readonly reader: string;
  readonly rows: number;
  readonly sums: Readonly<Record<string, string>>;
  readonly last: number;
}

const TIMES = { fills: "time", trades: "entryTime", funding: "time", equity: "time" } as const;

/** Why the readers cannot run here; undefined if they can. */
function findMissing(python: string): string | undefined {
  const found = spawnSync(python, ["-c", "import pandas, pyarrow, polars, duckdb"], { encoding: "utf8" });
  if (found.error !== undefined) return `${python} is not installed`;
  return found.status === 0 ? undefined : found.stderr.trim().split("\n").at(-1);
}

// PERPLAB_TABLES_PYTHON names a Python that has the packages: pip install pandas pyarrow polars duckdb
test("pandas, polars and DuckDB read every table with equal rows, exact sums and times", async ({ skip }) => {
  const python = process.env["PERPLAB_TABLES_PYTHON"] ?? "python3";
  const missing = findMissing(python);
  if (missing !== undefined) {
    console.log(`skipped: ${missing}`);
    skip(missing);
  }
  const folder = createFolder();
  const names = Object.keys(TIMES) as (keyof typeof TIMES)[];
  const tables = names.flatMap((name) => [join(folder, `${name}.csv`), join(folder, `${name}.parquet`)]);
  const { report } = await runBacktest({
    strategy: restless,
    params: { pace: 1 },
    data: memorySource(wander(9, 800)),
    leverage: 3,
    latencyMs: 0,
    tick: "1",
    lot: "0.01",
    fees: { maker: "-0.00005", taker: "0.0005" },
    tables,
  });
  const ended = spawnSync(python, [join(projectRoot, "scripts/python/read_tables.py"), folder], { encoding: "utf8" });
  expect(ended.stderr).toBe("");
  const readings = JSON.parse(ended.stdout) as Reading[];
  expect(readings).toHaveLength(names.length * 2 * 3);
  for (const { table, ending, reader, rows, sums, last } of readings) {
    const expected = await readTable(join(folder, `${table}.csv`), exportTables[table]);
    const exact = Object.fromEntries(
      Object.keys(sums).map((column) => [
        column,
        formatDecimal(
          expected.reduce((sum, row) => sum + (row[column] as bigint), 0n),
          6,
        ),
      ]),
    );
    const latest = Math.max(...expected.map((row) => row[TIMES[table]] as number));
    expect({ rows, sums, last }, `${table}${ending} by ${reader}`).toEqual({
      rows: expected.length,
      sums: exact,
      last: latest,
    });
  }
  const fees = readings.filter(({ table }) => table === "fills").map(({ sums }) => sums["fee"]);
  expect(new Set(fees)).toEqual(new Set([report.attribution.fees]));
});
