/**
 * A venue for engine tests that read like stories: accounts and markets have names, numbers are decimal text as traders
 * write them, nonces look after themselves, and after every block the books of the venue are checked (`audit`).
 */
import { expect } from "vitest";
import { NONE } from "../../src/collections/table.ts";
import { applyBlock } from "../../src/engine/applyBlock.ts";
import { findAgent } from "../../src/engine/authorization/agents.ts";
import { findLane } from "../../src/engine/authorization/lanes.ts";
import { computeRoot, getHead } from "../../src/engine/commitment/root.ts";
import { digestOf } from "../../src/engine/digest.ts";
import { readEvents } from "../../src/engine/events/readEvents.ts";
import { createVenue } from "../../src/engine/genesis.ts";
import { type Health, measure, measureIsolated } from "../../src/engine/margin/health.ts";
import { findAccount } from "../../src/engine/state/accounts.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type MarketRow,
  type PositionRow,
} from "../../src/engine/state/schema.ts";
import { getPosition, type State } from "../../src/engine/state/state.ts";
import { TOTAL } from "../../src/engine/state/totals.ts";
import { formatDecimal, parseDecimal } from "../../src/math/decimal.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { AUTHORITIES, DOMAINS, type Domain } from "../../src/protocol/action.ts";
import { type ActionName, actions, type JsonPayloads, type Payloads } from "../../src/protocol/actions/index.ts";
import { decodePayload, encodePayload } from "../../src/protocol/codec.ts";
import { createTransaction, type TransactionInit } from "../../src/protocol/createTransaction.ts";
import type { EventKind, EventOf, VenueEvent } from "../../src/protocol/events.ts";
import type { Address, Bytes32 } from "../../src/protocol/fields.ts";
import { createGenesis, type Genesis, type GenesisInit } from "../../src/protocol/genesis.ts";
import type { ParameterTexts } from "../../src/protocol/parameters.ts";
import type { Receipt } from "../../src/protocol/receipt.ts";
import type { InvalidCode, RejectionCode } from "../../src/protocol/rejections.ts";
import type { Transaction } from "../../src/protocol/transaction.ts";
import {
  BATCH_MODE,
  DEVNET_TARGET,
  INTENT_KINDS,
  INTENT_STATES,
  MARGIN_DIRECTION,
  MARGIN_MODE,
  type MARKET_STATUS,
  ORDER_TYPE,
  POST_ONLY,
  type Role,
  SELF_TRADE,
  SELF_TRADE_SCOPE,
  SIDE,
  TIME_IN_FORCE,
} from "../../src/protocol/words.ts";

import { audit } from "../reference/audit.ts";

/** Names of what tests reached, for the test that compares them with what there is to reach. */
export class Reached {
  readonly names = new Set<string>();
}

export type Outcome = "applied" | RejectionCode | InvalidCode;

/** A transaction that does not have its nonce yet. */
export interface Step {
  readonly action: ActionName;
  /** Name of the account, or of an authority. */
  readonly who: string;
  readonly payload: Payloads[ActionName];
  readonly header: Partial<TransactionInit<ActionName>>;
}

type IntentJson = JsonPayloads["placeIntent"];
/** Fields of an intent that a test says something about, as in JSON. */
export type IntentOptions = Partial<Omit<IntentJson, "legs" | "kind">> & {
  readonly legs?: readonly (Partial<IntentJson["legs"][number]> & Pick<IntentJson["legs"][number], "kind">)[];
};

const LEG = {
  kind: "stop",
  source: "mark",
  trigger: "",
  trail: "",
  trailRate: "",
  orderType: "market",
  price: "",
  slippage: "",
  timeInForce: "GTC",
  postOnly: "no",
} as const;

const orderSlippage = (order: { readonly price?: string }) => (order.price === undefined ? "0.05" : "");

