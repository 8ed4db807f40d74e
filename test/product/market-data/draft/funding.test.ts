import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { EventKind, readSources, type SourceFile } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const T = Date.UTC(2024, 0, 30);
const HOUR = 3_600_000;

async function read(source: SourceFile) {
  const opened = await readSources({ sources: [source] });
  return { manifest: opened.manifest, events: await collect(opened) };
}

/** Settlements at a distance, some milliseconds late. */
const rows = (hours: number, line: (ms: number, index: number) => string, count = 6): string[] =>
  Array.from({ length: count }, (_, index) => line(T + index * hours * HOUR + index, index));

const known: [header: string, hours: number, line: (ms: number) => string][] = [
  ["time_ms,funding_rate", 8, (ms) => `${ms},-0.0001`],
  ["time_ms,funding_rate,premium", 1, (ms) => `${ms},-0.0001,0.002`],
  ["funding_time_ms,funding_rate", 8, (ms) => `${ms},-0.0001`],
  ["fundingTime,fundingRate", 4, (ms) => `${ms},-1e-4`],
  ["symbol,fundingTime,fundingRate", 8, (ms) => `BTCUSDT,${ms},-0.0001`],
  ["instrument_name,funding_rate,funding_time", 8, (ms) => `BTC-USDT-SWAP,-0.0001,${ms}`],
  ["date,funding_rate", 8, (ms) => `${new Date(ms).toISOString()},-0.0001`],
];

test.each(known)("%s every %i hours needs no mapping", async (header, hours, line) => {
  const path = folder.write("f.csv", lines(header, ...rows(hours, line)));
  const { manifest, events } = await read({ path, market: "BTC" });
  expect(manifest.sources[0]).toMatchObject({ layout: "funding", events: 6 });
  expect(manifest.sources[0]!.notes.join(" ")).toContain(`a fraction that settles every ${hours}h`);
  expect(manifest.quality.findings).toEqual([]);
  expect(events[1]).toMatchObject({
    kind: EventKind.funding,
    timeMs: T + hours * HOUR + 1,
    rate: -100_000,
    intervalMs: hours * HOUR,
  });
  expect((await read({ path, market: "BTC", layout: "funding" })).events).toHaveLength(6);
  const error = await expectError(read({ path, market: "BTC", layout: "ohlcv" }), { code: "DATA_LAYOUT" });
  expect(error.message).toContain("are not time, open, high, low, close and volume");
});

const header = "time_ms,funding_rate";
const unclear: [name: string, text: string][] = [
  ["rates in percent", lines(header, ...rows(8, (ms) => `${ms},0.01`))],
  [
    "a column that is called percent",
    lines("time_ms,funding rate", ...rows(8, (ms) => `${ms},0.0001`)).replace("rate", "rate %"),
  ],
  ["distances of two lengths", lines(header, ...[0, 8, 16, 24, 28, 32].map((hour) => `${T + hour * HOUR},0.0001`))],
  ["one distance", lines(header, ...rows(8, (ms) => `${ms},0.0001`, 2))],
  ["a rate each second", lines(header, ...rows(1 / 3600, (ms) => `${ms},0.0001`))],
  [
    "times without a zone",
    lines("date,funding_rate", "2024-01-30 03:00,0", "2024-01-30 11:00,0", "2024-01-30 19:00,0"),
  ],
];

test.each(unclear)("funding with %s needs a mapping", async (_name, text) => {
  const error = await expectError(read({ path: folder.write("u.csv", text) }), { code: "DATA_LAYOUT", line: 1 });
  expect(error.hint).toContain("--draft-mapping");
});

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../../shared/data/real/", import.meta.url));
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");

test.skipIf(!isThere).each([
  ["funding_hyperliquid_binance/BINANCE_BTCUSDT_funding_8h.csv.gz", 4377, 8, []],
  ["funding_hyperliquid_binance/HL_ETH_funding_1h.csv.gz", undefined, 1, ["gap", "offSchedule", "rounded"]],
] as const)("recorded funding %s", async (file, events, hours, findings) => {
  const { manifest, events: all } = await read({ path: `${real}${file}`, market: "BTC" });
  if (events !== undefined) expect(manifest.events).toBe(events);
  expect(all[0]!.intervalMs).toBe(hours * HOUR);
  expect(manifest.quality.findings.map(({ kind }) => kind).toSorted()).toEqual(findings);
});

test.skipIf(!isThere)("recorded funding in a zone that no time names needs a mapping", async () => {
  const path = `${real}funding_multi_venue/BTC-USDT_bybit_2021-01-01_2024-01-01_funding_history.csv.gz`;
  await expectError(read({ path }), { code: "DATA_LAYOUT" });
});
