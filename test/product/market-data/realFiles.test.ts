import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { importFiles } from "../../../src/product/market-data/importFiles.ts";
import {
  checkData,
  isDataError,
  openTape,
  readSources,
  type TapeManifest,
} from "../../../src/product/market-data/index.ts";
import { createFolder, lines } from "./helpers.ts";

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../shared/data/real/", import.meta.url));
const mappings = fileURLToPath(new URL("../../../data/mappings/", import.meta.url));
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");

const folder = createFolder();

/** What a file gives: events by kind and findings by kind, or the code of the error that it ends with. */
type Outcome =
  | readonly [counts: Readonly<Record<string, number>>, findings?: Readonly<Record<string, number>>]
  | string;

/** By folder: the mapping of a file (none: its layout is detected), and what it gives. */
type Expected = Readonly<Record<string, readonly [mapping: string | undefined, outcome: Outcome, before?: string]>>;

const bars = (bar: number): readonly [undefined, Outcome] => [undefined, [{ bar }]];
const settled = (funding: number, findings = {}): readonly [undefined, Outcome] => [undefined, [{ funding }, findings]];
const mapped = (mapping: string, counts: Record<string, number>, findings: Record<string, number> = {}) =>
  [mapping, [counts, findings]] as const;
const bitmex = (bar: number, badOhlc: number, nullRow: number, gap: number) =>
  mapped("bitmex_xbtusd_1m", { bar }, { badOhlc, nullRow, gap });
const vault = (trade: number, precision: number) => mapped("hyperliquid_vault_fills_btc", { trade }, { precision });
const REFUSED = [undefined, "DATA_LAYOUT"] as const;
const CAPTURE = [undefined, "FORMAT_UNSUPPORTED"] as const;