/** What a block did, decoded. */
export interface Story {
  readonly receipts: readonly Receipt[];
  readonly outcomes: readonly Outcome[];
  readonly events: readonly VenueEvent[];
  readonly texts: readonly string[];
  of<K extends EventKind>(kind: K): EventOf<K>[];
}

export interface OrderOptions {
  readonly type?: keyof typeof ORDER_TYPE;
  readonly slippage?: string;
  readonly tif?: keyof typeof TIME_IN_FORCE;
  readonly postOnly?: boolean | "slide";
  /** Last height and block time of a GTT order. */
  readonly height?: number;
  readonly time?: number;
  readonly reduceOnly?: boolean;
  readonly selfTrade?: keyof typeof SELF_TRADE;
  readonly scope?: keyof typeof SELF_TRADE_SCOPE;
  readonly client?: string;
  readonly market?: string;
}

export interface VenueOptions {
  /** Parameters by market name, over the preset `minimal` with whole lots, unless `preset` says otherwise. */
  readonly markets?: Readonly<Record<string, ParameterTexts & { readonly preset?: string }>>;
  /** Balances by account name; "alice/1" is alice's subaccount 1. */
  readonly accounts?: Readonly<Record<string, string>>;
  readonly house?: Readonly<Record<string, string>>;
  /** Balances of backstops, with their loss limit after a space: "1000" or "1000 400". */
  readonly backstops?: Readonly<Record<string, string>>;
  readonly insurance?: string;
  /** First prices, given in a first block. */
  readonly prices?: Readonly<Record<string, string>>;
  readonly genesis?: GenesisInit;
}

/** The market that tests use where it does not matter: a lot is 1, a tick is 1, tier 10 % / 5 %, recorded marks. */
export const PLAIN: ParameterTexts = {
  lotSize: "1",
  minSize: "1",
  markMethod: "external",
  maxSize: "10000",
  positionLimit: "10000",
};

export const price = (text: string) => parseDecimal(text, 8);
export const size = (text: string) => parseDecimal(text, 8);
export const amount = (text: string) => parseDecimal(text, 6);
export const rate = (text: string) => parseDecimal(text, 9);

/** Address of an account name: the same for all its subaccounts. */
export function addressOf(name: string): Address {
  const [owner] = name.split("/");
  const hex = [...owner!].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return `0x${hex.padEnd(40, "0").slice(0, 40)}`;
}

export function keyOf(name: string): AccountKey {
  return new AccountKey(addressOf(name), Number(name.split("/")[1] ?? 0));
}

const isAuthority = (name: string): name is (typeof AUTHORITIES)[number] =>
  (AUTHORITIES as readonly string[]).includes(name);

export class TestVenue {
  state: State;
  readonly genesis: Genesis;
  readonly reached: Reached | undefined;
  /** Market of orders that name none: the first. */
  readonly market: string;
  lastStory: Story | undefined;

  constructor(options: VenueOptions = {}, reached?: Reached) {
    const {
      markets = { TEST: {} },
      accounts = {},
      house = {},
      backstops = {},
      insurance = "0",
      prices,
      genesis,
    } = options;
    const account =
      (role: Role) =>
      ([name, balance]: [string, string]) => {
        const { address, subaccount } = keyOf(name);
        const [given, lossLimit] = balance.split(" ");
        return { address, subaccount, role, balance: given!, ...(lossLimit === undefined ? {} : { lossLimit }) };
      };
    this.genesis = createGenesis({
      markets: Object.entries(markets).map(([name, { preset, ...texts }]) => ({
        name,
        preset: preset ?? "minimal",
        parameters: (preset === undefined ? { ...PLAIN, ...texts } : texts) as ParameterTexts,
      })),
      accounts: [
        ...Object.entries(accounts).map(account("normal")),
        ...Object.entries(house).map(account("house")),
        ...Object.entries(backstops).map(account("backstop")),
      ],
      insurance,
      ...genesis,
    });
    this.state = createVenue(this.genesis);
    this.reached = reached;
    this.market = Object.keys(markets)[0] ?? "";
    this.note(readEvents(this.state.events.data, 3, this.eventsEnd()));
    audit(this.state);
    if (prices !== undefined) {
      this.run(...Object.entries(prices).map(([market, text]) => this.price(text, { market })));
    }
  }

