import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Authority } from "../../../protocol/action.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Choices, GENE_WIDTH } from "./choices.ts";
import type { CaseMarket } from "./marketProfile.ts";
import type { CaseProfile } from "./profile.ts";
import { Scene } from "./scene.ts";

/** Placeholder nonce of a transaction that carries another, until its block ends. */
export const CARRIER_NONCE = -1;

/** World price of a market; the venue learns it from the oracle. */
export interface WorldPrice {
  readonly market: CaseMarket;
  /** 1e-8 USD. */
  price: number;
}

/** A delayed transaction and the height at which it is sent. */
export interface Delayed {
  readonly height: number;
  readonly transaction: Transaction;
}

/** State of a builder between two blocks. */
export interface BuilderMark {
  readonly prices: readonly Readonly<WorldPrice>[];
  readonly past: readonly Transaction[];
  readonly delayed: readonly Delayed[];
}

/**
 * Builds a block, gene by gene. Each gene starts with the same five choices after its operation, used or not. So a
 * change of one choice leaves the others unchanged:
 *
 *     operation, actor, market, header, detail of the header, nonce, then the choices of the operation
 */
export class BlockBuilder {
  readonly profile: CaseProfile;
  readonly choices = new Choices(new Uint16Array(0));
  /** World prices. */
  readonly prices: WorldPrice[];
  readonly authorities: Readonly<Record<Authority, AccountKey>>;
  state: State;
  scene: Scene;
  readonly #keys: AccountKey[] = [];

  /** Transactions of the block: oracle updates, other system transactions, user transactions. */
  oracle: Transaction[] = [];
  system: Transaction[] = [];
  users: Transaction[] = [];
  /** User transactions of the previous block. */
  past: readonly Transaction[] = [];
  delayed: Delayed[] = [];
  /** Form from which the venue is restored before the next block; empty for no restart. */
  crash: "" | "image" | "snapshot" = "";

  /** Choices of the current gene. */
  actor = 0;
  market = 0;
  header = 0;
  detail = 0;
  nonce = 0;

  constructor(profile: CaseProfile, state: State) {
    this.profile = profile;
    this.prices = profile.markets.map((market) => ({ market, price: market.start }));
    const { oracle, faucet, operator } = profile.genesis.authorities;
    this.authorities = {
      oracle: new AccountKey(oracle, 0),
      faucet: new AccountKey(faucet, 0),
      operator: new AccountKey(operator, 0),
    };
    this.state = state;
    this.scene = new Scene(state, this.#keys);
  }

  /** Returns the state between two blocks. */
  mark(): BuilderMark {
    return { prices: this.prices.map((path) => ({ ...path })), past: this.past, delayed: [...this.delayed] };
  }

  /** Restores such a state. */
  resume({ prices, past, delayed }: BuilderMark): void {
    this.prices.splice(0, this.prices.length, ...prices.map((path) => ({ ...path })));
    this.past = past;
    this.delayed = [...delayed];
  }

  /** Reads a gene and returns its operation. */
  readGene(genes: Uint16Array, from: number): number {
    const { choices } = this;
    choices.read(genes, from, GENE_WIDTH);
    const operation = choices.next();
    this.actor = choices.next();
    this.market = choices.next();
    this.header = choices.next();
    this.detail = choices.next();
    this.nonce = choices.next();
    return operation;
  }

  get size(): number {
    return this.oracle.length + this.system.length + this.users.length;
  }

  /** Adds the delayed transactions that are due. */
  releaseDelayed(): void {
    const height = this.state.height + 1;
    for (const delayed of this.delayed) if (delayed.height <= height) this.users.push(delayed.transaction);
    this.delayed = this.delayed.filter((delayed) => delayed.height > height);
  }

  /** Returns the transactions in the order that a block requires, and starts the next block. */
  clear(): Transaction[] {
    const users: Transaction[] = [];
    for (const transaction of this.users) users.push(this.#numberCarrier(transaction));
    const transactions = [...this.oracle, ...this.system, ...users];
    this.past = users;
    this.oracle = [];
    this.system = [];
    this.users = [];
    return transactions;
  }

  /**
   * Numbers an operator transaction among the user transactions: its nonce follows all other operator nonces of the
   * block.
   */
  #numberCarrier(transaction: Transaction): Transaction {
    if (transaction.action !== "devnetImpersonate" || transaction.header.nonce !== CARRIER_NONCE) return transaction;
    const nonce = this.scene.takeAuthorityNonce("operator");
    return { ...transaction, header: { ...transaction.header, nonce } };
  }

  attach(state: State): void {
    this.state = state;
    this.scene = new Scene(state, this.#keys);
  }
}
