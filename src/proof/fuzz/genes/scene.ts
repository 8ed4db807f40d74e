import type { AccountKey } from "../../../protocol/accountKey.ts";
import { AUTHORITIES, type Authority, DOMAINS, type Domain } from "../../../protocol/action.ts";
import { getLaneNonce } from "../../../venue/engine/authorization/lanes.ts";
import type { AccountRow, AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { FlowScene } from "../../generators/flowScene.ts";

/** Accounts, grants and authorities of a scene share one list of lanes: capacity for accounts and agents. */
const AGENTS = 256;
const LANES = DOMAINS.length;

/**
 * The venue as genes of a block see it: after the previous block. Account keys are cached across blocks; other lookups
 * run when needed.
 */
export class Scene extends FlowScene {
  readonly #keys: AccountKey[];
  /** Nonces used in this block, by lane. */
  readonly #given = new Map<number, number>();
  #last = 0;

  /** @param keys account keys by row, filled on demand */
  constructor(state: State, keys: AccountKey[]) {
    super(state);
    this.#keys = keys;
  }

  override keyOf(account: AccountRow): AccountKey {
    this.#keys[account] ??= super.keyOf(account);
    return this.#keys[account];
  }

  override takeNonce(account: AccountRow, domain: Domain): number {
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

  override takeAgentNonce(account: AccountRow, grant: AuthorizationRow, domain: Domain): number {
    const agent = 1 + (this.state.authorizations.agent[grant]! % (AGENTS - 1));
    const lane = 3 + LANES * (AGENTS * account + agent) + DOMAINS.indexOf(domain);
    return this.#give(lane, getLaneNonce(this.state, account, grant, domain));
  }

  override takeAuthorityNonce(authority: Authority): number {
    const place = AUTHORITIES.indexOf(authority);
    return this.#give(place, this.state.authorityNonces[place]!);
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
}