  /** End of the genesis block's events: receipts begin there. */
  private eventsEnd(): number {
    const { data, length } = this.state.events;
    let end = 3;
    while (end < length && data[end]! >= 0) {
      const events = readEvents(data, end, end + 1);
      end += Object.keys(events[0]!).length;
    }
    return end;
  }

  private note(events: readonly VenueEvent[]): void {
    for (const { kind } of events) this.reached?.names.add(kind);
  }

  /** Any action of anybody. */
  act<A extends ActionName>(who: string, action: A, payload: Payloads[A], header: Step["header"] = {}): Step {
    return { action, who, payload, header };
  }

  order(who: string, side: "buy" | "sell", lots: string, at: string | undefined, options: OrderOptions = {}): Step {
    const { type = "limit", slippage, tif = "GTC", selfTrade = "cancelTaker", scope = "account" } = options;
    return this.act(who, "placeOrder", {
      market: options.market ?? this.market,
      side: SIDE[side],
      orderType: ORDER_TYPE[type],
      size: size(lots),
      price: at === undefined ? 0 : price(at),
      slippage: slippage === undefined ? 0 : rate(slippage),
      timeInForce: TIME_IN_FORCE[tif],
      goodTilHeight: options.height ?? 0,
      goodTilTime: options.time ?? 0,
      postOnly:
        options.postOnly === "slide" ? POST_ONLY.slide : options.postOnly === true ? POST_ONLY.reject : POST_ONLY.no,
      reduceOnly: options.reduceOnly ?? false,
      selfTrade: SELF_TRADE[selfTrade],
      selfTradeScope: SELF_TRADE_SCOPE[scope],
      clientOrderId: options.client ?? "",
    } as Payloads["placeOrder"]);
  }

  /** Several orders of one account; each is a step of `buy`, `sell` or `order`. */
  batch(who: string, mode: keyof typeof BATCH_MODE, ...orders: Step[]): Step {
    const payload = { mode: BATCH_MODE[mode], orders: orders.map((step) => step.payload as Payloads["placeOrder"]) };
    return this.act(who, "placeOrders", payload);
  }

  schedule(who: string, time: number): Step {
    return this.act(who, "scheduleCancel", { time });
  }

  buy(who: string, lots: string, at: string, options?: OrderOptions): Step {
    return this.order(who, "buy", lots, at, options);
  }

  sell(who: string, lots: string, at: string, options?: OrderOptions): Step {
    return this.order(who, "sell", lots, at, options);
  }

  cancel(who: string, orderId: number): Step {
    return this.act(who, "cancelOrder", { orderId, clientOrderId: "" } as Payloads["cancelOrder"]);
  }

  cancelAll(who: string, market = "", intents = false): Step {
    return this.act(who, "cancelAll", { market, intents });
  }

  /** An intent as its owner writes it; what is not given is empty. A market order may slip by 5 %. */
  intent(who: string, kind: JsonPayloads["placeIntent"]["kind"], given: IntentOptions): Step {
    const { legs = [], ...fields } = given;
    const json = {
      ...LEG,
      slippage: kind === "oco" ? "" : orderSlippage(given),
      market: this.market,
      kind,
      side: "sell",
      size: "",
      fraction: "",
      reduceOnly: false,
      selfTrade: "cancelMaker",
      selfTradeScope: "account",
      duration: 0,
      interval: 0,
      goodTilHeight: 0,
      goodTilTime: 0,
      clientIntentId: "",
      ...fields,
      legs: legs.map((leg) => ({ ...LEG, slippage: orderSlippage(leg), ...leg })),
    };
    return this.act(who, "placeIntent", decodePayload("placeIntent", json));
  }

