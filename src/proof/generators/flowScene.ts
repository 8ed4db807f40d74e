/** A flow's view of a venue when it makes the next block. It only reads. */
import { NONE } from "../../ground/collections/table.ts";
import type { Draw } from "../../ground/math/draw.ts";
import { AccountKey, addressOfWords } from "../../protocol/accountKey.ts";
import { AUTHORITIES, type Authority, type Domain } from "../../protocol/action.ts";
import { getLaneNonce } from "../../venue/engine/authorization/lanes.ts";
import { computeFree, measure, measureIsolated } from "../../venue/engine/margin/health.ts";
import type { AccountRow, AuthorizationRow, MarketRow, OrderRow } from "../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../venue/engine/state/state.ts";

/** A resting order, as a flow refers to it. */
export interface SceneOrder {
  readonly row: OrderRow;
  readonly id: number;
  readonly account: AccountRow;
  readonly market: MarketRow;
}

export class FlowScene {
  readonly state: State;
  #accounts: readonly AccountRow[] | undefined;
  #orders: readonly SceneOrder[] | undefined;
  readonly #taken = new Map<string, number>();

  constructor(state: State) {
    this.state = state;
  }

  get accounts(): readonly AccountRow[] {
    this.#accounts ??= Array.from({ length: this.state.accounts.rows.high }, (_, row) => row as AccountRow);
    return this.#accounts;
  }

  /** Newest first. */
  get orders(): readonly SceneOrder[] {
    this.#orders ??= this.#listOrders();
    return this.#orders;
  }

  #listOrders(): SceneOrder[] {
    const { orders, positions } = this.state;
    const list: SceneOrder[] = [];
    for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
      if (!orders.rows.isLive(row)) continue;
      const position = orders.position[row]!;
      const account = positions.account[position]!;
      list.push({ row, id: orders.id[row]!, account, market: positions.market[position]! });
    }
    return list.sort((a, b) => b.id - a.id);
  }

  keyOf(account: AccountRow): AccountKey {
    const { accounts, owners } = this.state;
    const owner = accounts.owner[account]!;
    const { w0, w1, w2, w3, w4 } = owners;
    const address = addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!);
    return new AccountKey(address, accounts.subaccount[account]! >>> 0);
  }

  /** The next nonce of an account's lane, after those already used for this block. */
  takeNonce(account: AccountRow, domain: Domain): number {
    const { accounts } = this.state;
    const { nonceTrading, nonceRisk, nonceFunds, nonceAdmin } = accounts;
    const columns = {
      trading: nonceTrading,
      risk: nonceRisk,
      funds: nonceFunds,
      admin: nonceAdmin,
      system: nonceAdmin,
    };
    return this.#take(`${account} ${domain}`, columns[domain][account]!);
  }

  /** The next nonce that the agent of a grant has for an account. */
  takeAgentNonce(account: AccountRow, grant: AuthorizationRow, domain: Domain): number {
    const next = getLaneNonce(this.state, account, grant, domain);
    return this.#take(`${account} ${this.state.grants.agents[grant]} ${domain}`, next);
  }

  /** A grant of an account's owner, in force or not, newer ones more often; NONE if there is none. */
  pickGrant(random: Draw, account: AccountRow): AuthorizationRow {
    const { authorizations, accounts } = this.state;
    const own: AuthorizationRow[] = [];
    for (let row = authorizations.rows.high - 1; row >= 0; row--) {
      const grant = row as AuthorizationRow;
      if (accounts.owner[authorizations.account[grant]!] === accounts.owner[account]) own.push(grant);
    }
    return own.length === 0 ? (NONE as AuthorizationRow) : own[random.below(1 + random.below(own.length))]!;
  }

  takeAuthorityNonce(authority: Authority): number {
    return this.#take(authority, this.state.authorityNonces[AUTHORITIES.indexOf(authority)]!);
  }

  #take(lane: string, next: number): number {
    const taken = this.#taken.get(lane) ?? 0;
    this.#taken.set(lane, taken + 1);
    return next + taken;
  }

  /** The n-th newest order of an account, small n more often; of any account if `account` is NONE. */
  pickOrder(random: Draw, account: number): SceneOrder | undefined {
    const own = account === NONE ? this.orders : this.orders.filter((order) => order.account === account);
    if (own.length === 0) return undefined;
    const reach = 1 + random.below(own.length);
    return own[random.below(reach)];
  }

  sizeOf(account: AccountRow, market: MarketRow): number {
    const position = getPosition(this.state, account, market);
    return position === NONE ? 0 : this.state.positions.signedLots[position]!;
  }

  /** Equity in quote units; 0 if it is too large to matter. */
  equityOf(account: AccountRow): number {
    const health = measure(this.state, account);
    return health.overflow ? 0 : health.equity;
  }

  freeOf(account: AccountRow): number {
    return computeFree(this.state.accounts.collateral[account]!, measure(this.state, account));
  }

  /** A market in which the account has an isolated position; the given one if it has none. */
  pickIsolated(random: Draw, account: AccountRow, market: MarketRow): MarketRow {
    const { positions, accounts } = this.state;
    const own: MarketRow[] = [];
    for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
      if (positions.mode[at] !== 0 && positions.signedLots[at] !== 0) own.push(positions.market[at]!);
    }
    return own.length === 0 ? market : random.pick(own);
  }

  /** Collateral that is free to leave an isolated position; 0 if the position is not isolated. */
  freeOfIsolated(account: AccountRow, market: MarketRow): number {
    const position = getPosition(this.state, account, market);
    if (position === NONE || this.state.positions.mode[position] === 0) return 0;
    return computeFree(this.state.positions.isolated[position]!, measureIsolated(this.state, position));
  }
}
