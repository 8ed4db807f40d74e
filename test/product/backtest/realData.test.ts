import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { openData } from "../../../src/product/market-data/readSources.ts";
import funding from "../../../src/product/strategies/funding.ts";
import maker from "../../../src/product/strategies/maker.ts";
import trend from "../../../src/product/strategies/trend.ts";
import { verifyLog } from "../../../src/venue/simulation/log/verifyLog.ts";
import { hold } from "./hold.ts";

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../shared/data/real/", import.meta.url));
const mappings = fileURLToPath(new URL("../../../data/mappings/", import.meta.url));
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");
const onRealData = test.skipIf(!isThere);

const source = (market: string, mapping: string, file: string) => `${market}:${mappings}${mapping}.yaml=${real}${file}`;
const binance = (coin: string) => [
  source(`${coin}-PERP`, "binance_um_1h_2019_2023_bars", `binance_um_1h_2019_2023/${coin}USDT_1h.csv.gz`),
  source(`${coin}-PERP`, "binance_um_1h_2019_2023_funding", `binance_um_1h_2019_2023/${coin}USDT_funding_8h.csv.gz`),
];
const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

onRealData("a long through 2020-03-12 is liquidated at ten times leverage and not at one", async () => {
  const data = await openData(binance("BTC"));
  const options = { data, strategy: hold, fromMs: day("2020-03-10"), toMs: day("2020-03-15") };
  const one = (await runBacktest({ ...options, leverage: 1 })).report;
  const ten = (await runBacktest({ ...options, leverage: 10 })).report;
  expect(one.liquidations.total).toBe(0);
  expect(ten.liquidations.total).toBeGreaterThan(0);
  const [first] = ten.liquidations.kept;
  expect(new Date(first!.timeMs).toISOString().slice(0, 10)).toBe("2020-03-12");
  expect(first!.fills.every(({ price }) => Number(price) > 0)).toBe(true);
  expect(ten.insurance.total).toBeGreaterThan(0);
  for (const { attribution } of [one, ten]) expect(attribution.residual).toBe("0");
});

onRealData("trend following through the spring of 2020 survives at one and not at ten times leverage", async () => {
  const data = await openData(binance("BTC"));
  const options = { data, strategy: trend, fromMs: day("2020-02-01"), toMs: day("2020-04-01") };
  const one = (await runBacktest({ ...options, leverage: 1 })).report;
  const ten = (await runBacktest({ ...options, leverage: 10 })).report;
  expect(one.liquidations.total).toBe(0);
  expect(ten.liquidations.total).toBeGreaterThan(0);
  expect(ten.liquidations.kept[0]!.insuranceDelta).toMatch(/^-/);
  for (const { attribution } of [one, ten]) expect(attribution.residual).toBe("0");
});

onRealData("funding of two perpetuals is harvested through 2021-05-19, with every payment in the report", async () => {
  const data = await openData([...binance("BTC"), ...binance("ETH")]);
  const { report } = await runBacktest({
    data,
    strategy: funding,
    fromMs: day("2021-03-01"),
    toMs: day("2021-06-01"),
  });
  expect(report.run.markets).toEqual(["BTC-PERP", "ETH-PERP"]);
  expect(Number(report.attribution.funding)).toBeGreaterThan(0);
  const paid = report.funding.kept.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 1e6), 0);
  expect(paid).toBe(Math.round(Number(report.attribution.funding) * 1e6));
  expect(report.attribution.residual).toBe("0");
});

onRealData("a market maker on the trades of Aster only ever makes, and the run's log replays to its root", async () => {
  const data = await openData([source("BTC-PERP", "aster_20250924_trades", "aster_20250924/BTCUSDT_trades.csv.gz")]);
  const log = join(mkdtempSync(join(tmpdir(), "perplab-real-")), "aster.log");
  const { report, root, head } = await runBacktest({ data, strategy: maker, log });
  expect(report.fills.total).toBeGreaterThan(0);
  expect(report.fills.kept.every(({ role }) => role === "maker")).toBe(true);
  expect(report.attribution.residual).toBe("0");
  expect(await verifyLog(log)).toMatchObject({ root, head, torn: undefined });
});

onRealData("recorded marks and a running rate drive margin and funding through 2024-08-05", async () => {
  const file = "binance_btcusdt_mark_index_1h/BTCUSDT_mark_index_oi_1h.csv.gz";
  const data = await openData([source("BTC-PERP", "binance_btcusdt_mark_index_1h", file)]);
  const options = { data, strategy: hold, fromMs: day("2024-07-20"), toMs: day("2024-08-15") };
  const one = (await runBacktest({ ...options, leverage: 1 })).report;
  const ten = (await runBacktest({ ...options, leverage: 10 })).report;
  expect(one.run.driver.markSource).toBe("recorded");
  // Three a day but for the one at the first bar's open, when no position was held yet.
  expect(one.funding.total).toBe(77);
  expect(one.liquidations.total).toBe(0);
  expect(ten.liquidations.total).toBeGreaterThan(0);
});

onRealData("the minutes of BitMEX are a linear path with their defects in the report", async () => {
  const file = "bitmex_xbtusd_1m/XBTUSD_1m_2020-03_covid_crash.csv.gz";
  const data = await openData([source("BTC-USD", "bitmex_xbtusd_1m", file)]);
  const { report } = await runBacktest({
    data,
    strategy: trend,
    leverage: 10,
    fromMs: day("2020-03-12"),
    toMs: day("2020-03-14"),
  });
  expect(report.run.data[0]!.findings.map(({ kind }) => kind).sort()).toEqual(["badOhlc", "gap", "nullRow"]);
  expect(report.run.assumptions.join("\n")).toContain("inverse");
  expect(report.attribution.residual).toBe("0");
});