  cancelIntent(who: string, intent: number, clientIntentId = ""): Step {
    return this.act(who, "cancelIntent", { intent, clientIntentId } as Payloads["cancelIntent"]);
  }

  /** Intents of a name, oldest first: "kind state size@trigger". */
  intents(name: string): string[] {
    const { intents } = this.state;
    const lines: string[] = [];
    for (let at = this.state.accounts.intents[this.row(name)]!; at !== NONE; at = intents.older[at]!) {
      const kind = INTENT_KINDS[intents.kind[at]!];
      const trigger = formatDecimal(intents.trigger[at]!, 8);
      lines.unshift(`${kind} ${INTENT_STATES[intents.state[at]!]} ${intents.size[at]}@${trigger}`);
    }
    return lines;
  }

  amend(
    who: string,
    orderId: number,
    change: { size?: string; price?: string; client?: string; height?: number; time?: number },
  ): Step {
    return this.act(who, "amendOrder", {
      orderId,
      clientOrderId: change.client ?? "",
      size: change.size === undefined ? 0 : size(change.size),
      price: change.price === undefined ? 0 : price(change.price),
      goodTilHeight: change.height ?? 0,
      goodTilTime: change.time ?? 0,
    } as Payloads["amendOrder"]);
  }

  close(
    who: string,
    options: { size?: string; price?: string; slippage?: string; market?: string; client?: string },
  ): Step {
    return this.act(who, "closePosition", {
      market: options.market ?? this.market,
      size: options.size === undefined ? 0 : size(options.size),
      price: options.price === undefined ? 0 : price(options.price),
      slippage: options.slippage === undefined ? 0 : rate(options.slippage),
      clientOrderId: options.client ?? "",
    } as Payloads["closePosition"]);
  }

  leverage(who: string, leverage: number, market = this.market): Step {
    return this.act(who, "setLeverage", { market, leverage });
  }

  mode(who: string, mode: keyof typeof MARGIN_MODE, market = this.market): Step {
    return this.act(who, "setMarginMode", { market, mode: MARGIN_MODE[mode] });
  }

  /** Moves collateral to an isolated position, or back. */
  adjust(who: string, direction: keyof typeof MARGIN_DIRECTION, text: string, market = this.market): Step {
    return this.act(who, "adjustIsolatedMargin", {
      market,
      direction: MARGIN_DIRECTION[direction],
      amount: amount(text),
    } as Payloads["adjustIsolatedMargin"]);
  }

  withdraw(who: string, text: string): Step {
    return this.act(who, "withdraw", { amount: amount(text) } as Payloads["withdraw"]);
  }

  transfer(who: string, to: string, text: string): Step {
    const { address, subaccount } = keyOf(to);
    return this.act(who, "transfer", {
      to: address,
      toSubaccount: subaccount,
      amount: amount(text),
    } as Payloads["transfer"]);
  }

  deposit(to: string, text: string, reference = ""): Step {
    const { address, subaccount } = keyOf(to);
    return this.act("operator", "deposit", {
      to: address,
      toSubaccount: subaccount,
      amount: amount(text),
      reference,
    } as Payloads["deposit"]);
  }

  mint(to: string, text: string): Step {
    const { address, subaccount } = keyOf(to);
    return this.act("faucet", "faucetMint", {
      to: address,
      toSubaccount: subaccount,
      amount: amount(text),
    } as Payloads["faucetMint"]);
  }

  fund(text: string): Step {
    return this.act("operator", "fundInsurance", { amount: amount(text) } as Payloads["fundInsurance"]);
  }

  update(parameters: ParameterTexts, market = this.market): Step {
    return this.act("operator", "updateMarket", {
      market,
      parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    });
  }

  create(market: string, preset: string, parameters: ParameterTexts = {}): Step {
    return this.act("operator", "createMarket", {
      market,
      preset,
      parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    });
  }

  status(status: keyof typeof MARKET_STATUS, market = this.market): Step {
    return this.update({ status }, market);
  }

