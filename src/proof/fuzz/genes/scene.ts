import { NONE } from "../../../ground/collections/table.ts";
import type { Draw } from "../../../ground/math/draw.ts";
import { AccountKey, addressOfWords } from "../../../protocol/accountKey.ts";
import { AUTHORITIES, type Authority, DOMAINS, type Domain } from "../../../protocol/action.ts";
import { getLaneNonce } from "../../../venue/engine/authorization/lanes.ts";
import { computeFree, measure, measureIsolated } from "../../../venue/engine/margin/health.ts";
import type { AccountRow, AuthorizationRow, MarketRow, OrderRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";

/** A resting order, as a gene refers to it. */
export interface SceneOrder {
  readonly row: OrderRow;
  readonly id: number;
  readonly account: AccountRow;
  readonly market: MarketRow;
}

/** Accounts, grants and authorities of a scene share one list of lanes: capacity for accounts and agents. */
const AGENTS = 256;
const LANES = DOMAINS.length;

/**
 * The venue as genes of a block see it: after the previous block. Account keys are cached across blocks; other lookups
 * run when needed.
 */
export class Scene {
  readonly state: State;
  #accounts: readonly AccountRow[] | undefined;
  #orders: readonly SceneOrder[] | undefined;
  readonly #keys: AccountKey[];
  /** Nonces used in this block, by lane. */
  readonly #given = new Map<number, number>();
  #last = 0;

  /** @param keys account keys by row, filled on demand */
  constructor(state: State, keys: AccountKey[]) {
    this.state = state;
    this.#keys = keys;
  }

  keyOf(account: AccountRow): AccountKey {
    this.#keys[account] ??= this.#readKey(account);
    return this.#keys[account];
  }

  takeNonce(account: AccountRow, domain: Domain): number {
    const { nonceTrading, nonceRisk, nonceFunds, nonceAdmin } = this.state.accounts;
    const lane = 3 + LANES * (AGENTS * account) + DOMAINS.indexOf(domain);
    switch (domain) {
      case "trading":
        return this.#give(lane, nonceTrading[account]!);
      case "risk":
        return this.#give(lane, nonceRisk[account]!);
      case "funds":
        return this.#give(lane, nonceFunds[account]!);
      default:
        return this.#give(lane, nonceAdmin[account]!);
    }
  }

  takeAgentNonce(account: AccountRow, grant: AuthorizationRow, domain: Domain): number {
    const agent = 1 + (this.state.authorizations.agent[grant]! % (AGENTS - 1));
    const lane = 3 + LANES * (AGENTS * account + agent) + DOMAINS.indexOf(domain);
    return this.#give(lane, getLaneNonce(this.state, account, grant, domain));
  }

  takeAuthorityNonce(authority: Authority): number {
    const place = AUTHORITIES.indexOf(authority);
    return this.#give(place, this.state.authorityNonces[place]!);
  }

  #readKey(account: AccountRow): AccountKey {
    const { accounts, owners } = this.state;
    const owner = accounts.owner[account]!;
    const { w0, w1, w2, w3, w4 } = owners;
    const address = addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!);
    return new AccountKey(address, accounts.subaccount[account]! >>> 0);
  }

  /** Returns the last nonce to its lane. */
  giveBack(): void {
    this.#given.set(this.#last, this.#given.get(this.#last)! - 1);
  }

  #give(lane: number, next: number): number {
    const given = this.#given.get(lane) ?? 0;
    this.#given.set(lane, given + 1);
    this.#last = lane;
    return next + given;
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

  /** The n-th newest order of an account, small n more often; of any account if `account` is NONE. */
  pickOrder(random: Draw, account: number): SceneOrder | undefined {
    const own = account === NONE ? this.orders : this.orders.filter((order) => order.account === account);
    if (own.length === 0) return undefined;
    const reach = 1 + random.below(own.length);
    return own[random.below(reach)];
  }

  signedLotsOf(account: AccountRow, market: MarketRow): number {
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
