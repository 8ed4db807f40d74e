import { expect, test } from "vitest";
import { checkData } from "../../../src/product/market-data/index.ts";
import { hasCaptures, openCapture } from "../../helpers/captures.ts";

test.skipIf(!hasCaptures).each([
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