const FILES: Readonly<Record<string, Expected>> = {
  aster_20250924: {
    BTCUSDT_prices: mapped("aster_20250924_prices", { index: 44_047 }, { unsorted: 1, duplicate: 3 }),
    BTCUSDT_trades: mapped("aster_20250924_trades", { trade: 62_032 }),
    ETHUSDT_prices: mapped("aster_20250924_prices", { index: 29_942 }, { unsorted: 1, duplicate: 5 }),
    ETHUSDT_trades: mapped("aster_20250924_trades", { trade: 45_868 }),
  },
  binance_btcusdt_mark_index_1h: {
    BTCUSDT_mark_index_oi_1h: mapped("binance_btcusdt_mark_index_1h", {
      index: 7795,
      mark: 7795,
      funding: 974,
      bar: 7795,
    }),
  },
  // The recorder's clock is 1.2 s slow: every row bears a receipt before the time at which the venue sent it.
  binance_cm_capture_20240809: {
    BTCUSD_PERP_bookticker: mapped("binance_cm_capture_20240809_quotes", { quote: 96_710 }, { clock: 48_355 }),
    BTCUSD_PERP_depth: [
      "binance_cm_capture_20240809_depth",
      [{ depth: 661_405 }, { clock: 661_671, stale: 266 }],
      "BTCUSD_PERP_snapshot:binance_cm_capture_20240809_snapshot",
    ],
    BTCUSD_PERP_snapshot: mapped("binance_cm_capture_20240809_snapshot", { depth: 2000 }, { clock: 2000 }),
    BTCUSD_PERP_trades: mapped("binance_cm_capture_20240809_trades", { trade: 5235 }, { clock: 5235 }),
  },
  binance_lob_20260216: {
    BTCUSDT_fut_book100: mapped("binance_lob_20260216_fut_book", { depth: 77_547 }),
    BTCUSDT_fut_trades: mapped("binance_lob_20260216_trades", { trade: 11_947 }, { gap: 19 }),
    BTCUSDT_spot_book5: mapped("binance_lob_20260216_spot_book", { depth: 6920 }),
    BTCUSDT_spot_trades: mapped("binance_lob_20260216_trades", { trade: 10_215 }),
  },
  binance_um_1h_2019_2023: {
    BTCUSDT_1h: bars(33_692),
    BTCUSDT_funding_8h: settled(4206),
    ETCUSDT_1h: bars(30_581),
    ETCUSDT_funding_8h: settled(3822),
    ETHUSDT_1h: bars(31_782),
    ETHUSDT_funding_8h: settled(3972),
    LTCUSDT_1h: bars(30_749),
    LTCUSDT_funding_8h: settled(3843),
    XRPUSDT_1h: bars(30_821),
    XRPUSDT_funding_8h: settled(3852),
  },
  binance_um_capture_20230405: {
    BTCUSDT_bookticker: mapped("binance_um_capture_20230405_quotes", { quote: 88_410 }),
    BTCUSDT_depth: [
      "binance_um_capture_20230405_depth",
      [{ depth: 324_682 }],
      "BTCUSDT_snapshot:binance_um_capture_20230405_snapshot",
    ],
    BTCUSDT_mark: mapped("binance_um_capture_20230405_mark", { index: 514, mark: 514 }),
    BTCUSDT_snapshot: mapped("binance_um_capture_20230405_snapshot", { depth: 2000 }),
    BTCUSDT_trades: mapped("binance_um_capture_20230405_trades", { trade: 12_935 }),
  },
  // A bar is labelled by its close, and its open is the close before it.
  bitmex_xbtusd_1m: {
    "XBTUSD_1m_2018-11_crash": bitmex(11_519, 260, 1, 1),
    "XBTUSD_1m_2019-06_spike": bitmex(5759, 146, 1, 1),
    "XBTUSD_1m_2020-03_covid_crash": bitmex(11_503, 341, 17, 9),
    "XBTUSD_1m_2021-05_crash": bitmex(11_519, 1616, 1, 1),
    "XBTUSD_1m_2021-09_crash": bitmex(4314, 846, 6, 5),
  },
  // Sums over venues that the source does not name, and of a unit that it does not state.
  coinglass_btc_aggregate: {
    coinglass_funding_1d: REFUSED,
    coinglass_funding_4h: REFUSED,
    coinglass_liquidation_4h: REFUSED,
    coinglass_oi_1d: REFUSED,
    coinglass_oi_4h: REFUSED,
  },
  cryptofeed_raw_captures: {
    "BINANCE_FUTURES.http.0.0": CAPTURE,
    "BINANCE_FUTURES.ws.1.0": CAPTURE,
    "BITMEX.0": CAPTURE,
    "BITMEX.ws.1.0": CAPTURE,
    "DYDX.0": CAPTURE,
    "DYDX.ws.1.0": CAPTURE,
  },
  drift_oracle_luna: { LUNA_oracle_20220509_0511: mapped("drift_oracle_luna", { index: 50_000 }, { gap: 41 }) },
  funding_hyperliquid_binance: {
    BINANCE_BTCUSDT_funding_8h: settled(4377),
    BINANCE_ETHUSDT_funding_8h: settled(4377),
    HL_BTC_book_summary_6h: mapped("hyperliquid_book_summary", { index: 2734 }),
    HL_BTC_funding_1h: settled(12_192, { rounded: 4320, gap: 25, offSchedule: 1 }),
    HL_ETH_book_summary_6h: mapped("hyperliquid_book_summary", { index: 2737 }, { precision: 879 }),
    HL_ETH_funding_1h: settled(12_192, { rounded: 5246, gap: 25, offSchedule: 1 }),
  },
  funding_multi_venue: {
    "BTC-USDT_bybit_2021-01-01_2024-01-01_funding_history": mapped("funding_multi_venue_8h", { funding: 3285 }),
    "BTC-USDT_dydx_2022-01-01_2024-01-01_funding_history": mapped(
      "funding_multi_venue_1h",
      { funding: 17_520 },
      { rounded: 15_744 },
    ),
    "ETH-USDT_bybit_2021-01-01_2024-01-01_funding_history": mapped("funding_multi_venue_8h", { funding: 3285 }),
    "ETH-USDT_dydx_2022-01-01_2024-01-01_funding_history": mapped(
      "funding_multi_venue_1h",
      { funding: 17_520 },
      { rounded: 15_743 },
    ),
  },
  // In August the account has neither traded nor held BTC. Its transfers are no market data.
  hyperliquid_account_replay: {
    "fills_2026-06": mapped("hyperliquid_account_fills_btc", { trade: 36 }),
    "fills_2026-07": mapped("hyperliquid_account_fills_btc", { trade: 24 }),
    "fills_2026-08": ["hyperliquid_account_fills_btc", "DATA_EMPTY"],
    "funding_2026-06": mapped("hyperliquid_account_funding_btc", { funding: 48 }, { rounded: 28, gap: 11 }),
    "funding_2026-07": mapped("hyperliquid_account_funding_btc", { funding: 66 }, { rounded: 24, gap: 9 }),
    "funding_2026-08": ["hyperliquid_account_funding_btc", "DATA_EMPTY"],
    "ledger_2026-06": REFUSED,
    "ledger_2026-07": REFUSED,
  },
  hyperliquid_klines_funding: {
    BTC_1h: bars(7793),
    BTC_5m: bars(38_531),
    BTC_funding_1h: settled(18_778, { rounded: 8291, gap: 84, offSchedule: 4 }),
    ETH_1h: bars(7793),
    ETH_5m: bars(38_531),
    ETH_funding_1h: settled(18_778, { rounded: 9012, gap: 84, offSchedule: 4 }),
    HYPE_1h: bars(5588),
    HYPE_funding_1h: settled(5587, { rounded: 2243, offSchedule: 1 }),
    SOL_1h: bars(7793),
    SOL_funding_1h: settled(18_778, { rounded: 9748, gap: 84, offSchedule: 4 }),
  },
  hyperliquid_l2_20250904: {
    BTC_orderbooks: mapped("hyperliquid_l2_book", { depth: 98_600 }),
    BTC_prices: mapped("hyperliquid_l2_prices", { quote: 55_584 }),
    BTC_trades: mapped("hyperliquid_l2_trades", { trade: 6675 }),
    ETH_orderbooks: mapped("hyperliquid_l2_book", { depth: 114_431 }),
    ETH_prices: mapped("hyperliquid_l2_prices", { quote: 61_036 }),
    ETH_trades: mapped("hyperliquid_l2_trades", { trade: 6867 }, { unsorted: 15, duplicate: 17 }),
  },
  hyperliquid_vault_fills: {
    "fills_2025-02": vault(7014, 360),
    "fills_2025-03": vault(19_715, 1785),
    "fills_2025-04": vault(11_656, 1639),
    "fills_2025-05": vault(10_644, 1102),
    "fills_2025-06": vault(10_403, 855),
    "fills_2025-07": vault(9152, 769),
    "fills_2025-08": vault(7106, 703),
    "fills_2025-09": vault(7721, 479),
    "fills_2025-10": vault(14_964, 986),
    "fills_2025-11": vault(3113, 236),
    vaults: REFUSED,
  },
  okx_btcusd_swap_hourly: {
    "BTC-USD-SWAP_basis_funding_oi_1h": mapped("okx_btcusd_swap_hourly", { index: 6406, mark: 6406 }, { gap: 1084 }),
  },
  standx_btcusd_202601: {
    "BTC-USD_book20_2026-01-06_14": mapped("standx_btcusd_202601_book", { depth: 134_640 }),
    "BTC-USD_book20_2026-01-06_15": mapped("standx_btcusd_202601_book", { depth: 137_567 }),
    "BTC-USD_trades_2026-01-05": mapped("standx_btcusd_202601_trades", { trade: 2802 }, { clock: 6 }),
    "BTC-USD_trades_2026-01-06": mapped("standx_btcusd_202601_trades", { trade: 165_660 }, { clock: 176 }),
    "BTC-USD_trades_2026-01-07": mapped("standx_btcusd_202601_trades", { trade: 138_195 }, { clock: 111 }),
    "BTC-USD_trades_2026-01-08": mapped("standx_btcusd_202601_trades", { trade: 154_002 }, { clock: 174 }),
  },
  tardis_binance_20200222: {
    BTCUSDT_quotes: [undefined, [{ quote: 19_998 }]],
    BTCUSDT_trades: [undefined, [{ trade: 9999 }]],
  },
};

