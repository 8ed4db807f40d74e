import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkData, parseSource, readSources } from "../../../src/product/market-data/index.ts";

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../shared/data/real/", import.meta.url));
const mappings = fileURLToPath(new URL("../../../data/mappings/", import.meta.url));
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");

/** The captures of Binance's streams by one collector: snapshot, changes, quotes, trades. */
const openCapture = (folder: string, symbol: string) => {
  const source = (mapping: string, file: string) =>
    parseSource(`BTC:${mappings}binance_um_capture_20230405_${mapping}.yaml=${real}${folder}/${symbol}_${file}.csv.gz`);
  const files = [
    ["snapshot", "snapshot"],
    ["depth", "depth"],
    ["quotes", "bookticker"],
    ["trades", "trades"],
  ] as const;
  return readSources({ sources: files.map(([mapping, file]) => source(mapping, file)) });
};

test.skipIf(!isThere).each([
  ["binance_um_capture_20230405", "BTCUSDT", 16_111, 0],
  ["binance_cm_capture_20240809", "BTCUSD_PERP", 44_773, 266],
] as const)(
  "snapshot and changes of %s give the venue's own best bid and offer",
  async (folder, symbol, updates, stale) => {
    const source = await openCapture(folder, symbol);
    expect(source.manifest.quality.findings.map(({ kind, count }) => [kind, count])).toEqual(
      stale === 0 ? [] : [["stale", stale]],
    );
    const [check] = await checkData(source);
    expect(check!.book).toMatchObject({ snapshots: 1, gaps: 0, crossed: 0, locked: 0 });
    expect(check!.book!.quotes).toEqual({ compared: updates, equal: updates, differences: [] });
  },
);
