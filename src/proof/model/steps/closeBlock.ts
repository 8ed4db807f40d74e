import type { ModelState } from "../state.ts";

/** Where nobody holds a position, nobody has a claim on the funding pool: it goes to the market's dust (POS-4). */
export function closeBlock(state: ModelState): void {
  for (const market of state.markets) {
    const held = state.accounts.some((account) => (account.positions.get(market.ordinal)?.size ?? 0n) !== 0n);
    if (held) continue;
    market.dust += market.fundingPool;
    market.fundingPool = 0n;
  }
}
