import type { Position } from "../../api/schemas/accounts.ts";
import { formatAmount, formatAverage, formatLots, formatPrice } from "../../engine/formulas/text.ts";
import { getUnsettledFunding } from "../../engine/funding/owed.ts";
import { getLiquidationPrice } from "../../engine/margin/liquidationPrice.ts";
import { computeInitialWide, computeMaintenanceWide, computeNotionalWide } from "../../engine/margin/notional.ts";
import type { AccountRow, PositionRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { MARGIN_MODE, MARGIN_MODES } from "../../protocol/words.ts";
import { listPositionsOf, subaccountOf } from "./accounts.ts";
import { getUnrealizedPnl } from "./health.ts";

/** What a position realised and paid since it was opened; the state does not keep it. */
export interface PositionPast {
  readonly realizedPnl: bigint;
  readonly fundingPaid: bigint;
  readonly openedHeight: number;
}

/** Open positions of an account by market. */
export function listOpenPositions(state: State, account: AccountRow): PositionRow[] {
  return listPositionsOf(state, account).filter((at) => state.positions.size[at]! !== 0);
}

/** @param past where it is kept */
export function viewPosition(state: State, at: PositionRow, past?: PositionPast): Position {
  const { positions, markets } = state;
  const market = positions.market[at]!;
  const rules = state.parameters[market]!;
  const size = positions.size[at]!;
  const cost = positions.cost[at]!;
  const notional = computeNotionalWide(rules, size, markets.mark[market]!);
  const liquidationPrice = getLiquidationPrice(state, at);
  const leverage = positions.leverage[at]!;
  const mode = positions.mode[at]!;
  return {
    market: state.marketNames[market]!,
    subaccount: subaccountOf(state, positions.account[at]!),
    side: size > 0 ? "long" : "short",
    size: formatLots(rules, size),
    cost: formatAmount(cost),
    entryPrice: formatAverage(rules, BigInt(cost), BigInt(size)),
    markPrice: formatPrice(markets.mark[market]!),
    notional: formatAmount(notional),
    unrealizedPnl: formatAmount(getUnrealizedPnl(state, at)),
    unsettledFunding: formatAmount(getUnsettledFunding(state, at)),
    realizedPnl: past === undefined ? null : formatAmount(past.realizedPnl),
    fundingPaid: past === undefined ? null : formatAmount(past.fundingPaid),
    openedHeight: past === undefined ? null : past.openedHeight,
    marginMode: MARGIN_MODES[mode]!,
    isolatedMargin: mode === MARGIN_MODE.cross ? null : formatAmount(positions.isolated[at]!),
    leverage: leverage === 0 ? rules.leverageMax : leverage,
    initialMargin: formatAmount(computeInitialWide(rules, notional, leverage, markets.initialRate[market]!)),
    maintenanceMargin: formatAmount(computeMaintenanceWide(rules, notional)),
    liquidationPrice: liquidationPrice === undefined ? null : formatPrice(liquidationPrice),
  };
}
