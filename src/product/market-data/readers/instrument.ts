import type { SourceFile } from "../types.ts";

/** The instrument that a market's name means: `BTC` of BTC, BTC-PERP and BTC-USDC; `undefined` if no market was named. */
export function instrumentOf({ market }: SourceFile): string | undefined {
  return market?.replace(/-(PERP|USD|USDC|USDT)$/, "");
}
