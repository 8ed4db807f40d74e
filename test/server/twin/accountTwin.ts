/** Balances, positions and risk from the tables, by the formulas of docs/spec in whole numbers of any size. */

import { addressOfWords } from "../../../src/protocol/accountKey.ts";
import { MARGIN_MODES, ROLES } from "../../../src/protocol/words.ts";
import { getUnsettledFunding } from "../../../src/venue/engine/funding/owed.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { sizeText, textsOf } from "./marketTwin.ts";
import { amountText, ceilOf, floorOf, numberOf, priceText, textOf } from "./plain.ts";

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export function addressOfRow({ accounts, owners }: State, account: number): string {
  const owner = accounts.owner[account as AccountRow]!;
  return addressOfWords(owners.w0[owner]!, owners.w1[owner]!, owners.w2[owner]!, owners.w3[owner]!, owners.w4[owner]!);
}

export const subaccountOfRow = ({ accounts }: State, account: number): number =>
  accounts.subaccount[account as AccountRow]! >>> 0;

/** Accounts of an address by subaccount, found by looking at all. */
export function accountsOf(state: State, address: string, subaccount?: number): number[] {
  return Array.from({ length: state.accounts.rows.high }, (_, row) => row)
    .filter((row) => addressOfRow(state, row) === address.toLowerCase())
    .filter((row) => subaccount === undefined || subaccountOfRow(state, row) === subaccount)
    .sort((a, b) => subaccountOfRow(state, a) - subaccountOfRow(state, b));
}

/** Positions of an account by market, those without a size included. */
function rowsOf({ positions }: State, account: number): PositionRow[] {
  return Array.from({ length: positions.rows.high }, (_, row) => row as PositionRow)
    .filter((row) => positions.rows.isLive(row) && positions.account[row]! === account)
    .sort((a, b) => positions.market[a]! - positions.market[b]!);
}

export function openRowsOf(state: State, account: number): PositionRow[] {
  return rowsOf(state, account).filter((row) => state.positions.signedLots[row]! !== 0);
}

/** Value of lots at a price, in quote units: the product, and what it is to be divided by. */
function worthOf(state: State, market: number, lots: bigint, price: bigint): [bigint, bigint] {
  return [lots * price * numberOf(textsOf(state, market)["lotSize"]!, 8), 10_000_000_000n];
}

function marginsOf(state: State, market: number, lots: bigint, price: bigint, leverage: number) {
  const { tiers } = state.parameters[market]!;
  const notional = ceilOf(...worthOf(state, market, lots < 0n ? -lots : lots, price));
  // A notional at a bound has the lower tier where initial margin is `stepped`, and the upper one otherwise (MRG-1).
  const isStepped = textsOf(state, market)["initialMarginMethod"] === "stepped";
  const isPast = (from: bigint) => (isStepped ? notional > from : notional >= from);
  const tier = [...tiers].reverse().find(({ from }) => isPast(BigInt(from))) ?? tiers[0]!;
  const byRate = (rate: number, deduction: number) => ceilOf(notional * BigInt(rate), 1_000_000n) - BigInt(deduction);
  const least = ceilOf(notional * BigInt(state.markets.initialRate[market as MarketRow]!), 1_000_000n);
  const tiered = greater(byRate(tier.initialRate, isStepped ? 0 : tier.initialDeduction), least);
  const initial = leverage === 0 ? tiered : greater(tiered, ceilOf(notional, BigInt(leverage)));
  return { notional, initial, maintenance: byRate(tier.maintenanceRate, tier.maintenanceDeduction) };
}

/** Figures of a position at a price, the mark by default. */
function figuresOf(state: State, row: PositionRow, price?: bigint) {
  const { positions, markets } = state;
  const market = positions.market[row]!;
  const size = BigInt(positions.signedLots[row]!);
  const at = price ?? BigInt(markets.mark[market]!);
  const pnl = floorOf(...worthOf(state, market, size, at)) - BigInt(positions.cost[row]!);
  const funding = BigInt(getUnsettledFunding(state, row));
  return { size, pnl, funding, ...marginsOf(state, market, size, at, positions.leverage[row]!) };
}

