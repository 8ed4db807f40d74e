import { NONE } from "../../../../ground/collections/table.ts";
import { AccountKey } from "../../../../protocol/accountKey.ts";
import { AUTHORITIES, type Authority } from "../../../../protocol/action.ts";
import { ROLE } from "../../../../protocol/words.ts";
import { computeFree, measure } from "../../../../venue/engine/margin/health.ts";
import type { AccountRow, MarketRow, OrderRow, PositionRow } from "../../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../../venue/engine/state/state.ts";
import { addressOf } from "../../../../venue/reads/rows.ts";
import type { Names } from "../../../../venue/simulation/accountNames.ts";

/** What generic steps read of a venue between two blocks. */
export class Scene {
  readonly state: State;
  readonly #names: Names;
  readonly #authorities: Readonly<Record<Authority, AccountKey>>;

  constructor(state: State, names: Names) {
    this.state = state;
    this.#names = names;
    const keys = AUTHORITIES.map((name) => [name, new AccountKey(state.genesis.authorities[name], 0)]);
    this.#authorities = Object.fromEntries(keys);
  }

  authority(name: Authority): AccountKey {
    return this.#authorities[name];
  }

  /** Accounts of a role, oldest first. */
  listAccounts(role: keyof typeof ROLE): AccountRow[] {
    const { accounts } = this.state;
    const rows = Array.from({ length: accounts.rows.high }, (_, row) => row as AccountRow);
    return rows.filter((row) => accounts.role[row] === ROLE[role]);
  }

  listMarkets(): MarketRow[] {
    return this.state.marketNames.map((_, row) => row as MarketRow);
  }

  keyOf(row: AccountRow): AccountKey {
    return new AccountKey(addressOf(this.state, row), this.state.accounts.subaccount[row]! >>> 0);
  }

  nameOf(row: AccountRow): string {
    const { address, subaccount } = this.keyOf(row);
    return this.#names.nameOf(address, subaccount);
  }

  /** Collateral that is free to leave an account by MRG-5, at least 0, quote units. */
  freeOf(row: AccountRow): number {
    return Math.max(0, computeFree(this.state.accounts.collateral[row]!, measure(this.state, row)));
  }

  positionOf(account: AccountRow, market: MarketRow): PositionRow {
    return getPosition(this.state, account, market);
  }

  /** Signed size of a position, lots; 0 for none. */
  lotsOf(account: AccountRow, market: MarketRow): number {
    const position = this.positionOf(account, market);
    return position === NONE ? 0 : this.state.positions.signedLots[position]!;
  }

  /** Resting orders of a position, newest first. */
  listOrders(position: PositionRow): OrderRow[] {
    const { positions, orders } = this.state;
    const found: OrderRow[] = [];
    if (position === NONE) return found;
    for (let at = positions.orders[position]!; at !== NONE; at = orders.older[at]!) found.push(at);
    return found;
  }

  /** Fewest lots of an order at a tick: the smallest size, and the smallest value (ORD-5). */
  leastLots(market: MarketRow, ticks: number): number {
    const { minLots, minNotional, lotSize, tickSize } = this.state.parameters[market]!;
    // Quote units are 1e-6, sizes and prices 1e-8: a lot at a tick is worth lotSize * price / 1e10.
    return Math.max(minLots, Math.ceil((minNotional * 1e10) / (lotSize * tickSize * ticks)));
  }

  /** Tick nearest below a share of the mark; undefined if the market has no price there. */
  tickAt(market: MarketRow, share: number): number | undefined {
    const { markets, parameters } = this.state;
    const around = markets.mark[market]! || markets.oracle[market]!;
    const ticks = Math.floor((around * share) / parameters[market]!.tickSize);
    return ticks < 1 || ticks > 2_000_000_000 ? undefined : ticks;
  }
}
