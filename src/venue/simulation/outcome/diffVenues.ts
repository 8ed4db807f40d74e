import { computeGainBig } from "../../engine/margin/healthBig.ts";
import type { AccountRow, MarketRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { TOTAL } from "../../engine/state/totals.ts";
import { listAccounts, listMarkets, positionsOf } from "../../engine/state/walk.ts";
import { addressOf } from "../../reads/rows.ts";

/** One figure of two venues; amounts are quote units, prices 1e-8 USD, sizes lots. */
export interface Pair<T> {
  readonly base: T;
  readonly fork: T;
}

/** An account that ended in two venues in different ways. */
export interface AccountDifference {
  readonly address: string;
  readonly subaccount: number;
  /** Collateral and unrealised PnL, less what it owes in funding. */
  readonly equity: Pair<bigint>;
  /** Cross and isolated together. */
  readonly collateral: Pair<bigint>;
  readonly positions: readonly { readonly market: string; readonly size: Pair<number> }[];
}

/** The differences between two venues of one genesis. */
export interface VenueDifference {
  readonly accounts: readonly AccountDifference[];
  readonly marks: readonly {
    readonly market: string;
    readonly mark: Pair<number>;
    readonly openInterest: Pair<number>;
  }[];
  readonly insurance: Pair<bigint>;
  readonly badDebt: Pair<bigint>;
  readonly fees: Pair<bigint>;
}

/** Compares two venues, account by account, largest difference of equity first. Cost: every account and position. */
export function diffVenues(base: State, fork: State): VenueDifference {
  const total = (place: (typeof TOTAL)[keyof typeof TOTAL]) => ({
    base: base.totals.get(place),
    fork: fork.totals.get(place),
  });
  return {
    accounts: diffAccounts(base, fork),
    marks: diffMarkets(base, fork),
    insurance: total(TOTAL.insurance),
    badDebt: total(TOTAL.badDebt),
    fees: total(TOTAL.fees),
  };
}

interface AccountFigures {
  readonly address: string;
  readonly subaccount: number;
  readonly collateral: bigint;
  readonly equity: bigint;
  readonly sizes: ReadonlyMap<string, number>;
}

function readAccounts(state: State): Map<string, AccountFigures> {
  return new Map(
    listAccounts(state).map((account) => {
      const figures = readAccount(state, account);
      return [`${figures.address}/${figures.subaccount}`, figures];
    }),
  );
}

function readAccount(state: State, account: AccountRow): AccountFigures {
  const { accounts, positions } = state;
  let collateral = BigInt(accounts.collateral[account]!);
  let equity = 0n;
  const sizes = new Map<string, number>();
  for (const position of positionsOf(state, account)) {
    collateral += BigInt(positions.isolated[position]!);
    const size = positions.signedLots[position]!;
    if (size === 0) continue;
    sizes.set(state.marketNames[positions.market[position]!]!, size);
    equity += computeGainBig(state, position);
  }
  return {
    address: addressOf(state, account),
    subaccount: accounts.subaccount[account]!,
    collateral,
    equity: equity + collateral,
    sizes,
  };
}

const ABSENT = { collateral: 0n, equity: 0n, sizes: new Map<string, number>() };

function diffAccounts(base: State, fork: State): AccountDifference[] {
  const before = readAccounts(base);
  const after = readAccounts(fork);
  const differences: AccountDifference[] = [];
  for (const [key, named] of new Map([...before, ...after])) {
    const { address, subaccount } = named;
    const one = before.get(key) ?? ABSENT;
    const other = after.get(key) ?? ABSENT;
    const markets = [...new Set([...one.sizes.keys(), ...other.sizes.keys()])].sort();
    const positions = markets
      .map((market) => ({ market, size: { base: one.sizes.get(market) ?? 0, fork: other.sizes.get(market) ?? 0 } }))
      .filter(({ size }) => size.base !== size.fork);
    if (one.collateral === other.collateral && one.equity === other.equity && positions.length === 0) continue;
    differences.push({
      address,
      subaccount,
      equity: { base: one.equity, fork: other.equity },
      collateral: { base: one.collateral, fork: other.collateral },
      positions,
    });
  }
  const distance = ({ equity }: AccountDifference) =>
    equity.fork > equity.base ? equity.fork - equity.base : equity.base - equity.fork;
  return differences.sort((a, b) => {
    const left = distance(a);
    const right = distance(b);
    if (left !== right) return left > right ? -1 : 1;
    return a.address === b.address ? a.subaccount - b.subaccount : a.address < b.address ? -1 : 1;
  });
}

function diffMarkets(base: State, fork: State): VenueDifference["marks"][number][] {
  const rowOf = (state: State, name: string) => state.marketRows.get(name);
  const read = (state: State, row: MarketRow | undefined) =>
    row === undefined
      ? { mark: 0, openInterest: 0 }
      : { mark: state.markets.mark[row]!, openInterest: state.markets.openInterest[row]! };
  const names = new Set([
    ...listMarkets(base).map((row) => base.marketNames[row]!),
    ...listMarkets(fork).map((row) => fork.marketNames[row]!),
  ]);
  return [...names]
    .map((market) => {
      const one = read(base, rowOf(base, market));
      const other = read(fork, rowOf(fork, market));
      return {
        market,
        mark: { base: one.mark, fork: other.mark },
        openInterest: { base: one.openInterest, fork: other.openInterest },
      };
    })
    .filter(({ mark, openInterest }) => mark.base !== mark.fork || openInterest.base !== openInterest.fork);
}
