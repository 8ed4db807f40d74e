import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeSamples, type SampleEntry } from "../../../scripts/dataSamples.ts";
import { openData } from "../../../src/product/market-data/index.ts";
import { NO_EVENTS } from "../../../src/product/market-data/types.ts";
import { CRASH_MINUTE } from "../../../src/proof/generators/marketPath.ts";
import { formatAggTrades, formatKlines } from "../../../src/proof/generators/marketRows.ts";
import {
  createSampleRandom,
  generateSampleMinutes,
  MARKET_SAMPLES,
  SAMPLE_SEED,
} from "../../../src/proof/generators/marketSamples.ts";

const folder = new URL("../../../data/", import.meta.url);
const manifest: { seed: string; files: SampleEntry[] } = JSON.parse(
  readFileSync(new URL("manifest.json", folder), "utf8"),
);

test("the manifest lists every sample, and each file matches it", () => {
  expect(manifest.seed).toBe(SAMPLE_SEED);
  expect(manifest.files.map(({ file }) => file.replace(/\.gz$/, "")).sort()).toEqual(
    MARKET_SAMPLES.map(({ file }) => file).sort(),
  );
  for (const { file, sha256, bytes } of manifest.files) {
    const content = readFileSync(new URL(file, folder));
    expect([file, content.length, createHash("sha256").update(content).digest("hex")]).toEqual([file, bytes, sha256]);
  }
});

test("a plain and a packed sample are remade byte for byte", () => {
  for (const { entry, bytes } of makeSamples([
    "BTC-PERP-fundingRate-2024.csv",
    "BTC-PERP-markPriceKlines-1h-2024.csv",
  ])) {
    expect(manifest.files).toContainEqual(entry);
    expect(readFileSync(new URL(entry.file, folder)).equals(bytes)).toBe(true);
  }
});

test("another seed gives another market", () => {
  const first = generateSampleMinutes("one").slice(0, 100);
  expect(generateSampleMinutes("one").slice(0, 100)).toEqual(first);
  expect(generateSampleMinutes("two").slice(0, 100)).not.toEqual(first);
});

test("the crash takes about forty percent in two days, and more than a tenth in its first hour", () => {
  const minutes = generateSampleMinutes(SAMPLE_SEED);
  const at = (minute: number): number => minutes[CRASH_MINUTE + minute]!.open;
  expect(at(2 * 1440) / at(0)).toBeLessThan(0.65);
  expect(at(60) / at(0)).toBeLessThan(0.9);
});

// Goal: trades and klines agree. Method: klines are rebuilt from the trades, column by column.
test("klines rebuilt from the trades equal the klines", () => {
  const minutes = generateSampleMinutes(SAMPLE_SEED).slice(1000, 1060);
  const trades = [...formatAggTrades(createSampleRandom("x", "trades"), minutes)]
    .slice(1)
    .map((line) => line.split(","));
  const rebuilt = minutes.map(({ timeMs }) => {
    const own = trades.filter((cells) => Number(cells[5]) >= timeMs && Number(cells[5]) < timeMs + 60_000);
    const prices = own.map((cells) => Number(cells[1]));
    const lots = (rows: string[][]): number =>
      rows.reduce((sum, cells) => sum + Math.round(Number(cells[2]) * 1000), 0);
    const buys = own.filter((cells) => cells[6] === "false");
    return [
      timeMs,
      prices[0],
      Math.max(...prices),
      Math.min(...prices),
      prices.at(-1),
      lots(own),
      own.length,
      lots(buys),
    ];
  });
  const klines = [...formatKlines(minutes, 1)].slice(1).map((line) => {
    const cells = line.split(",").map(Number);
    return [...cells.slice(0, 5), Math.round(cells[5]! * 1000), cells[8], Math.round(cells[9]! * 1000)];
  });
  expect(rebuilt).toEqual(klines);
});

test("the samples are read without a finding", async () => {
  const path = (file: string): string => new URL(file, folder).pathname;
  const year = await openData(
    ["BTC-PERP-klines-1h-2024.csv.gz", "BTC-PERP-markPriceKlines-1h-2024.csv.gz", "BTC-PERP-fundingRate-2024.csv"].map(
      path,
    ),
  );
  expect(year.manifest.counts).toEqual({ ...NO_EVENTS, mark: 8784, funding: 1098, bar: 8784 });
  const day = await openData([path("BTC-PERP-aggTrades-2024-03-05.csv.gz")]);
  const minutes = await openData([path("BTC-PERP-klines-1m-2024-07-19.csv.gz")]);
  expect(day.manifest.counts.trade).toBeGreaterThan(40_000);
  expect(minutes.manifest.counts.bar).toBe(1440);
  const book = await openData([path("BTC-PERP-book5-2024-03-05.csv")]);
  expect(book.manifest.counts.depth).toBeGreaterThan(1000);
  for (const { manifest } of [year, day, minutes, book]) {
    expect(manifest.quality.findings).toEqual([]);
    expect(manifest.markets).toMatchObject([{ name: "BTC-PERP", priceStep: 10_000_000, sizeStep: 100_000 }]);
  }
});
