import { NONE } from "../../../ground/collections/table.ts";
import { FUNDING_METHODS, MARGIN_MODE, MARK_METHODS, MARKET_STATUSES } from "../../../protocol/words.ts";
import { getUnsettledFunding } from "../../engine/funding/owed.ts";
import { computeFree, measureMarginAccount } from "../../engine/margin/health.ts";
import { getLiquidationPrice } from "../../engine/margin/liquidationPrice.ts";
import type { Health } from "../../engine/state/health.ts";
import { getCollateral } from "../../engine/state/marginAccount.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { positionsOf } from "../../engine/state/walk.ts";
import {
  computeInitialBig,
  computeMaintenanceBig,
  computeNotionalBig,
  findTier,
} from "../../engine/valuation/notional.ts";
import { computeUnrealizedPnl, type PositionText } from "../../formulas/position.ts";
import { formatAmount, formatAverage, formatLots, formatPrice, formatRate, formatShare } from "../../formulas/text.ts";

/**
 * A position with the numbers from which its margin is computed. Amounts in USD, prices in USD, sizes in units of base.
 */
export interface PositionDescription extends PositionText {
  readonly market: string;
  readonly entryPrice: string;
  readonly mark: string;
  readonly notional: string;
  readonly unrealizedPnl: string;
  /** What it owes in unsettled funding; negative is to be received. */
  readonly unsettledFunding: string;
  /** Place of its margin tier, from 1, where it begins, and its rates. */
  readonly tier: {
    readonly place: number;
    readonly from: string;
    readonly initialRate: string;
    readonly maintenanceRate: string;
  };
  readonly leverage: number;
  readonly initial: string;
  readonly maintenance: string;
  /** Mark at which its margin account falls below maintenance; undefined where none does. */
  readonly liquidationPrice: string | undefined;
  /** Resting orders that may increase it. */
  readonly buys: string;
  readonly sells: string;
}

/** A margin account: an account's cross collateral with its cross positions, or one isolated position (MRG-2). */
export interface MarginAccountDescription {
  /** `cross`, or the market of the isolated position. */
  readonly marginAccount: string;
  readonly collateral: string;
  readonly equity: string;
  readonly maintenance: string;
  /** Initial margin with resting orders (MRG-3). */
  readonly initial: string;
  /** Collateral that may be withdrawn from the margin account (MRG-5); not below 0. */
  readonly free: string;
  readonly positions: readonly PositionDescription[];
}

/** The margin accounts of an account, cross first. */
export function describeAccount(state: State, account: AccountRow): MarginAccountDescription[] {
  const positions = positionsOf(state, account);
  const isolated = positions.filter((at) => state.positions.mode[at] === MARGIN_MODE.isolated);
  return [NONE as PositionRow, ...isolated].map((marginAccount) => {
    const health = measureMarginAccount(state, account, marginAccount);
    const members = positions.filter((at) => (isolated.includes(at) ? at === marginAccount : marginAccount === NONE));
    const collateral = getCollateral(state, account, marginAccount);
    const free = computeFree(collateral, health);
    return {
      marginAccount: marginAccount === NONE ? "cross" : state.marketNames[state.positions.market[marginAccount]!]!,
      collateral: formatAmount(collateral),
      equity: formatAmount(pick(health, "equity")),
      maintenance: formatAmount(pick(health, "maintenance")),
      initial: formatAmount(pick(health, "initial")),
      free: formatAmount(free > 0 ? free : 0),
      positions: members.filter((at) => isThere(state, at)).map((at) => describePosition(state, at)),
    };
  });
}

function pick(health: Health, name: "equity" | "maintenance" | "initial"): number | bigint {
  if (!health.overflow) return health[name];
  return name === "equity" ? health.bigEquity : name === "maintenance" ? health.bigMaintenance : health.bigInitial;
}

function isThere({ positions }: State, at: PositionRow): boolean {
  return positions.signedLots[at] !== 0 || positions.buys[at] !== 0 || positions.sells[at] !== 0;
}

function describePosition(state: State, at: PositionRow): PositionDescription {
  const { positions, markets } = state;
  const market = positions.market[at]!;
  const rules = state.parameters[market]!;
  const signedLots = positions.signedLots[at]!;
  const mark = markets.mark[market]!;
  const notional = computeNotionalBig(rules, signedLots, mark);
  const tier = findTier(rules, notional);
  const text = { size: formatLots(rules, signedLots), cost: formatAmount(positions.cost[at]!) };
  const price = getLiquidationPrice(state, at);
  return {
    market: state.marketNames[market]!,
    ...text,
    entryPrice: signedLots === 0 ? "0" : formatAverage(rules, BigInt(positions.cost[at]!), BigInt(signedLots)),
    mark: formatPrice(mark),
    notional: formatAmount(notional),
    unrealizedPnl: computeUnrealizedPnl(rules, { ...text, mark: formatPrice(mark) }),
    unsettledFunding: formatAmount(getUnsettledFunding(state, at)),
    tier: {
      place: rules.tiers.indexOf(tier) + 1,
      from: formatAmount(tier.from),
      initialRate: formatShare(tier.initialRate),
      maintenanceRate: formatShare(tier.maintenanceRate),
    },
    leverage: positions.leverage[at] === 0 ? rules.leverageMax : positions.leverage[at]!,
    initial: formatAmount(computeInitialBig(rules, notional, positions.leverage[at]!)),
    maintenance: formatAmount(computeMaintenanceBig(rules, notional)),
    liquidationPrice: price === undefined ? undefined : formatPrice(price),
    buys: formatLots(rules, positions.buys[at]!),
    sells: formatLots(rules, positions.sells[at]!),
  };
}

/** Where a market's prices come from (PRC). */
export interface MarketDescription {
  readonly market: string;
  readonly status: string;
  readonly markMethod: string;
  readonly oracle: string;
  readonly reported: string;
  readonly index: string;
  readonly mark: string;
  /** Average of mid less index, which the median mark adds to the index. */
  readonly basis: string;
  readonly bestBid: string;
  readonly bestAsk: string;
  readonly last: string;
  readonly openInterest: string;
  readonly fundingMethod: string;
  readonly fundingRate: string;
}

export function describeMarket(state: State, market: MarketRow): MarketDescription {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const book = state.books[market]!;
  const ticks = (price: number) => formatPrice(price * rules.tickSize);
  return {
    market: state.marketNames[market]!,
    status: MARKET_STATUSES[rules.status]!,
    markMethod: MARK_METHODS[rules.markMethod]!,
    oracle: formatPrice(markets.oracle[market]!),
    reported: formatPrice(markets.reported[market]!),
    index: formatPrice(markets.index[market]!),
    mark: formatPrice(markets.mark[market]!),
    basis: formatPrice(markets.basis[market]!),
    bestBid: ticks(book.bestBid),
    bestAsk: ticks(book.bestAsk),
    last: ticks(markets.last[market]!),
    openInterest: formatLots(rules, markets.openInterest[market]!),
    fundingMethod: FUNDING_METHODS[rules.fundingMethod]!,
    fundingRate: formatRate(markets.fundingRate[market]!),
  };
}
