import { DataError, quote } from "../errors.ts";
import type { SourceFile } from "../types.ts";

/**
 * The instrument that a market's name means: `BTC` of BTC, BTC-PERP and BTC-USDC; `undefined` if no market was named.
 */
export function instrumentOf({ market }: SourceFile): string | undefined {
  return market?.replace(/-(PERP|USD|USDC|USDT)$/, "");
}

/** The error of a file with all instruments of a venue, of which none was named. */
export function severalInstruments(file: string, { path }: SourceFile): DataError {
  return new DataError("DATA_LAYOUT", "the file has several instruments: name the one to take", {
    file,
    line: 1,
    hint: `write the instrument in front of the path, such as BTC=${quote(path).slice(1, -1)}`,
  });
}
