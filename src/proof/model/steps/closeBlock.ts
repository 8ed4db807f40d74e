import type { ModelState } from "../state.ts";

/** With no open position no claim on the funding pool exists: the pool becomes the market's dust (POS-4). */
export function closeBlock(state: ModelState): void {
  for (const market of state.markets) {
    const held = state.accounts.some((account) => (account.positions.get(market.ordinal)?.signedLots ?? 0n) !== 0n);
    if (held) continue;
    market.dust += market.fundingPool;
    market.fundingPool = 0n;
  }
}
