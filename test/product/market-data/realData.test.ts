import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { EventKind, parseSource, readSources, type TapeManifest } from "../../../src/product/market-data/index.ts";
import { NO_EVENTS } from "../../../src/product/market-data/types.ts";
import { collect } from "./helpers.ts";

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../shared/data/real/", import.meta.url));
const mappings = fileURLToPath(new URL("../../../data/mappings/", import.meta.url));
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");
const onRealData = test.skipIf(!isThere);

const open = (mapping: string, market: string, ...files: string[]) =>
  readSources({ sources: files.map((file) => parseSource(`${market}:${mappings}${mapping}.yaml=${real}${file}`)) });

/** Count of findings by kind. */
function findings({ quality }: TapeManifest): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, count } of quality.findings) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}

onRealData("hourly bars and funding of Binance have no findings", async () => {
  const folder = "binance_um_1h_2019_2023";
  const bars = await open("binance_um_1h_2019_2023_bars", "XRP-PERP", `${folder}/XRPUSDT_1h.csv.gz`);
  expect(bars.manifest.counts.bar).toBe(30_821);
  expect(findings(bars.manifest)).toEqual({});
  const funding = await open("binance_um_1h_2019_2023_funding", "BTC-PERP", `${folder}/BTCUSDT_funding_8h.csv.gz`);
  expect(funding.manifest.counts.funding).toBe(4206);
  expect(findings(funding.manifest)).toEqual({});
});

onRealData("the worst hour of 2020-03-12 is on the tape to the tick", async () => {
  const source = await open("binance_um_1h_2019_2023_bars", "BTC-PERP", "binance_um_1h_2019_2023/BTCUSDT_1h.csv.gz");
  const closes = Date.UTC(2020, 2, 12, 11);
  const [bar] = await collect(source, { fromMs: closes, toMs: closes + 1 });
  expect(bar).toMatchObject({ kind: EventKind.bar, timeMs: closes, intervalMs: 3_600_000 });
  expect(bar!.price).toBeLessThan(bar!.open * 0.9);
});

onRealData("hourly mark and index settle their running rate three times a day", async () => {
  const file = "binance_btcusdt_mark_index_1h/BTCUSDT_mark_index_oi_1h.csv.gz";
  const { manifest } = await open("binance_btcusdt_mark_index_1h", "BTC-PERP", file);
  expect(manifest.counts).toEqual({ ...NO_EVENTS, index: 7795, mark: 7795, funding: 974, bar: 7795 });
  expect(manifest.sources[0]!.notes).toHaveLength(3);
});

onRealData("the empty minutes and odd opens of BitMEX are counted, and its gaps stay open", async () => {
  const file = "bitmex_xbtusd_1m/XBTUSD_1m_2020-03_covid_crash.csv.gz";
  const { manifest } = await open("bitmex_xbtusd_1m", "BTC-USD", file);
  expect(findings(manifest)).toEqual({ badOhlc: 341, nullRow: 17, gap: 9 });
  expect(manifest.counts.bar).toBe(11_520 - 17);
  expect(manifest.sources[0]!.notes[0]).toContain("inverse");
});

onRealData("the trades of Aster are complete", async () => {
  const { manifest } = await open("aster_20250924_trades", "BTC-PERP", "aster_20250924/BTCUSDT_trades.csv.gz");
  expect(manifest.counts.trade).toBe(62_032);
  expect(findings(manifest)).toEqual({});
});

onRealData("the tenth digit of Hyperliquid's funding is cut and counted", async () => {
  const { manifest } = await open(
    "hyperliquid_funding_1h",
    "HYPE",
    "hyperliquid_klines_funding/HYPE_funding_1h.csv.gz",
  );
  expect(manifest.counts.funding).toBe(5587);
  expect(findings(manifest)).toEqual({ rounded: 2243, offSchedule: 1 });
  const bars = await open("hyperliquid_klines_5m", "BTC", "hyperliquid_klines_funding/BTC_5m.csv.gz");
  expect(findings(bars.manifest)).toEqual({});
});
