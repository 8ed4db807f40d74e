import { join } from "node:path";
import { openData } from "../../../src/product/market-data/readSources.ts";
import type { EventSource } from "../../../src/product/market-data/types.ts";
import { findRecorded } from "../recorded.ts";

export const FOLDER = "binance_um_capture_20230405";
export const SYMBOL = "BTCUSDT";

/** The recorded order book and its trades, whose folder must be there. */
export function openCapture(): Promise<EventSource> {
  const mappings = join(import.meta.dirname, "../../../data/mappings");
  return openData(
    ["snapshot", "depth", "trades"].map(
      (stream) =>
        `BTC-PERP:${mappings}/${FOLDER}_${stream}.yaml=${join(findRecorded(FOLDER)!, `${SYMBOL}_${stream}.csv.gz`)}`,
    ),
  );
}
