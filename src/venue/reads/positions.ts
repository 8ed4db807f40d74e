import { NONE } from "../../ground/collections/table.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import type { Address } from "../../protocol/fields.ts";
import { MARGIN_MODE, MARGIN_MODES } from "../../protocol/words.ts";
import { getUnsettledFunding } from "../engine/funding/owed.ts";
import { getLiquidationPrice } from "../engine/margin/liquidationPrice.ts";
import { findAccount } from "../engine/state/accounts.ts";
import type { PositionRow } from "../engine/state/schema.ts";
import { getPosition as findPosition, type State } from "../engine/state/state.ts";
import { computeInitialBig, computeMaintenanceBig, computeNotionalBig } from "../engine/valuation/notional.ts";
import { formatAmount, formatAverage, formatLots, formatPrice } from "../formulas/text.ts";
import { getUnrealizedPnl } from "./figures.ts";
import { listPositionsOf } from "./rows.ts";

/** Names an account: an owner's address and the number of a subaccount. An `AccountKey` is one. */
export interface AccountName {
  readonly address: Address;
  /** Default: 0. */
  readonly subaccount?: number;
}

/** An open position. Amounts in USD, prices in USD per unit of base, sizes in units of base, all as decimal text. */
export interface PositionView {
  readonly market: string;
  readonly side: "long" | "short";
  /** Positive is long. */
  readonly size: string;
  /** Paid for the open size; negative for a short. */
  readonly cost: string;
  /** |cost| / |size|, 8 decimals, rounded toward zero. For display: margin comes from `cost`. */
  readonly entryPrice: string;
  readonly markPrice: string;
  /** |size| at the mark, rounded up. */
  readonly notional: string;
  /** Value at the mark less cost, without unsettled funding. */
  readonly unrealizedPnl: string;
  /** Funding that it owes; negative is to be received. */
  readonly unsettledFunding: string;
  readonly marginMode: "cross" | "isolated";
  /** Collateral of its own; null for a cross position. */
  readonly isolatedMargin: string | null;
  /** Leverage that the owner chose, or the market's greatest. */
  readonly leverage: number;
  readonly initialMargin: string;
  readonly maintenanceMargin: string;
  /** First mark at which its margin account is liquidated while other marks stay; null where none is. */
  readonly liquidationPrice: string | null;
}

/**
 * An account's open position in a market.
 *
 * @returns undefined where there is none
 */
export function getPosition(state: State, account: AccountName, market: string): PositionView | undefined {
  const row = state.marketRows.get(market);
  const owner = findAccount(state, new AccountKey(account.address, account.subaccount ?? 0));
  if (row === undefined || owner === NONE) return undefined;
  const position = findPosition(state, owner, row);
  return position === NONE || state.positions.signedLots[position] === 0 ? undefined : readPosition(state, position);
}

/** Open positions of an account, by market. */
export function listPositions(state: State, account: AccountName): PositionView[] {
  const row = findAccount(state, new AccountKey(account.address, account.subaccount ?? 0));
  if (row === NONE) return [];
  const open = listPositionsOf(state, row).filter((at) => state.positions.signedLots[at] !== 0);
  return open.map((at) => readPosition(state, at));
}

/** @param at row of a position with a size */
export function readPosition(state: State, at: PositionRow): PositionView {
  const { positions, markets } = state;
  const market = positions.market[at];
  const rules = state.parameters[market];
  const signedLots = positions.signedLots[at];
  const cost = positions.cost[at];
  const notional = computeNotionalBig(rules, signedLots, markets.mark[market]);
  const liquidationPrice = getLiquidationPrice(state, at);
  const leverage = positions.leverage[at];
  const mode = positions.mode[at];
  return {
    market: state.marketNames[market]!,
    side: signedLots > 0 ? "long" : "short",
    size: formatLots(rules, signedLots),
    cost: formatAmount(cost),
    entryPrice: formatAverage(rules, BigInt(cost), BigInt(signedLots)),
    markPrice: formatPrice(markets.mark[market]),
    notional: formatAmount(notional),
    unrealizedPnl: formatAmount(getUnrealizedPnl(state, at)),
    unsettledFunding: formatAmount(getUnsettledFunding(state, at)),
    marginMode: MARGIN_MODES[mode]!,
    isolatedMargin: mode === MARGIN_MODE.cross ? null : formatAmount(positions.isolated[at]),
    leverage: leverage === 0 ? rules.leverageMax : leverage,
    initialMargin: formatAmount(computeInitialBig(rules, notional, leverage, markets.initialRate[market])),
    maintenanceMargin: formatAmount(computeMaintenanceBig(rules, notional)),
    liquidationPrice: liquidationPrice === undefined ? null : formatPrice(liquidationPrice),
  };
}
