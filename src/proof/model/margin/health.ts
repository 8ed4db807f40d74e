import { positionOf, positionsOf } from "../accounts.ts";
import { abs, divCeil, max, min, sum } from "../arithmetic.ts";
import { computeOwed } from "../funding/settle.ts";
import type { Account, Market, Position } from "../state.ts";
import { LIMIT } from "../words.ts";
import { initialOf, maintenanceOf, notionalOf, valueAt } from "./valuation.ts";

/** Cross collateral with its positions, or one isolated position with its own. */
export interface MarginAccount {
  readonly account: Account;
  /** Undefined for cross. */
  readonly isolated: Position | undefined;
}

/** One market of a margin account in a view: a copy that a rule may change for a forecast. */
export interface Exposure {
  readonly market: Market;
  signedLots: bigint;
  cost: bigint;
  /** Unsettled funding; positive is owed, negative is receivable. */
  owed: bigint;
  leverage: bigint;
  /** Lots of resting orders that are not reduce-only, and their order costs (MRG-3). */
  buys: bigint;
  sells: bigint;
  buyOrderCost: bigint;
  sellOrderCost: bigint;
  /**
   * The position is isolated and the margin account is cross: only the margin reserved by its orders counts (MRG-2).
   */
  ordersOnly: boolean;
}

/** A copy of a margin account for measuring and forecasts. */
export interface MarginAccountView {
  collateral: bigint;
  exposures: Exposure[];
}

export interface Health {
  readonly collateral: bigint;
  /** Collateral + unrealised profit at the mark + unsettled funding. */
  readonly equity: bigint;
  /** Of positions alone. */
  readonly maintenance: bigint;
  readonly initial: bigint;
  /** Initial margin with open orders (MRG-3). */
  readonly required: bigint;
  readonly notional: bigint;
  /** Greatest value at the mark of one side of a market with its orders. */
  readonly widest: bigint;
  /** Sum of min(0, unrealised profit + unsettled funding) (MRG-5). */
  readonly losses: bigint;
}

export function marginAccountOf(position: Position): MarginAccount {
  return { account: position.account, isolated: position.mode === "isolated" ? position : undefined };
}

/** The margin accounts of an account: cross, then the isolated ones by market. */
export function marginAccountsOf(account: Account): MarginAccount[] {
  const isolated = positionsOf(account).filter(({ mode }) => mode === "isolated");
  return [{ account, isolated: undefined }, ...isolated.map((position) => ({ account, isolated: position }))];
}

/** Collateral of a margin account. */
export function collateralOf({ account, isolated }: MarginAccount): bigint {
  return isolated === undefined ? account.collateral : isolated.isolated;
}

/** Adds to the collateral of a margin account. */
export function addCollateral({ account, isolated }: MarginAccount, delta: bigint): void {
  if (isolated === undefined) account.collateral += delta;
  else isolated.isolated += delta;
}

/** Positions of a margin account that are not flat, by market. */
export function openPositionsOf({ account, isolated }: MarginAccount): Position[] {
  if (isolated !== undefined) return isolated.signedLots === 0n ? [] : [isolated];
  return positionsOf(account).filter(({ mode, signedLots }) => mode === "cross" && signedLots !== 0n);
}

export function viewMarginAccount(marginAccount: MarginAccount): MarginAccountView {
  const { account, isolated } = marginAccount;
  if (isolated !== undefined) {
    const exposure = viewPosition(isolated);
    return {
      collateral: isolated.isolated,
      exposures: [{ ...exposure, buys: 0n, sells: 0n, buyOrderCost: 0n, sellOrderCost: 0n, ordersOnly: false }],
    };
  }
  return { collateral: account.collateral, exposures: positionsOf(account).map(viewPosition) };
}

function viewPosition(position: Position): Exposure {
  const { account, market, signedLots, cost, leverage, mode } = position;
  const buys = market.bids.filter((order) => order.account === account && !order.reduceOnly);
  const sells = market.asks.filter((order) => order.account === account && !order.reduceOnly);
  return {
    market,
    signedLots,
    cost,
    owed: computeOwed(position).payment,
    leverage,
    buys: sum(buys, ({ remaining }) => remaining),
    sells: sum(sells, ({ remaining }) => remaining),
    buyOrderCost: sum(buys, ({ orderCost }) => orderCost),
    sellOrderCost: sum(sells, ({ orderCost }) => orderCost),
    ordersOnly: mode === "isolated",
  };
}

/** The exposure of a view in a market; adds a flat one if it is missing. */
export function exposureIn(view: MarginAccountView, account: Account, market: Market): Exposure {
  const found = view.exposures.find((exposure) => exposure.market === market);
  if (found !== undefined) return found;
  const exposure = viewPosition(positionOf(account, market));
  view.exposures.push(exposure);
  return exposure;
}

/** One market's contribution to initial margin with orders: the greater of both sides' sums (MRG-3). */
export function requiredOf(exposure: Exposure): bigint {
  const { market, signedLots, leverage, buys, sells, buyOrderCost, sellOrderCost } = exposure;
  const buying = initialOf(market, signedLots + buys, leverage) + buyOrderCost;
  const selling = initialOf(market, signedLots - sells, leverage) + sellOrderCost;
  const required = max(buying, selling);
  return exposure.ordersOnly ? max(0n, required - initialOf(market, signedLots, leverage)) : required;
}

export function measureView({ collateral, exposures }: MarginAccountView): Health {
  const open = exposures.filter(({ ordersOnly }) => !ordersOnly);
  const profits = open.map(
    ({ market, signedLots, cost, owed }) => valueAt(market, signedLots, market.mark) - cost - owed,
  );
  return {
    collateral,
    equity: collateral + sum(profits, (profit) => profit),
    maintenance: sum(open, ({ market, signedLots }) => maintenanceOf(market, signedLots)),
    initial: sum(open, ({ market, signedLots, leverage }) => initialOf(market, signedLots, leverage)),
    required: sum(exposures, requiredOf),
    notional: sum(open, ({ market, signedLots }) => notionalOf(market, signedLots)),
    widest: exposures.reduce((most, exposure) => max(most, worthOf(exposure)), 0n),
    losses: sum(profits, (profit) => min(0n, profit)),
  };
}

/** Value of the larger side of a market at the mark, with its orders. */
function worthOf({ market, signedLots, buys, sells }: Exposure): bigint {
  return buys + sells === 0n ? 0n : max(notionalOf(market, signedLots + buys), notionalOf(market, signedLots - sells));
}

/** Whether an amount of the margin account is beyond the storable range (NUM-3). */
export function isOutOfRange({ equity, notional, widest, required, losses }: Health): boolean {
  return abs(equity) > LIMIT || notional > LIMIT || widest > LIMIT || required > LIMIT || -losses > LIMIT;
}

export function measure(marginAccount: MarginAccount): Health {
  return measureView(viewMarginAccount(marginAccount));
}

/** Collateral that is free to leave a margin account (MRG-5). */
export function freeOf({ collateral, losses, required, notional }: Health): bigint {
  return collateral + losses - max(required, divCeil(notional, 10n));
}
