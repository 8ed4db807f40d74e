import type { AccountView, MarketView } from "../../../client/strategy/context.ts";

/**
 * Whether an account has lost all collateral that it could trade with. It holds no position, and its equity is below
 * the initial margin of the smallest order of every market at the market's greatest leverage. False while no market has
 * a mark.
 */
export function isWipedOut(
  account: Pick<AccountView, "equity" | "position">,
  markets: readonly (Pick<MarketView, "name" | "mark" | "smallestSize"> & { readonly leverageMax: number })[],
): boolean {
  let least = Number.NEGATIVE_INFINITY;
  for (const { name, mark, smallestSize, leverageMax } of markets) {
    if (account.position(name).size !== 0) return false;
    if (mark === undefined) continue;
    const margin = (smallestSize * mark) / leverageMax;
    if (least === Number.NEGATIVE_INFINITY || margin < least) least = margin;
  }
  return account.equity < least;
}
