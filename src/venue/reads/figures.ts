import { getUnsettledFunding } from "../engine/funding/owed.ts";
import { computeFree, measureMarginAccount } from "../engine/margin/health.ts";
import { getCollateral, marginAccountOf } from "../engine/state/marginAccount.ts";
import type { AccountRow, PositionRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { computeMarkedValueBig } from "../engine/valuation/notional.ts";
import { listPositionsOf } from "./rows.ts";

/** Equity and margins of a margin account, in quote units. */
export interface MarginAccountFigures {
  readonly collateral: bigint;
  readonly equity: bigint;
  readonly unrealizedPnl: bigint;
  readonly unsettledFunding: bigint;
  readonly notional: bigint;
  readonly initial: bigint;
  readonly maintenance: bigint;
  readonly free: bigint;
}

/** Unrealised PnL of a position at the mark (POS-3). */
export function getUnrealizedPnl(state: State, position: PositionRow): bigint {
  const { positions, markets, parameters } = state;
  const signedLots = positions.signedLots[position];
  if (signedLots === 0) return 0n;
  const market = positions.market[position];
  return computeMarkedValueBig(parameters[market], signedLots, markets.mark[market]) - BigInt(positions.cost[position]);
}

/** Figures of a margin account, by the functions with which the venue decides. */
export function readMarginAccount(state: State, account: AccountRow, isolated: PositionRow): MarginAccountFigures {
  const health = measureMarginAccount(state, account, isolated);
  const { overflow } = health;
  const collateral = getCollateral(state, account, isolated);
  const members = listPositionsOf(state, account).filter(
    (at) => state.positions.signedLots[at] !== 0 && marginAccountOf(state, at) === isolated,
  );
  return {
    collateral: BigInt(collateral),
    equity: overflow ? health.bigEquity : BigInt(health.equity),
    unrealizedPnl: members.reduce((sum, at) => sum + getUnrealizedPnl(state, at), 0n),
    unsettledFunding: members.reduce((sum, at) => sum + BigInt(getUnsettledFunding(state, at)), 0n),
    notional: overflow ? health.bigNotional : BigInt(health.notional),
    initial: overflow ? health.bigInitial : BigInt(health.initial),
    maintenance: overflow ? health.bigMaintenance : BigInt(health.maintenance),
    free: BigInt(computeFree(collateral, health)),
  };
}
