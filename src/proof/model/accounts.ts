import type { Address } from "../../protocol/fields.ts";
import type { Role } from "../../protocol/words.ts";
import type { Account, Market, ModelState, Position } from "./state.ts";

/** An account by owner and number; undefined if it was never created (ACC). */
export function findAccount(state: ModelState, owner: Address, subaccount: number): Account | undefined {
  return state.accounts.find((account) => account.owner === owner && account.subaccount === subaccount);
}

/** Creates an account with the next id. */
export function addAccount(state: ModelState, owner: Address, subaccount: number, role: Role): Account {
  const account: Account = {
    id: state.accounts.length,
    owner,
    subaccount,
    role,
    collateral: 0n,
    positions: new Map(),
    cancelTime: 0,
    reserve: 0n,
    dueSince: 0,
    record: 0,
  };
  state.accounts.push(account);
  return account;
}

/** The position of an account in a market; creates a flat one if it is missing (POS-1). */
export function positionOf(account: Account, market: Market): Position {
  const found = account.positions.get(market.ordinal);
  if (found !== undefined) return found;
  const position: Position = {
    account,
    market,
    signedLots: 0n,
    cost: 0n,
    fundingIndex: market.funding.index,
    fundingRemainder: 0n,
    leverage: 0n,
    mode: "cross",
    isolated: 0n,
    cooldownMs: 0,
    dueSince: 0,
    record: 0,
    takenOver: 0n,
  };
  account.positions.set(market.ordinal, position);
  return position;
}

/** Positions of an account by the order of markets. */
export function positionsOf(account: Account): Position[] {
  const positions = [...account.positions.values()];
  return positions.length < 2 ? positions : positions.sort((a, b) => a.market.ordinal - b.market.ordinal);
}