  settle(at: string, market = this.market): Step {
    return this.act("operator", "settleMarket", { market, price: price(at) } as Payloads["settleMarket"]);
  }

  /** Pokes of a devnet's operator: collateral of an account, or the prices of a market. */
  setCollateral(who: string, text: string): Step {
    const { address: account, subaccount } = keyOf(who);
    return this.act("operator", "devnetSet", {
      what: DEVNET_TARGET.collateral,
      account,
      subaccount,
      amount: amount(text),
      market: "",
      price: price("0"),
    } as Payloads["devnetSet"]);
  }

  setPrice(text: string, market = this.market): Step {
    const { address: account } = keyOf("nobody");
    return this.act("operator", "devnetSet", {
      what: DEVNET_TARGET.price,
      account,
      subaccount: 0,
      amount: amount("0"),
      market,
      price: price(text),
    } as Payloads["devnetSet"]);
  }

  /** The operator of a devnet acts for somebody; `text` stands in for the payload's JSON. */
  impersonate(step: Step, text = JSON.stringify(encodePayload(step.action, step.payload))): Step {
    const { address: account, subaccount } = keyOf(step.who);
    const payload = new TextEncoder().encode(text);
    return this.act("operator", "devnetImpersonate", { account, subaccount, action: step.action, payload });
  }

  /** A grant to an agent for everything, without limits, for a day, but for what is said. */
  grant(who: string, agent: string, terms: Partial<Payloads["grantAuthorization"]> = {}): Step {
    return this.act(who, "grantAuthorization", {
      agent: addressOf(agent),
      label: "",
      scopes: "*",
      markets: "*",
      subaccounts: "*",
      maxOrderNotional: "*",
      maxPositionNotional: "*",
      maxDailyNotional: "*",
      maxOpenOrders: "*",
      validFrom: 0,
      expiresAt: this.state.timeMs + 86_400_000,
      ...terms,
    });
  }

  revoke(who: string, authorization: Bytes32, cancelOrders = false): Step {
    return this.act(who, "revokeAuthorization", { authorization, cancelOrders });
  }

  /** Grants in a block of its own; returns the id of the grant. */
  authorize(who: string, agent: string, terms: Partial<Payloads["grantAuthorization"]> = {}): Bytes32 {
    const [transaction] = this.toTransactions([this.grant(who, agent, terms)]);
    expect(this.apply(this.state.timeMs + 1000, [transaction!]).outcomes).toEqual(["applied"]);
    return digestOf(this.state, transaction!);
  }

  /** The step, signed by an agent under a grant. */
  by(agent: string, authorization: Bytes32, step: Step): Step {
    return { ...step, header: { ...step.header, signer: addressOf(agent), authorization } };
  }

  /** Oracle price, and mark where it is given or the market takes recorded marks; funding where a rate is given. */
  price(text: string, options: { mark?: string; funding?: string; market?: string } = {}): Step {
    return this.act("oracle", "oracleUpdate", {
      market: options.market ?? this.market,
      sources: [],
      price: price(text),
      mark: options.mark === undefined ? 0 : price(options.mark),
      fundingRate: options.funding === undefined ? 0 : rate(options.funding),
      settleFunding: options.funding !== undefined,
    } as unknown as Payloads["oracleUpdate"]);
  }

  /** Reports of a market's sources: "price", or "price confidence", each as of now unless a time is given. */
  report(prices: Readonly<Record<string, string>>, options: { timeMs?: number; market?: string } = {}): Step {
    return this.act("oracle", "oracleUpdate", {
      market: options.market ?? this.market,
      price: 0,
      sources: Object.entries(prices).map(([source, text]) => {
        const [at, confidence] = text.split(" ");
        const width = confidence === undefined ? 0 : price(confidence);
        return { source, price: price(at!), confidence: width, time: options.timeMs ?? 0 };
      }),
      mark: 0,
      fundingRate: 0,
      settleFunding: false,
    } as unknown as Payloads["oracleUpdate"]);
  }

