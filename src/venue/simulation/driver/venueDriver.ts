import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Authority } from "../../../protocol/action.ts";
import {
  ACTION_NAMES,
  type ActionName,
  actions,
  DOMAIN_OF,
  type SystemAction,
  type UserAction,
} from "../../../protocol/actions/index.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { VenueEvent } from "../../../protocol/events.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { createDigester, type Digester } from "../../../protocol/typedDataDigest.ts";
import { readEvents } from "../../engine/events/readEvents.ts";
import { createVenue } from "../../engine/genesis.ts";
import type { AccountRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { type AccountView, getAccount } from "../../reads/accounts.ts";
import { type BookView, getBook } from "../../reads/book.ts";
import { getMarket, listMarkets, type MarketView } from "../../reads/markets.ts";
import { getOrder, listOrders, type OrderView } from "../../reads/orders.ts";
import { getPosition, listPositions, type PositionView } from "../../reads/positions.ts";
import { addressOf, subaccountOf } from "../../reads/rows.ts";
import { addressOfName, isAuthority, keyOfName, Names } from "../accountNames.ts";
import { type EventScope, readEventValues } from "../explain/eventValues.ts";
import { joinWords } from "../explain/joinWords.ts";
import { marketsOfBlock } from "../explain/marketsOfBlock.ts";
import { readRefusal, readResults } from "../explain/receiptText.ts";
import { takesReportedMark } from "../reportedMark.ts";
import { signingDomainOf } from "../signatures.ts";
import { Simulation } from "../simulation.ts";
import type { BlockView, EventView, ReceiptView } from "./blockView.ts";
import { DriverError } from "./errors.ts";
import { checkFields, checkName, type DriverOptions, genesisOfOptions } from "./options.ts";
import { type DriverPayload, payloadOf } from "./payload.ts";
import { orderOfBlock, type Queued, withNonces } from "./queue.ts";
import { type SubmitOptions, Submitted } from "./submitted.ts";

/** A call for every action that an account signs. It queues the transaction for the next block. */
export type AccountCalls = {
  readonly [A in UserAction]: (payload: DriverPayload<A>, options?: SubmitOptions) => Submitted;
};

/** A call for every action that an authority signs. */
export type SystemCalls = {
  readonly [A in SystemAction]: (payload: DriverPayload<A>, options?: SubmitOptions) => Submitted;
};

/**
 * An account of a driver: a call for each of its actions. Reads of `perplab/engine` take it as the account that they
 * ask for.
 */
export interface AccountDriver extends AccountCalls {
  readonly name: string;
  readonly address: AccountKey["address"];
  readonly subaccount: number;
}

/** A venue with accounts by name: a call per action queues it, `block()` applies the queued transactions. */
export interface VenueDriver extends SystemCalls {
  /** For everything else of `perplab/engine`. Only `block()` changes it. */
  readonly state: State;
  readonly genesis: Genesis;
  /**
   * An account by name, whether it exists yet or not: `alice`, or `alice/1` for her subaccount 1.
   *
   * @throws {DriverError} ACCOUNT_NAME
   */
  account(name: string): AccountDriver;
  /**
   * Queues an oracle update of the price; in a market of reported marks it is the mark, too.
   *
   * @param price USD per unit of base, decimal text
   * @param market default: the only one
   */
  setPrice(price: string, market?: string): Submitted;
  /**
   * Applies a block with the queued transactions: oracle updates, other system transactions, those of accounts, each in
   * the order of their calls.
   *
   * @param at time of the block: `timeMs`, or `afterMs` after the block before. Default: 1,000 ms after
   * @throws {EngineError} INVALID_BLOCK: a time that does not grow. Queued transactions stay queued
   * @throws {DriverError} FIELD_UNKNOWN
   */
  block(at?: { readonly afterMs?: number; readonly timeMs?: number }): BlockView;
  getAccount(name: string): AccountView | undefined;
  /** @param market default: the only one, as in the other reads */
  getPosition(name: string, market?: string): PositionView | undefined;
  listPositions(name: string): PositionView[];
  /** @param market default: all of them */
  listOrders(name: string, market?: string): OrderView[];
  getOrder(orderId: string): OrderView | undefined;
  getMarket(market?: string): MarketView | undefined;
  listMarkets(): MarketView[];
  getBook(market?: string, depth?: number): BookView | undefined;
}

/**
 * Starts a venue to be driven from code. Nonces, domains and validity are counted, signatures are elided.
 *
 *     const venue = createVenueDriver({ markets: { "BTC-PERP": {} }, accounts: { alice: "10000" } });
 *     venue.setPrice("60000");
 *     const bid = venue.account("alice").placeOrder({ side: "buy", size: "0.5", price: "59000" });
 *     venue.block();
 *     venue.getOrder(bid.orderId);
 *
 * @throws {EngineError} INVALID_GENESIS
 * @throws {DriverError} ACCOUNT_NAME, FIELD_UNKNOWN
 */
export function createVenueDriver(options: DriverOptions = {}): VenueDriver {
  const core = new DriverCore(options);
  const calls = callsOf("authority", (action, payload, given) =>
    core.queue(core.authorityOf(action), action, payload, given),
  );
  return Object.assign(core, calls as unknown as SystemCalls);
}

type Call = (payload: DriverPayload<ActionName>, options?: SubmitOptions) => Submitted;

/** A call for each action of a kind of signer. */
function callsOf(
  signer: "authority" | "account",
  queue: (action: ActionName, payload: DriverPayload<ActionName>, options: SubmitOptions) => Submitted,
): Readonly<Record<string, Call>> {
  const names = ACTION_NAMES.filter((name) => (actions[name].scope === "authority") === (signer === "authority"));
  return Object.fromEntries(
    names.map((action): [string, Call] => [action, (payload, options = {}) => queue(action, payload, options)]),
  );
}

const SUBMIT_OPTIONS = [
  "agent",
  "authorization",
  "nonce",
  "nonceDomain",
  "validFrom",
  "validUntil",
  "clientTxId",
] as const satisfies readonly (keyof SubmitOptions)[];

class DriverCore {
  readonly genesis: Genesis;
  readonly #simulation: Simulation;
  readonly #digester: Digester;
  readonly #names = new Names();
  #queued: Queued[] = [];

  constructor(options: DriverOptions) {
    for (const name of Object.keys(options.accounts ?? {})) this.#names.declare(checkName(name));
    this.genesis = genesisOfOptions(options);
    const state = createVenue(this.genesis);
    const { observers = [] } = options;
    this.#simulation = new Simulation(state, typeof observers === "function" ? observers(state) : observers);
    this.#digester = createDigester(signingDomainOf(this.genesis));
  }

  get state(): State {
    return this.#simulation.state;
  }

  account(name: string): AccountDriver {
    const { address, subaccount } = this.#declare(name);
    const calls = callsOf("account", (action, payload, options) => this.queue(name, action, payload, options));
    return { name, address, subaccount, ...(calls as unknown as AccountCalls) };
  }

  setPrice(price: string, market = this.#onlyMarket()): Submitted {
    const mark = takesReportedMark(this.state, market) ? price : "";
    return this.queue("oracle", "oracleUpdate", { market, price, mark }, {});
  }

  block(at: { readonly afterMs?: number; readonly timeMs?: number } = {}): BlockView {
    checkFields("block", at, ["afterMs", "timeMs"]);
    return this.#applyBlock(at);
  }

  #applyBlock({ afterMs = 1000, timeMs }: { readonly afterMs?: number; readonly timeMs?: number }): BlockView {
    const { state } = this;
    const queued = orderOfBlock(this.#queued);
    const at = { height: state.height + 1, timeMs: timeMs ?? state.timeMs + afterMs };
    const transactions = withNonces(state, queued, at);
    const result = this.#simulation.apply({ ...at, transactions });
    this.#queued = [];
    const scope = { state, texts: result.texts, marketOf: marketsOfBlock(state, result) };
    const receipts = transactions.map((transaction, index): ReceiptView => {
      const receipt = result.receipts.at(index);
      const events = readEvents(result.events, receipt.eventsFrom, receipt.eventsTo);
      const { submitted } = queued[index]!;
      return {
        account: submitted.account,
        action: submitted.action,
        txId: this.#digester.digestOf(transaction),
        status: receipt.status,
        ...readRefusal(state, transaction, receipt),
        results: readResults(state, transaction, receipt, events),
        events: events.map((event) => this.#viewEvent(scope, event)),
      };
    });
    for (const [index, receipt] of receipts.entries()) queued[index]!.submitted.settle(receipt);
    const events = readEvents(result.events, result.from, result.to);
    return { ...at, receipts, events: events.map((event) => this.#viewEvent(scope, event)) };
  }

  getAccount(name: string): AccountView | undefined {
    return getAccount(this.state, this.#keyOf(name));
  }

  getPosition(name: string, market = this.#onlyMarket()): PositionView | undefined {
    return getPosition(this.state, this.#keyOf(name), market);
  }

  listPositions(name: string): PositionView[] {
    return listPositions(this.state, this.#keyOf(name));
  }

  listOrders(name: string, market?: string): OrderView[] {
    return listOrders(this.state, this.#keyOf(name), market);
  }

  getOrder(orderId: string): OrderView | undefined {
    return getOrder(this.state, orderId);
  }

  getMarket(market = this.#onlyMarket()): MarketView | undefined {
    return getMarket(this.state, market);
  }

  listMarkets(): MarketView[] {
    return listMarkets(this.state);
  }

  getBook(market = this.#onlyMarket(), depth?: number): BookView | undefined {
    return getBook(this.state, market, depth);
  }

  /** The authority that signs an action. */
  authorityOf(action: ActionName): Authority {
    return (actions[action] as { readonly authority?: Authority }).authority!;
  }

  /** Queues a transaction of an account or authority for the next block. */
  queue(name: string, action: ActionName, given: DriverPayload<ActionName>, options: SubmitOptions): Submitted {
    checkFields(`${action} options`, options, SUBMIT_OPTIONS);
    const { agent, authorization, nonce, nonceDomain = DOMAIN_OF[action], validFrom, validUntil, clientTxId } = options;
    const payload = payloadOf(action, given, {
      market: () => this.#onlyMarket(),
      keyOf: (text) => this.#declare(text),
    });
    const submitted = new Submitted(action, name);
    const account = this.#keyOf(name);
    const { network } = this.genesis;
    this.#queued.push({
      submitted,
      account,
      authority: nonceDomain === "system" ? this.authorityOf(action) : undefined,
      signer: agent === undefined ? account.address : addressOfName(checkName(agent)),
      nonceDomain,
      nonce,
      isPlain: Object.keys(options).length === 0 && action !== "devnetImpersonate",
      make: ({ height, nonce: next, signer }): Transaction =>
        createTransaction({
          action,
          account,
          payload,
          network,
          signer,
          nonceDomain,
          nonce: next,
          validFrom: validFrom ?? height,
          validUntil: validUntil ?? Math.max(height, validFrom ?? 0),
          ...(authorization === undefined ? {} : { authorization }),
          ...(clientTxId === undefined ? {} : { clientTxId }),
        }),
    });
    return submitted;
  }

  #keyOf(name: string): AccountKey {
    return isAuthority(name) ? new AccountKey(this.genesis.authorities[name], 0) : keyOfName(checkName(name));
  }

  /** The account of a name, which its events have from now on. */
  #declare(name: string): AccountKey {
    if (!isAuthority(name)) this.#names.declare(checkName(name));
    return this.#keyOf(name);
  }

  #onlyMarket(): string {
    const { marketNames } = this.state;
    const [market] = marketNames;
    if (market !== undefined && marketNames.length === 1) return market;
    const words = market === undefined ? "the venue has no market" : `name the market: ${marketNames.join(", ")}`;
    throw new DriverError("MARKET_MISSING", words);
  }

  #viewEvent(scope: EventScope, event: VenueEvent): EventView {
    const { state } = scope;
    const accountName = (row: AccountRow) => this.#names.nameOf(addressOf(state, row), subaccountOf(state, row));
    const fields = joinWords(readEventValues({ ...scope, accountName }, event));
    return { kind: event.kind, ...fields };
  }
}
