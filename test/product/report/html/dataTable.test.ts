import { describe, expect, test } from "vitest";
import {
  type DataTable,
  formatShown,
  ROWS_PER_PAGE,
  renderDataTable,
  renderRow,
  selectRows,
  toCsv,
} from "../../../../src/product/report/html/dataTable.ts";

const table: DataTable = {
  name: "trades",
  columns: [
    { key: "time", label: "Time", kind: "time", unit: "UTC" },
    { key: "market", label: "Market", kind: "text" },
    { key: "pnl", label: "PnL", kind: "decimal", digits: 2, isSigned: true },
    { key: "share", label: "Share", kind: "percent" },
  ],
  rows: [
    [0, "BTC-PERP", "-10.000001", 0.5],
    [86_400_000, "ETH-PERP", "9.5", 0.25],
    [172_800_000, "BTC-PERP", "100", null],
  ],
  total: 3,
  zoom: ["time", "time"],
};

describe("the rows of a table", () => {
  test("are sorted by number or text, empty cells last in both directions", () => {
    const by = (key: string, isDown: boolean) => selectRows(table, "", { key, isDown });
    expect(by("pnl", false)).toEqual([0, 1, 2]);
    expect(by("pnl", true)).toEqual([2, 1, 0]);
    expect(by("market", false)).toEqual([0, 2, 1]);
    expect(by("share", false)).toEqual([1, 0, 2]);
    expect(by("share", true)).toEqual([0, 1, 2]);
    expect(by("unknown", true)).toEqual([0, 1, 2]);
  });

  test("are filtered by all words, each a part of a cell's text or a comparison of a column", () => {
    const by = (filter: string) => selectRows(table, filter, null);
    expect(by("btc")).toEqual([0, 2]);
    expect(by("BTC 1970-01-03")).toEqual([2]);
    expect(by("pnl<0")).toEqual([0]);
    expect(by("pnl>=9.5")).toEqual([1, 2]);
    expect(by("pnl=9.5 btc")).toEqual([]);
    expect(by("share>30")).toEqual([0]);
    expect(by("size>1")).toEqual([]);
    expect(by("  ")).toEqual([0, 1, 2]);
    const named = { ...table, columns: table.columns.with(2, { ...table.columns[2]!, key: "run.ma_2", label: "Net" }) };
    for (const filter of ["run.ma_2>9", "net>9", "Net>9"]) expect(selectRows(named, filter, null)).toEqual([1, 2]);
  });

  test("become CSV with every digit, and a formula of a spreadsheet stays a text", () => {
    const risky: DataTable = { ...table, rows: [[0, '=cmd|"x",y', "-0.000001", null]] };
    expect(toCsv(risky, [0])).toBe('time,market,pnl,share\r\n1970-01-01T00:00:00.000Z,"\'=cmd|""x"",y",-0.000001,\r\n');
    expect(toCsv(table, [2, 1])).toBe(
      "time,market,pnl,share\r\n1970-01-03T00:00:00.000Z,BTC-PERP,100,\r\n1970-01-02T00:00:00.000Z,ETH-PERP,9.5,0.25\r\n",
    );
  });

  test("are escaped, signed and coloured", () => {
    const row = renderRow(table, [0, "<b>", "12.345", 0.5], 7).text;
    expect(row).toContain('data-row="7"');
    expect(row).toContain("&lt;b&gt;");
    expect(row).toContain('<td class="n gain">+12.35</td>');
    expect(renderRow(table, [0, "x", "-1", null], 0).text).toContain('<td class="n pain">−1.00</td>');
    // Numbers that JavaScript writes with an exponent.
    expect(renderRow(table, [0, "x", 1e-7, null], 0).text).toContain(">0.00</td>");
    expect(renderRow(table, [0, "x", -1e-7, null], 0).text).toContain(">0.00</td>");
  });
});

test("a page has the first rows of a long table and counts the others", () => {
  const rows = Array.from({ length: 60 }, (_, i) => [i, "BTC-PERP", "1", 0]);
  const long = { ...table, rows, total: 100_000 };
  const page = renderDataTable(long, 0).text;
  expect(page.match(/<tr data-row/g)).toHaveLength(ROWS_PER_PAGE);
  expect(page).toContain("25 of 60 rows shown; this page keeps 60 of 100,000");
  expect(formatShown(1, 1, table)).toBe("1 matching row");
  expect(formatShown(3, 3, table)).toBe("3 rows");
});