  /** Gives steps their nonces: next of the lane, counting those before it in the same block. */
  toTransactions(steps: readonly Step[]): Transaction[] {
    const taken = new Map<string, number>();
    return steps.map(({ action, who, payload, header }) => {
      const authority = isAuthority(who);
      const account = authority ? new AccountKey(this.genesis.authorities[who], 0) : keyOf(who);
      const { domain } = actions[action];
      const lane: Domain = header.nonceDomain ?? (domain === "any" ? "trading" : domain);
      const key = `${who} ${header.signer ?? ""} ${lane}`;
      const nonce = header.nonce ?? this.nextNonce(who, lane, header.signer) + (taken.get(key) ?? 0);
      if (header.nonce === undefined) taken.set(key, (taken.get(key) ?? 0) + 1);
      const validFrom = header.validFrom ?? this.state.height;
      return createTransaction({ action, account, payload, ...header, nonceDomain: lane, nonce, validFrom });
    });
  }

  nextNonce(who: string, lane: Domain, signer?: Address): number {
    const { state } = this;
    if (signer !== undefined && signer !== addressOf(who) && !isAuthority(who)) {
      const agent = findAgent(state, new AccountKey(signer, 0));
      const agentLane = agent === NONE ? NONE : findLane(state, findAccount(state, keyOf(who)), agent);
      if (agentLane === NONE) return 0;
      const { nonceTrading, nonceRisk, nonceFunds, nonceAdmin } = state.lanes;
      return [nonceTrading, nonceRisk, nonceFunds, nonceAdmin][DOMAINS.indexOf(lane)]?.[agentLane as never] ?? 0;
    }
    if (isAuthority(who)) return state.authorityNonces[AUTHORITIES.indexOf(who)]!;
    const row = findAccount(state, keyOf(who));
    if (row === NONE) return 0;
    const { accounts } = state;
    const lanes = [accounts.nonceTrading, accounts.nonceRisk, accounts.nonceFunds, accounts.nonceAdmin];
    return lanes[DOMAINS.indexOf(lane)]?.[row] ?? 0;
  }

  /** One block, a second after the last. */
  run(...steps: Step[]): Story {
    return this.runAt(this.state.timeMs + 1000, ...steps);
  }

  runAt(timeMs: number, ...steps: Step[]): Story {
    return this.apply(timeMs, this.toTransactions(steps));
  }

  apply(timeMs: number, transactions: readonly Transaction[]): Story {
    const { state } = this;
    const result = applyBlock(state, { height: state.height + 1, timeMs, transactions });
    const receipts = transactions.map((_, index) => result.receipts.at(index));
    const events = readEvents(result.events, result.from, result.to);
    const story: Story = {
      receipts,
      outcomes: receipts.map(({ code }) => code ?? "applied"),
      events,
      texts: result.texts.slice(),
      of: <K extends EventKind>(kind: K) => events.filter((event): event is EventOf<K> => event.kind === kind),
    };
    this.note(events);
    receipts.forEach(({ code }, index) => {
      this.reached?.names.add(`${transactions[index]!.action} ${code ?? "applied"}`);
      if (code !== undefined) this.reached?.names.add(code);
    });
    audit(state);
    this.lastStory = story;
    return story;
  }

  /** As `run`, and every step must be applied. */
  do(...steps: Step[]): Story {
    const story = this.run(...steps);
    expect(story.outcomes).toEqual(steps.map(() => "applied"));
    return story;
  }

  /** One step in a block of its own; returns its outcome. */
  try(step: Step): Outcome {
    return this.run(step).outcomes[0]!;
  }

  /** Places an order that must be applied; returns its id. */
  place(step: Step): number {
    const story = this.do(step);
    return story.receipts[0]!.results![0]!.orderId!;
  }

  row(name: string): AccountRow {
    return findAccount(this.state, keyOf(name));
  }

  marketRow(market = this.market): MarketRow {
    return this.state.marketRows.get(market)!;
  }

