/**
 * Captures of Binance's streams by one collector: snapshot, changes, quotes, trades. Recorded files of real venues may
 * be next to the repository; they are not part of it.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSource, readSources } from "../../src/product/market-data/index.ts";

const real = fileURLToPath(new URL("../../../shared/data/real/", import.meta.url));
const mappings = fileURLToPath(new URL("../../data/mappings/", import.meta.url));

export const hasCaptures = existsSync(real);
if (!hasCaptures) console.log("skipped: there is no recorded market data in ../shared/data/real");

/**
 * Both captures may be read with the mapping of the first: contracts of the inverse market are then taken as they are
 * recorded.
 */
export function openCapture(folder: string, symbol: string, mapping = "binance_um_capture_20230405") {
  const source = (part: string, file: string) =>
    parseSource(`BTC:${mappings}${mapping}_${part}.yaml=${real}${folder}/${symbol}_${file}.csv.gz`);
  const files = [
    ["snapshot", "snapshot"],
    ["depth", "depth"],
    ["quotes", "bookticker"],
    ["trades", "trades"],
  ] as const;
  return readSources({ sources: files.map(([part, file]) => source(part, file)) });
}
