import { NONE } from "../../ground/collections/table.ts";
import { Random } from "../../ground/math/random.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { type ActionName, actions, DOMAIN_OF, type UserAction } from "../../protocol/actions/index.ts";
import { encodePayload } from "../../protocol/codec.ts";
import { createTransaction, type TransactionInit } from "../../protocol/createTransaction.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Block, Transaction } from "../../protocol/transaction.ts";
import { ROLE } from "../../protocol/words.ts";
import { idOfGrant } from "../../venue/engine/authorization/addGrant.ts";
import type { AccountRow, AuthorizationRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import { drawProfile, type FlowProfile } from "./flowProfile.ts";
import { FlowScene } from "./flowScene.ts";
import { type Drawn, drawOracle, drawSystem, type FlowPrice } from "./flowSystem.ts";
import { drawUserPayload } from "./flowUser.ts";

/** Lanes in which a user's noop may burn a nonce. */
const LANES = ["trading", "risk", "funds", "admin"] as const;

/**
 * An endless source of blocks from a seed: every action, valid and not, over prices that walk and jump. It reads the
 * venue between blocks: the orders, positions and amounts that it names exist. The same seed and the same venue give
 * the same blocks.
 *
 * ```ts
 * const flow = new Flow(7);
 * const state = createVenue(flow.genesis);
 * for (let count = 0; count < 100; count++) applyBlock(state, flow.next(state));
 * ```
 */
export class Flow {
  readonly seed: number;
  readonly profile: FlowProfile;
  readonly #random: Random;
  readonly #prices: FlowPrice[];

  /** @param seed whole number, 0 to 2^32 - 1 */
  constructor(seed: number) {
    this.seed = seed;
    this.#random = Random.ofSeed([seed | 0, 0x5eed, 0xf10a, ~seed]);
    this.profile = drawProfile(this.#random);
    this.#prices = this.profile.markets.map((market) => ({ market, price: market.start }));
  }

  get genesis(): Genesis {
    return this.profile.genesis;
  }

  /** The block that follows the venue's present height. */
  next(state: State): Block {
    const random = this.#random;
    const scene = new FlowScene(state);
    const system = [
      ...drawOracle(random, this.profile, scene, this.#prices),
      ...drawSystem(random, this.profile, scene, this.#prices),
    ].map((drawn) => this.#signSystem(scene, drawn));
    const users = Array.from({ length: random.below(this.profile.blockSize + 1) }, () => this.#drawUser(scene));
    const gap = random.chance(1, 60) ? random.pick([3_600_000, 90_000_000, 3_000_000_000]) : random.between(200, 8_000);
    return { height: state.height + 1, timeMs: state.timeMs + gap, transactions: [...system, ...users] };
  }

  #signSystem(scene: FlowScene, { action, payload }: Drawn): Transaction {
    const { authority } = { authority: "operator" as const, ...actions[action] };
    const account = new AccountKey(this.genesis.authorities[authority], 0);
    const faulty = this.#spoilHeader();
    return this.#sign(scene, { action, account, payload, nonce: 0 }, faulty, () => scene.takeAuthorityNonce(authority));
  }

  #drawUser(scene: FlowScene): Transaction {
    const random = this.#random;
    const action = this.#drawAction();
    const account = this.#drawAccount(scene);
    if (random.chance(this.profile.impersonates, 100)) return this.#drawCarried(scene, account, action);
    const payload = drawUserPayload(random, this.profile, scene, account, action);
    const { domain } = actions[action];
    const nonceDomain = domain === "any" ? random.pick(LANES) : domain;
    const init = { action, account: scene.keyOf(account), payload, nonceDomain, nonce: 0 };
    const grant = random.chance(this.profile.agents, 100) ? scene.pickGrant(random, account) : NONE;
    if (grant !== NONE) {
      const { grants } = scene.state;
      const agent = { signer: grants.agents[grant]!, authorization: idOfGrant(scene.state, grant as AuthorizationRow) };
      return this.#sign(scene, { ...init, ...agent }, this.#spoilHeader(), () =>
        scene.takeAgentNonce(account, grant as AuthorizationRow, nonceDomain),
      );
    }
    return this.#sign(scene, init, this.#spoilHeader(), () => scene.takeNonce(account, nonceDomain));
  }

  /** The operator acts for an account; the carried transaction is occasionally faulty. */
  #drawCarried(scene: FlowScene, account: AccountRow, action: UserAction): Transaction {
    const random = this.#random;
    const faulty = random.chance(this.profile.faults, 100);
    const text = faulty ? random.pick(["{}", "{", '{"market":""}', "\u0000"]) : this.#drawJson(scene, account, action);
    const { address, subaccount } =
      faulty && random.chance(1, 3) ? random.pick(this.profile.strangers) : scene.keyOf(account);
    const name: string = faulty && random.chance(1, 3) ? random.pick(["fundInsurance", "fly"]) : action;
    const payload = { account: address, subaccount, action: name, payload: bytesOf(text) };
    const transaction = this.#signSystem(scene, { action: "devnetImpersonate", payload });
    const commits =
      this.genesis.features.devnet && transaction.header.nonce >= 0 && transaction.header.nonce < 1_000_000;
    if (commits && !faulty) scene.takeNonce(account, DOMAIN_OF[action]);
    return transaction;
  }

  #drawJson(scene: FlowScene, account: AccountRow, action: UserAction): string {
    const payload = drawUserPayload(this.#random, this.profile, scene, account, action);
    return JSON.stringify(encodePayload(action, payload));
  }

  /** Usually an account with something to lose. */
  #drawAccount(scene: FlowScene): AccountRow {
    const random = this.#random;
    const { accounts } = scene.state;
    let account = random.pick(scene.accounts);
    for (let tries = 0; tries < 2; tries++) {
      if (accounts.role[account] === ROLE.normal && accounts.collateral[account]! > 0) break;
      account = random.pick(scene.accounts);
    }
    return account;
  }

  #drawAction(): UserAction {
    const { weights } = this.profile;
    const names = Object.keys(weights) as UserAction[];
    let left = this.#random.below(names.reduce((sum, name) => sum + weights[name], 0));
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return "placeOrder";
  }

  #spoilHeader(): number {
    return this.#random.chance(this.profile.faults, 200) ? 1 + this.#random.below(HEADER_FAULTS) : 0;
  }

  /** Distance of a nonce from the next one: usually 0, and always 0 in sequence; else up to just outside the window. */
  #drawDistance(window: number): number {
    if (window === 0 || !this.#random.chance(1, 3)) return 0;
    const reach = this.#random.chance(1, 2) ? Math.min(window, 3) : window;
    return this.#random.between(-reach - 1, reach);
  }

  /** Completes a header; a faulty one is inadmissible and uses no nonce of the lane. */
  #sign<A extends ActionName>(
    scene: FlowScene,
    init: TransactionInit<A>,
    fault: number,
    takeNonce: () => number,
  ): Transaction {
    const { height } = scene.state;
    const validFrom = height + 1;
    if (fault === 0) {
      const nonce = takeNonce() + (init.nonceDomain === "trading" ? this.#drawDistance(scene.state.nonceWindow) : 0);
      return createTransaction({ ...init, validFrom, nonce });
    }
    const stranger = new AccountKey("0x00000000000000000000000000000000000bad00", 0);
    const variants: readonly Partial<TransactionInit<A>>[] = [
      { network: "elsewhere" },
      { verdict: false },
      { signer: stranger.address },
      { account: stranger },
      { nonceDomain: init.nonceDomain === "funds" ? "risk" : "funds" },
      { validFrom, validUntil: validFrom + 1_000_000 },
      { validFrom: validFrom + 1 },
      { validFrom: 0, validUntil: height },
      { nonce: -1 },
      { nonce: 1_000_000 },
    ];
    const transaction = createTransaction({ ...init, validFrom, ...variants[fault - 1] });
    if (fault <= variants.length) return transaction;
    return { ...transaction, header: { ...transaction.header, protocolVersion: 99 } };
  }
}

/** Header faults: those of `#sign`, and a wrong version. */
const HEADER_FAULTS = 11;

/** ASCII text as bytes. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