  positionRow(name: string, market = this.market): PositionRow {
    return getPosition(this.state, this.row(name), this.marketRow(market));
  }

  /** Collateral as text in USD. */
  usd(name: string): string {
    return formatDecimal(this.state.accounts.collateral[this.row(name)]!, 6);
  }

  /** Collateral of an isolated position as text in USD. */
  isolated(name: string, market = this.market): string {
    return formatDecimal(this.state.positions.isolated[this.positionRow(name, market)]!, 6);
  }

  isolatedHealth(name: string, market = this.market): Health {
    return { ...measureIsolated(this.state, this.positionRow(name, market)) };
  }

  /** Collateral in quote units. */
  units(name: string): number {
    return this.state.accounts.collateral[this.row(name)]!;
  }

  /** Size in lots; 0 where there is no position. */
  lots(name: string, market = this.market): number {
    const row = this.positionRow(name, market);
    return row === NONE ? 0 : this.state.positions.size[row]!;
  }

  cost(name: string, market = this.market): number {
    const row = this.positionRow(name, market);
    return row === NONE ? 0 : this.state.positions.cost[row]!;
  }

  health(name: string): Health {
    return { ...measure(this.state, this.row(name)) };
  }

  mark(market = this.market): number {
    return this.state.markets.mark[this.marketRow(market)]!;
  }

  index(market = this.market): number {
    return this.state.markets.index[this.marketRow(market)]!;
  }

  total(name: keyof typeof TOTAL): bigint {
    return this.state.totals.get(TOTAL[name]);
  }

  root(): string {
    return computeRoot(this.state);
  }

  head(): string {
    return getHead(this.state);
  }

  /** The book, bids from the best down, then asks from the best up: "side size@price account", reduce-only with "r". */
  book(market = this.market): string[] {
    const { state } = this;
    const book = state.books[this.marketRow(market)]!;
    const { orders, positions } = state;
    const lines: string[] = [];
    const walk = (from: number, next: (at: number) => number) => {
      for (let at = from; at !== 0; at = next(at)) {
        for (let order = book.head(at as never); order !== NONE; order = orders.levelNext[order]!) {
          const flags = orders.flags[order]!;
          const side = (flags & FLAG_SELL) !== 0 ? "sell" : "buy";
          const reduce = (flags & FLAG_REDUCE_ONLY) !== 0 ? "r" : "";
          const name = this.nameOf(positions.account[orders.position[order]!]!);
          lines.push(`${side}${reduce} ${orders.remaining[order]}@${at} ${name}`);
        }
      }
    };
    walk(book.bestBid, (at) => book.below(at as never));
    walk(book.bestAsk, (at) => book.above(at as never));
    return lines;
  }

  /** Fills of a story: "size@price maker>taker". */
  fills(story: Story): string[] {
    return story
      .of("fill")
      .map(
        (fill) =>
          `${fill.size}@${fill.price} ${this.nameOf(fill.makerAccount as AccountRow)}>${this.nameOf(fill.takerAccount as AccountRow)}`,
      );
  }

  /** Cancellations of a story: "size account". */
  cancels(story: Story, cause?: number): string[] {
    return story
      .of("orderCancelled")
      .filter((event) => cause === undefined || event.cause === cause)
      .map((event) => `${event.remaining} ${this.nameOf(event.account as AccountRow)}`);
  }

  nameOf(row: AccountRow): string {
    const { accounts, owners } = this.state;
    const owner = accounts.owner[row]!;
    const hex = [owners.w0, owners.w1, owners.w2, owners.w3, owners.w4]
      .map((word) => (word[owner]! >>> 0).toString(16).padStart(8, "0"))
      .join("");
    const name = hex
      .match(/../g)!
      .map((byte) => Number.parseInt(byte, 16))
      .filter((code) => code > 0);
    const subaccount = accounts.subaccount[row]!;
    return String.fromCharCode(...name) + (subaccount === 0 ? "" : `/${subaccount}`);
  }
}
