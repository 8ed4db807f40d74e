import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Authority } from "../../../protocol/action.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Choices, GENE_WIDTH } from "./choices.ts";
import type { CaseMarket } from "./marketProfile.ts";
import type { CaseProfile } from "./profile.ts";
import { Scene } from "./scene.ts";

/** Nonce of a transaction that carries another, until its block is closed. */
export const CARRIER_NONCE = -1;

/** A price as the world has it; the venue hears of it through the oracle. */
export interface WorldPrice {
  readonly market: CaseMarket;
  /** 1e-8 USD. */
  price: number;
}

/** A transaction that was held back, and the height at which it comes. */
export interface Delayed {
  readonly height: number;
  readonly transaction: Transaction;
}

/** What of a desk outlives a block. */
export interface BuilderMark {
  readonly prices: readonly Readonly<WorldPrice>[];
  readonly past: readonly Transaction[];
  readonly delayed: readonly Delayed[];
}

/**
 * Where a block is put together, gene by gene. Each gene begins with the same five choices behind its operation, whether
 * it uses them or not, so that changing one thing of a gene leaves the rest as it was:
 *
 *     operation, actor, market, header, detail of the header, nonce, then what the operation asks for
 */
export class BlockBuilder {
  readonly profile: CaseProfile;
  readonly choices = new Choices(new Uint16Array(0));
  /** Prices as the world has them. */
  readonly prices: WorldPrice[];
  readonly authorities: Readonly<Record<Authority, AccountKey>>;
  state: State;
  scene: Scene;
  readonly #keys: AccountKey[] = [];

  /** Transactions of the block: oracle updates, other system transactions, users'. */
  oracle: Transaction[] = [];
  system: Transaction[] = [];
  users: Transaction[] = [];
  /** Users' transactions of the block before. */
  past: readonly Transaction[] = [];
  delayed: Delayed[] = [];
  /** The venue is to be restored from what it writes, before the next block. */
  crash: "" | "image" | "snapshot" = "";

  /** Choices of the gene at hand. */
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

  /** What it knows between two blocks. */
  mark(): BuilderMark {
    return { prices: this.prices.map((path) => ({ ...path })), past: this.past, delayed: [...this.delayed] };
  }

  /** Goes on from there. */
  goOn({ prices, past, delayed }: BuilderMark): void {
    this.prices.splice(0, this.prices.length, ...prices.map((path) => ({ ...path })));
    this.past = past;
    this.delayed = [...delayed];
  }

  /** Reads a gene, and says which operation it names. */
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

  /** Puts in what was held back until now. */
  releaseDelayed(): void {
    const height = this.state.height + 1;
    for (const delayed of this.delayed) if (delayed.height <= height) this.users.push(delayed.transaction);
    this.delayed = this.delayed.filter((delayed) => delayed.height > height);
  }

  /** Takes the transactions away in the order that a block wants, and looks at the venue anew. */
  clear(): Transaction[] {
    const users = this.users.map((transaction) => this.#numberCarrier(transaction));
    const transactions = [...this.oracle, ...this.system, ...users];
    this.past = users;
    this.oracle = [];
    this.system = [];
    this.users = [];
    return transactions;
  }

  /** What the operator does among the users comes behind all else that he does in the block. */
  #numberCarrier(transaction: Transaction): Transaction {
    if (transaction.action !== "devnetImpersonate" || transaction.header.nonce !== CARRIER_NONCE) return transaction;
    const nonce = this.scene.takeAuthorityNonce("operator");
    return { ...transaction, header: { ...transaction.header, nonce } };
  }

  look(state: State): void {
    this.state = state;
    this.scene = new Scene(state, this.#keys);
  }
}
