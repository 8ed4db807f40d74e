import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT } from "../../../ground/math/fixed.ts";
import { settleFunding } from "../funding/settle.ts";
import { getCollateral, type MarginAccountName, marginAccountOf } from "../state/marginAccount.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { BankruptcyValue, computeBankruptcyValues } from "../valuation/bankruptcyValue.ts";
import { computeMaintenanceBig, computeMarkedValueBig, computeNotionalBig } from "../valuation/notional.ts";

/** One position of a margin account under liquidation, at the moment its bankruptcy price was fixed. */
export interface MarginAccountPosition {
  readonly position: PositionRow;
  readonly market: number;
  readonly notional: bigint;
  readonly maintenance: bigint;
  /** Lots; positive is long. */
  readonly signedLots: number;
  /** Cash that its close must fetch at the bankruptcy price, in slices. */
  readonly bankruptcy: BankruptcyValue;
}

/**
 * A margin account under liquidation. Equity (without the reserve) and maintenance are those at the start of its step.
 */
export interface MarginAccount extends MarginAccountName {
  /** Number of its record. */
  readonly id: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
  /** By larger maintenance, then market. */
  readonly positions: readonly MarginAccountPosition[];
  /** Notional sent to the book in this step, for policies with a cap on it. */
  sent: bigint;
}

/**
 * Fixes the bankruptcy prices of a margin account, once, before its first fill (LIQ). Funding is settled first, so
 * equity is exact.
 *
 * A position's share of equity is its share of maintenance (`computeBankruptcyValues`); closed at
 *
 *     value at mark - share            the bankruptcy price is mark * (1 - sign * m * equity / total maintenance)
 *
 * it leaves equity / maintenance of the rest as it was, and all of them closed leave equity exactly 0.
 */
export function openMarginAccount(state: State, name: MarginAccountName, id: number): MarginAccount {
  const { positions, markets, parameters } = state;
  const { account, isolated, reserve } = name;
  const list: {
    position: PositionRow;
    market: number;
    notional: bigint;
    maintenance: bigint;
    value: bigint;
    signedLots: number;
  }[] = [];
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 || marginAccountOf(state, at) !== isolated) continue;
    settleFunding(state, at);
    const market = positions.market[at];
    const rules = parameters[market]!;
    const signedLots = positions.signedLots[at];
    const notional = computeNotionalBig(rules, signedLots, markets.mark[market]);
    const maintenance = computeMaintenanceBig(rules, notional);
    const value = computeMarkedValueBig(rules, signedLots, markets.mark[market]);
    list.push({ position: at, market, notional, maintenance, value, signedLots });
  }
  list.sort((a, b) => (a.maintenance === b.maintenance ? a.market - b.market : a.maintenance > b.maintenance ? -1 : 1));
  let equity = BigInt(getCollateral(state, account, isolated)) - BigInt(reserve);
  let total = 0n;
  for (const { position, value, maintenance } of list) {
    equity += value - BigInt(positions.cost[position]);
    total += maintenance;
  }
  const bankruptcies = computeBankruptcyValues(equity, list);
  const parts = list.map(({ position, market, notional, maintenance, signedLots }, place) => {
    return {
      position,
      market,
      notional,
      maintenance,
      signedLots,
      bankruptcy: new BankruptcyValue(bankruptcies[place]!, Math.abs(signedLots)),
    };
  });
  return { ...name, id, equity, maintenance: total, positions: parts, sent: 0n };
}

/** A number for events: capped at what is storable. */
export function toAmount(value: bigint): Amount {
  const number = Number(value);
  return (number > LIMIT ? LIMIT : number < -LIMIT ? -LIMIT : number) as Amount;
}