/** Initial margin of a position with its orders: of the worse side (MRG-3). */
function initialWithOrders(state: State, row: PositionRow): bigint {
  const { positions, markets } = state;
  const market = positions.market[row]!;
  const size = BigInt(positions.signedLots[row]!);
  const mark = BigInt(markets.mark[market]!);
  const [buys, sells] = [BigInt(positions.buys[row]!), BigInt(positions.sells[row]!)];
  const leverage = positions.leverage[row]!;
  const own = marginsOf(state, market, size, mark, leverage).initial;
  if (buys === 0n && sells === 0n) return size === 0n ? 0n : own;
  const side = (lots: bigint, orderCost: number) =>
    marginsOf(state, market, lots, mark, leverage).initial + BigInt(orderCost);
  return greater(side(size + buys, positions.buyOrderCost[row]!), side(size - sells, positions.sellOrderCost[row]!));
}

/** A margin account: the cross one of an account, or that of an isolated position (MRG-2). */
function marginAccountOf(state: State, account: number, isolated: PositionRow | undefined) {
  const { positions, accounts } = state;
  const isCross = (row: PositionRow) => MARGIN_MODES[positions.mode[row]!] === "cross";
  const all = rowsOf(state, account);
  const members = (isolated === undefined ? all.filter(isCross) : [isolated]).filter(
    (row) => positions.signedLots[row]! !== 0,
  );
  const sum = (pick: (figures: ReturnType<typeof figuresOf>) => bigint) =>
    members.reduce((total, row) => total + pick(figuresOf(state, row)), 0n);
  const collateral = BigInt(
    isolated === undefined ? accounts.collateral[account as AccountRow]! : positions.isolated[isolated]!,
  );
  let initial = sum((figures) => figures.initial);
  if (isolated === undefined) {
    initial = 0n;
    for (const row of all) {
      const whole = initialWithOrders(state, row);
      const size = BigInt(positions.signedLots[row]!);
      const mark = BigInt(state.markets.mark[positions.market[row]!]!);
      const hasOrders = positions.buys[row]! !== 0 || positions.sells[row]! !== 0;
      // Cross pays for the orders of isolated positions, and for no more of them.
      if (isCross(row)) initial += whole;
      else if (hasOrders) {
        initial += whole - marginsOf(state, positions.market[row]!, size, mark, positions.leverage[row]!).initial;
      }
    }
  }
  const notional = sum((figures) => figures.notional);
  const pnl = sum((figures) => figures.pnl);
  const funding = sum((figures) => figures.funding);
  const losses = sum((figures) => (figures.pnl < figures.funding ? figures.pnl - figures.funding : 0n));
  const free = collateral + losses - greater(initial, ceilOf(notional, 10n));
  const equity = collateral + pnl - funding;
  return { collateral, pnl, funding, equity, notional, initial, maintenance: sum((f) => f.maintenance), free, members };
}

const isolatedOf = (state: State, account: number): PositionRow[] =>
  rowsOf(state, account).filter((row) => MARGIN_MODES[state.positions.mode[row]!] !== "cross");

export function twinOfBalance(state: State, account: number) {
  const cross = marginAccountOf(state, account, undefined);
  const isolated = isolatedOf(state, account).map((row) => marginAccountOf(state, account, row));
  const sum = (pick: (marginAccount: typeof cross) => bigint) =>
    [cross, ...isolated].reduce((total, marginAccount) => total + pick(marginAccount), 0n);
  const apart = sum(({ collateral }) => collateral) - cross.collateral;
  return {
    subaccount: subaccountOfRow(state, account),
    role: ROLES[state.accounts.role[account as AccountRow]!]!,
    collateral: amountText(cross.collateral),
    isolated: amountText(apart),
    total: amountText(cross.collateral + apart),
    unrealizedPnl: amountText(sum(({ pnl }) => pnl)),
    unsettledFunding: amountText(sum(({ funding }) => funding)),
    equity: amountText(sum(({ equity }) => equity)),
    reserved: amountText(cross.initial),
    available: amountText(greater(cross.equity - cross.initial, 0n)),
    withdrawable: amountText(greater(cross.free, 0n)),
    simulated: true,
  };
}

/** Undefined if the reported price is right: at it the margin account is liquidatable, and a step before it is not. */
export function checkLiquidationPrice(state: State, row: PositionRow, reported: string | null): string | undefined {
  const { positions, markets } = state;
  const isolated = MARGIN_MODES[positions.mode[row]!] === "cross" ? undefined : row;
  const marginAccount = marginAccountOf(state, positions.account[row]!, isolated);
  const market = positions.market[row]!;
  const mark = BigInt(markets.mark[market]!);
  const isLong = positions.signedLots[row]! > 0;
  const own = figuresOf(state, row);
  const isDue = (price: bigint): boolean => {
    const then = figuresOf(state, row, price);
    return marginAccount.equity - own.pnl + then.pnl < marginAccount.maintenance - own.maintenance + then.maintenance;
  };
  const most = BigInt(state.parameters[market]!.priceMost);
  if (reported === null)
    return isDue(isLong ? 1n : most) ? "no liquidation price is reported, and there is one" : undefined;
  const price = numberOf(reported, 8);
  const isFirst = price === mark || !isDue(price + (isLong ? 1n : -1n));
  return isDue(price) && isFirst && price >= 1n && price <= most
    ? undefined
    : `${reported} is not where it is liquidated`;
}