const stemOf = (name: string): string => name.replace(/\.(csv|txt)\.gz$/, "");

/** Path of a file with this stem. */
const pathOf = (name: string, stem: string): string =>
  [`${real}${name}/${stem}.csv.gz`, `${real}${name}/${stem}.txt.gz`].find((path) => existsSync(path))!;

const source = (name: string, stem: string, mapping: string | undefined) => ({
  path: pathOf(name, stem),
  market: "M",
  ...(mapping === undefined ? {} : { layout: `${mappings}${mapping}.yaml` }),
});

const only = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

function findingsOf({ quality }: TapeManifest): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, count } of quality.findings) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}

test.skipIf(!isThere)("every folder and every file of the recorded data is in the table above", () => {
  const there = readdirSync(real, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(there.map(({ name }) => name).sort()).toEqual(Object.keys(FILES).sort());
  for (const { name } of there) {
    expect(
      readdirSync(real + name)
        .map(stemOf)
        .sort(),
      name,
    ).toEqual(Object.keys(FILES[name]!).sort());
  }
});

// Goal: each file becomes a tape that reads back in order and whole, with the findings that are known, or ends with the
// code of the defect that stops it, and then leaves no tape.
test.skipIf(!isThere).each(Object.entries(FILES))(
  "the files of %s are imported, or refused for what they are",
  async (name, files) => {
    for (const [stem, [mapping, outcome, before]] of Object.entries(files)) {
      const first = before?.split(":");
      const sources = [
        ...(first === undefined ? [] : [source(name, first[0]!, first[1])]),
        source(name, stem, mapping),
      ];
      const out = folder.path(`${name}-${stem}.tape`);
      const result = await importFiles({ sources, out }).catch((error: unknown) => error);
      if (typeof outcome === "string") {
        expect(isDataError(result) && result.code, stem).toBe(outcome);
        expect(isDataError(result) && result.hint, stem).toBeTruthy();
        expect(existsSync(out), stem).toBe(false);
        continue;
      }
      if (isDataError(result)) throw result;
      const [counts, findings = {}] = outcome;
      const manifest = result as TapeManifest;
      expect(only(manifest.counts), stem).toEqual(counts);
      expect(findingsOf(manifest), stem).toEqual(findings);
      expect(await replay(out), stem).toBe(manifest.events);
    }
  },
);

/** Reads a tape to its end; its times never fall. */
async function replay(path: string): Promise<number> {
  const tape = await openTape(path);
  let events = 0;
  let latest = 0;
  for await (const { count, timeMs } of tape.chunks()) {
    for (let row = 0; row < count; row++) {
      if (timeMs[row]! < latest) throw new Error(`the time falls at event ${events + row}`);
      latest = timeMs[row]!;
    }
    events += count;
  }
  await tape.close();
  return events;
}

/** A mapping of the repository with other words in it. */
const change = (mapping: string, from: string, to: string): string => {
  const text = readFileSync(`${mappings}${mapping}.yaml`, "utf8");
  if (!text.includes(from)) throw new Error(`${mapping} has no ${from}`);
  return folder.write(`${mapping}-changed.yaml`, text.replaceAll(from, to));
};

test.skipIf(!isThere)(
  "funding whose dates are of another zone is off its schedule, and the finding names the zone",
  async () => {
    const file = "BTC-USDT_bybit_2021-01-01_2024-01-01_funding_history";
    const layout = change("funding_multi_venue_8h", '"+03:00"', "UTC");
    const { manifest } = await readSources({
      sources: [{ ...source("funding_multi_venue", file, undefined), layout }],
    });
    expect(findingsOf(manifest)).toEqual({ offSchedule: 3285 });
    expect(manifest.quality.findings[0]!.samples[0]!.reason).toMatch(/is 3 h after .*state the zone/);
  },
);

test.skipIf(!isThere)(
  "a zone of the times that are received is wrong where rows come before they are sent",
  async () => {
    const layout = folder.write(
      "local.yaml",
      `mapping: local
header: true
exponents: true
where: { coin: BTC }
time: { column: time_iso, unit: iso, zone: UTC, received: { column: time_ms, unit: ms } }
streams: [{ kind: trades, price: px, size: sz }]
`,
    );
    const right = await readSources({
      sources: [{ ...source("hyperliquid_account_replay", "fills_2026-06", undefined), layout }],
    });
    expect(findingsOf(right.manifest)).toEqual({});
    // The same fills with their zone cut off: the text is of UTC+8.
    const rows = [
      "t,r,p,q",
      ...Array.from({ length: 3 }, (_, at) => `2026-06-13 12:51:3${at},${Date.UTC(2026, 5, 13, 4, 51, 30 + at)},1,1`),
    ];
    const wrong = await readSources({
      sources: [
        {
          path: folder.write("cut.csv", lines(...rows)),
          market: "M",
          layout: folder.write(
            "cut.yaml",
            "mapping: cut\nheader: true\ntime: { column: t, unit: iso, zone: UTC, received: { column: r, unit: ms } }\nstreams: [{ kind: trades, price: p, size: q }]\n",
          ),
        },
      ],
    });
    expect(wrong.manifest.quality.findings).toMatchObject([
      { kind: "clock", count: 3, samples: [{ line: 2, column: "r" }, {}, {}] },
    ]);
  },
);

const clockOf = async (...sources: { path: string; layout?: string }[]) => {
  const opened = await readSources({ sources: sources.map((each) => ({ market: "M", ...each })) });
  return (await checkData(opened))[0]!.clock!;
};
const HOUR = 3_600_000;

test.skipIf(!isThere)(
  "reference prices of a wrong zone, or with wrong times, are late against recorded bars",
  async () => {
    const hourly = { path: pathOf("hyperliquid_klines_funding", "BTC_1h") };
    const okx = pathOf("okx_btcusd_swap_hourly", "BTC-USD-SWAP_basis_funding_oi_1h");
    const right = await clockOf(hourly, { path: okx, layout: `${mappings}okx_btcusd_swap_hourly.yaml` });
    expect(right).toEqual({ compared: 2489, lateMs: 0 });
    // UTC+5, and cut down to the hour.
    const wrong = await clockOf(hourly, { path: okx, layout: change("okx_btcusd_swap_hourly", '"+05:00"', "UTC") });
    expect(wrong).toEqual({ compared: 2486, lateMs: 4 * HOUR });
    const index = (column: string) =>
      folder.write(
        `${column}.yaml`,
        `mapping: index\nheader: true\ntime: { column: ${column}, unit: ${column === "time_ms" ? "ms" : "iso, zone: UTC"} }\nstreams: [{ kind: index, price: index_price }]\n`,
      );
    const path = pathOf("binance_btcusdt_mark_index_1h", "BTCUSDT_mark_index_oi_1h");
    expect((await clockOf(hourly, { path, layout: index("time_ms") })).lateMs).toBe(0);
    expect((await clockOf(hourly, { path, layout: index("source_timestamp_wrong") })).lateMs).toBe(130 * HOUR);
  },
);

test.skipIf(!isThere)("bars that are labelled by their other end are late against a reference price", async () => {
  const hourly = folder.write(
    "hourly.yaml",
    "mapping: hourly\nheader: true\ntime: { column: open_time_ms, unit: ms }\nstreams: [{ kind: index, label: open, interval: 1h, open: open, high: high, low: low, close: close }]\n",
  );
  const index = { path: pathOf("binance_um_1h_2019_2023", "BTCUSDT_1h"), layout: hourly };
  const path = pathOf("bitmex_xbtusd_1m", "XBTUSD_1m_2021-05_crash");
  expect((await clockOf(index, { path, layout: `${mappings}bitmex_xbtusd_1m.yaml` })).lateMs).toBe(0);
  expect(
    (await clockOf(index, { path, layout: change("bitmex_xbtusd_1m", "label: close", "label: open") })).lateMs,
  ).toBe(-60_000);
});

test.skipIf(!isThere)("locked books are counted, and a book that is never crossed is reported as such", async () => {
  const check = async (stem: string) => {
    const opened = await readSources({ sources: [source("standx_btcusd_202601", stem, "standx_btcusd_202601_book")] });
    return (await checkData(opened))[0]!.book!;
  };
  expect(await check("BTC-USD_book20_2026-01-06_14")).toMatchObject({ locked: 3324, crossed: 0, gaps: 0 });
  expect(await check("BTC-USD_book20_2026-01-06_15")).toMatchObject({ locked: 3640, crossed: 0, gaps: 0 });
});

// The sides that StandX recorded are all SELL, and its data here has none. A tape of one side is made of Aster's.
test.skipIf(!isThere)("a recorded tape with one taker side alone is found, and one with both is not", async () => {
  const layout = change("aster_20250924_trades", "rule: contiguous", "rule: rising");
  const whole = source("aster_20250924", "BTCUSDT_trades", undefined);
  const read = async (path: string) => (await readSources({ sources: [{ path, market: "M", layout }] })).manifest;
  const both = await read(whole.path);
  expect(both.quality.findings).toEqual([]);
  const [header, ...rows] = gunzipSync(readFileSync(whole.path)).toString().trimEnd().split("\n");
  const buys = rows.filter((row) => row.split(",")[2] === "buy");
  expect(buys.length).toBeGreaterThan(1000);
  const oneSided = await read(folder.write("buys.csv", lines(header!, ...buys)));
  expect(findingsOf(oneSided)).toEqual({ oneSided: 1 });
  expect(oneSided.quality.findings[0]!.samples[0]!.reason).toMatch(/buy/);
});
