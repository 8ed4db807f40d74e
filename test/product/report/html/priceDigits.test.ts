import { expect, test } from "vitest";
import { type DataTable, formatCell } from "../../../../src/product/report/html/dataTable.ts";
import { alignPrices } from "../../../../src/product/report/html/priceDigits.ts";
import { getTripTable } from "../../../../src/product/report/html/roundTrips.ts";
import { getFillTable } from "../../../../src/product/report/html/tables.ts";
import type { BacktestReport } from "../../../../src/product/report/model.ts";

const markets = [
  { market: "BTC-PERP", last: ["81957", null, "83483.5"] },
  { market: "DOGE-PERP", last: ["0.12345"] },
] as unknown as BacktestReport["markets"];
const fill = { market: "BTC-PERP", timeMs: 0, side: "buy", size: "1", price: "81957", value: "81957", fee: "0" };
const trip = { market: "BTC-PERP", entryMs: 0, exitMs: 1, entryPrice: "84685.70338501", exitPrice: null };
const run = { strategy: { id: "x" }, endMs: 1 };

test("prices of one market have the digits of its ticks, those of several each its own", () => {
  expect(alignPrices({ markets }, [fill])).toEqual({ digits: 1 });
  expect(alignPrices({ markets }, [{ market: "DOGE-PERP" }])).toEqual({ digits: 5 });
  expect(alignPrices({ markets }, [fill, { market: "DOGE-PERP" }])).toEqual({});
  expect(alignPrices({ markets }, [])).toEqual({});
});

test("fills and round trips show aligned prices, and keep every digit for their CSV files", () => {
  const report = {
    markets,
    run,
    fills: { total: 1, kept: [{ ...fill, liquidationId: null, role: "taker" }] },
    roundTrips: {
      total: 1,
      kept: [
        {
          ...trip,
          ...{ entryValue: "1", realizedPnl: "0", unrealizedPnl: "0", fees: "0", liquidationFees: "0", net: "0" },
        },
      ],
    },
  } as unknown as BacktestReport;
  const show = ({ columns, rows }: DataTable, key: string) => {
    const at = columns.findIndex((column) => column.key === key);
    return formatCell(columns[at]!, rows[0]![at]!);
  };
  expect(show(getFillTable(report), "price")).toBe("81,957.0");
  expect(show(getTripTable(report), "entryPrice")).toBe("84,685.7");
  expect(show(getTripTable(report), "exitPrice")).toBe("");
  expect(getTripTable(report).rows[0]).toContain("84685.70338501");
});