export function twinOfPosition(state: State, row: PositionRow) {
  const { positions, markets } = state;
  const market = positions.market[row]!;
  const { size, pnl, funding, notional, initial, maintenance } = figuresOf(state, row);
  const cost = BigInt(positions.cost[row]!);
  const leverage = positions.leverage[row]!;
  const isCross = MARGIN_MODES[positions.mode[row]!] === "cross";
  const lot = numberOf(textsOf(state, market)["lotSize"]!, 8);
  const positive = (value: bigint) => (value < 0n ? -value : value);
  return {
    market: state.marketNames[market]!,
    subaccount: subaccountOfRow(state, positions.account[row]!),
    side: size > 0n ? "long" : "short",
    size: sizeText(state, market, size),
    cost: amountText(cost),
    entryPrice: priceText((positive(cost) * 10_000_000_000n) / (positive(size) * lot)),
    markPrice: priceText(markets.mark[market]!),
    notional: amountText(notional),
    unrealizedPnl: amountText(pnl),
    unsettledFunding: amountText(funding),
    marginMode: MARGIN_MODES[positions.mode[row]!]!,
    isolatedMargin: isCross ? null : amountText(positions.isolated[row]!),
    leverage: leverage === 0 ? state.parameters[market]!.leverageMax : leverage,
    initialMargin: amountText(initial),
    maintenanceMargin: amountText(maintenance),
  };
}

const STATES = ["healthy", "marginCall", "liquidatable", "liquidating", "bankrupt"] as const;

export function twinOfRisk(state: State, account: number) {
  const { accounts, positions } = state;
  const row = account as AccountRow;
  const marginAccounts = [undefined, ...isolatedOf(state, account)].map((isolated) => {
    const marginAccount = marginAccountOf(state, account, isolated);
    const liquidation = isolated === undefined ? accounts.liquidation[row]! : positions.liquidation[isolated]!;
    const { equity, maintenance, initial } = marginAccount;
    const isHouse = ROLES[accounts.role[row]!] === "house";
    const worse = [
      !isHouse && equity < initial,
      !isHouse && equity < maintenance,
      !isHouse && liquidation !== 0,
      !isHouse && equity < 0n,
    ].lastIndexOf(true);
    return {
      marginAccount: isolated === undefined ? "cross" : state.marketNames[positions.market[isolated]!]!,
      state: STATES[worse + 1]!,
      collateral: amountText(marginAccount.collateral),
      equity: amountText(equity),
      unrealizedPnl: amountText(marginAccount.pnl),
      unsettledFunding: amountText(marginAccount.funding),
      notional: amountText(marginAccount.notional),
      initialMargin: amountText(initial),
      maintenanceMargin: amountText(maintenance),
      freeCollateral: amountText(marginAccount.free),
      marginRatio: equity > 0n ? textOf(ceilOf(maintenance * 1_000_000n, equity), 6) : null,
      leverage: equity > 0n ? textOf(ceilOf(marginAccount.notional * 100n, equity), 2) : null,
      positions: marginAccount.members.map((at) => ({
        market: state.marketNames[positions.market[at]!]!,
        size: sizeText(state, positions.market[at]!, positions.signedLots[at]!),
        notional: amountText(figuresOf(state, at).notional),
        maintenanceMargin: amountText(figuresOf(state, at).maintenance),
      })),
      liquidationId: liquidation === 0 ? null : `L-${Math.floor(liquidation / 65_536)}-${liquidation % 65_536}`,
    };
  });
  const worst = Math.max(...marginAccounts.map((marginAccount) => STATES.indexOf(marginAccount.state)));
  const cancelMs = accounts.cancelTime[row]!;
  return {
    subaccount: subaccountOfRow(state, account),
    role: ROLES[accounts.role[row]!]!,
    state: STATES[worst]!,
    marginAccounts,
    scheduledCancelMs: cancelMs > 0 ? cancelMs : null,
  };
}
