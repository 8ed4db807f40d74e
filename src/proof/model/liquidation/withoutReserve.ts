import { positionsOf } from "../accounts.ts";
import { sum } from "../arithmetic.ts";
import { computeOwed } from "../funding/settle.ts";
import { lookAhead } from "../margin/afterFill.ts";
import { collateralOf, type Health, type MarginAccount } from "../margin/health.ts";
import { maintenanceOf, valueAt } from "../margin/valuation.ts";
import type { Account, Market, Position } from "../state.ts";

/**
 * A margin account's equity and maintenance in liquidations: a backstop's reserve does not count (LIQ-3,
 * decision 0011). Orders do not count either.
 */
export function measureWithoutReserve(marginAccount: MarginAccount): Pick<Health, "equity" | "maintenance"> {
  const { account, isolated } = marginAccount;
  const positions = isolated === undefined ? positionsOf(account).filter(({ mode }) => mode === "cross") : [isolated];
  const worth = (position: Position) => {
    const { market, signedLots, cost } = position;
    return valueAt(market, signedLots, market.mark) - cost - computeOwed(position).payment;
  };
  return {
    equity: collateralOf(marginAccount) - (isolated === undefined ? account.reserve : 0n) + sum(positions, worth),
    maintenance: sum(positions, ({ market, signedLots }) => maintenanceOf(market, signedLots)),
  };
}

function withoutReserve({ reserve }: Account, health: Health): Health {
  return { ...health, collateral: health.collateral - reserve, equity: health.equity - reserve };
}

/** Health of a margin account in a trade outside the book, before and after it, without the reserve. */
export function measureAboveWith(
  account: Account,
  market: Market,
  lots: bigint,
  value: bigint,
): { readonly before: Health; readonly after: Health } {
  const { before, after } = lookAhead(account, market, lots, value, 0n);
  return { before: withoutReserve(account, before), after: withoutReserve(account, after) };
}

/** Below two thirds of maintenance (LIQ-2). */
export function isDistressed({ equity, maintenance }: Pick<Health, "equity" | "maintenance">): boolean {
  return 3n * equity < 2n * maintenance;
}
