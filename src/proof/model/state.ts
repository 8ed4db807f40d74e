/**
 * The state of the model: plain objects, exact integers, each concept of the rules under its own name. Quantities
 * are in the units of the protocol: quote units (1e-6 USD), lots, ticks, reference prices of 1e-8 USD, ppm, ppb.
 */
import type { Domain } from "../../protocol/action.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { Role } from "../../protocol/words.ts";
import type { EmittedEvent } from "./emitted.ts";
import type { ModelParameters } from "./market/parameters.ts";
import type { Refusal } from "./receipts.ts";

export type Side = "buy" | "sell";

/** An account, named by its owner's address and a number (ACC). */
export interface Account {
  /** Order of creation, from 0: the "account id" of ties. */
  readonly id: number;
  readonly owner: Address;
  readonly subaccount: number;
  readonly role: Role;
  /** Cross collateral, quote units. */
  collateral: bigint;
  /** By the market's ordinal; no entry for a market that it never touched. */
  positions: Map<number, Position>;
  /** Block time at which everything of it is cancelled; 0 for none (scheduleCancel). */
  cancelTime: number;
  /** Of a backstop: collateral that it must not lose (LIQ-3). */
  reserve: bigint;
  /** Cross margin account: height from which it waits in the queue of liquidations; 0 for not (LIQ). */
  dueSince: number;
  /** Cross margin account: number of its open record of liquidation; 0 for none (LIQ). */
  record: number;
}

/** One net position, with its owner's settings for the market (POS-1, MRG-2). */
export interface Position {
  readonly account: Account;
  readonly market: Market;
  /** Lots; positive is long. */
  signedLots: bigint;
  /** Quote units paid for the open size. */
  cost: bigint;
  /**
   * The market's cumulative index up to which funding is settled, and the rounding excess of payments, 1e-9 units
   * (FND-3).
   */
  fundingIndex: bigint;
  fundingRemainder: bigint;
  /** 0 while none was chosen. */
  leverage: bigint;
  mode: "cross" | "isolated";
  /** Collateral of an isolated position. */
  isolated: bigint;
  /** Liquidation: block time before which no further chunk is sent; 0 for none (LIQ-2). */
  cooldownMs: number;
  /** Isolated margin account: height from which it waits in the queue of liquidations; 0 for not (LIQ). */
  dueSince: number;
  /** Isolated margin account: number of its open record of liquidation; 0 for none (LIQ). */
  record: number;
  /** Of a backstop: lots taken over and still to unwind, if the rules unwind them (LIQ-3). */
  takenOver: bigint;
}

/** A resting order (ORD). */
export interface Order {
  readonly id: number;
  readonly account: Account;
  readonly market: Market;
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly postOnly: boolean;
  /** The requested value: an amended order slides again or is rejected again. */
  readonly postOnlyMode: "no" | "reject" | "slide";
  readonly clientOrderId: string;
  /** Ticks. */
  price: bigint;
  /** Lots. */
  remaining: bigint;
  filled: bigint;
  /** Order cost at entry, for the remaining lots (MRG-3). */
  orderCost: bigint;
  /** 0 for none. */
  goodTilHeight: number;
  goodTilTime: number;
  /** Increases with each order that is put at the end of a level: time priority (ORD-1). */
  sequence: number;
  /** The sequence number at opening: "newest first" (ORD-2). */
  opened: number;
  /** The grant under which it rests; undefined if the owner placed it. */
  readonly grant: Grant | undefined;
  /** Self-trade terms at placement: an amendment that enters as a new order keeps both (ORD-4). */
  readonly selfTrade: SelfTrade;
  readonly selfTradeScope: "account" | "owner";
}

/** The last report of one source of a market (PRC-1). */
export interface Report {
  price: bigint;
  confidence: bigint;
  timeMs: number;
}

export interface Market {
  /** Order of creation, from 0. */
  readonly ordinal: number;
  readonly name: string;
  parameters: ModelParameters;
  /** Best first: higher bids, lower asks, then earlier sequence. */
  bids: Order[];
  asks: Order[];
  /** Ticks of the last trade, and of the last before this block; 0 for none. */
  last: bigint;
  previousLast: bigint;
  /** Lowest and highest trade of this block, ticks; 0 for none. */
  low: bigint;
  high: bigint;
  /** Raw oracle price, its confidence and time; 0 while there is none. */
  oracle: bigint;
  confidence: bigint;
  oracleMs: number;
  /** A price that waits for confirmation, and the number of reports that agreed; 0 for none. */
  candidate: bigint;
  confirmations: number;
  /** By source, in the order of `parameters.sources`. */
  reports: (Report | undefined)[];
  /** Mark reported from outside, and when; 0 for none. */
  reported: bigint;
  reportedMs: number;
  index: bigint;
  mark: bigint;
  /** Prices of the block before, for triggers (INT-1). */
  previousIndex: bigint;
  previousMark: bigint;
  /** The mark before this block moved it, for deleveraging (LIQ-5). */
  markBefore: bigint;
  /** EMA of mid - index, 1e-8 USD (PRC-3). */
  basis: bigint;
  /** True while the market restarts after a halt and waits for a fresh price (PRC-4). */
  restarting: boolean;
  funding: Funding;
  /** Least initial rate required by open interest, ppm; 0 for none. Computed once a block, with the mark (MRG-1). */
  openInterestRate: bigint;
  /** Collected less paid out (POS-4). */
  fundingPool: bigint;
  dust: bigint;
  /** Highest and lowest trade by orders of intents of the block before, ticks; 0 for none (INT-1). */
  intentHigh: bigint;
  intentLow: bigint;
  /** New exposure is not allowed: a liquidation of the market is left over (LIQ). */
  frozen: boolean;
  /** Status and pause allowed funding when the block began (FND-4). */
  fundedBefore: boolean;
}

/** Clock, samples and index of a market's funding (FND); the meaning of `sum` depends on the method. */
export interface Funding {
  /** Cumulative, 1e-9 quote units a lot. */
  index: bigint;
  /** Recorded rate, ppb, and whether it is to be settled in this block. */
  rate: bigint;
  settle: boolean;
  settledMs: number;
  sampledMs: number;
  sum: bigint;
  samples: bigint;
  minuteSum: bigint;
  minuteSamples: bigint;
  /** Amount that later blocks still have to pay, ppb, and the remainder of the rate's division. */
  due: bigint;
  carry: bigint;
}

/** A conditional intent (INT): the legs of a group are one each. */
export interface Intent {
  readonly id: number;
  /** Id of the group; its own id if it is alone. */
  readonly group: number;
  /** The entry order of oto and otoco; 0 for none. */
  readonly entry: number;
  readonly account: Account;
  readonly market: Market;
  readonly kind: "stop" | "takeProfit" | "trailingStop" | "twap" | "oco" | "oto" | "otoco";
  state: "waiting" | "armed" | "triggered";
  readonly side: Side;
  readonly reduceOnly: boolean;
  /** Lots left to trade, and lots traded. */
  lots: bigint;
  filled: bigint;
  /** ppb; 0 if the size is absolute. */
  readonly fraction: bigint;
  readonly source: "mark" | "index" | "last";
  trigger: bigint;
  extreme: bigint;
  readonly trail: bigint;
  readonly trailRate: bigint;
  readonly orderType: "limit" | "market";
  readonly price: bigint;
  readonly slippage: bigint;
  readonly timeInForce: "GTC" | "IOC" | "FOK" | "GTT";
  readonly postOnlyMode: "no" | "reject" | "slide";
  readonly selfTrade: SelfTrade;
  readonly selfTradeScope: "account" | "owner";
  readonly startMs: number;
  readonly intervalMs: number;
  readonly slices: number;
  /** Number of slices due so far. */
  slicesDone: number;
  /** A slice of it is being placed: closing the position does not end the intent halfway (INT-4). */
  isSlicing: boolean;
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  readonly grant: Grant | undefined;
  readonly clientIntentId: string;
  /** Height at which it was armed: its trigger is checked from the next height on. */
  armedHeight: number;
}

export type SelfTrade = "cancelTaker" | "cancelMaker" | "cancelBoth" | "decrement";

/** A grant to an agent (AUT). Limits of -1 are none. */
export interface Grant {
  readonly id: Bytes32;
  /** Order of creation, from 0. */
  readonly ordinal: number;
  readonly owner: Address;
  readonly agent: Address;
  readonly scopes: ReadonlySet<string>;
  /** undefined for all. */
  readonly markets: ReadonlySet<string> | undefined;
  readonly subaccounts: ReadonlySet<number> | undefined;
  readonly maxOrderNotional: bigint;
  readonly maxPositionNotional: bigint;
  readonly maxDailyNotional: bigint;
  readonly maxOpenOrders: bigint;
  readonly validFrom: number;
  readonly expiresAt: number;
  status: "scheduled" | "active" | "expired" | "revoked" | "exhausted";
  /** UTC day of `used`, days since 1970, and the amount used by orders of that day. */
  day: number;
  used: bigint;
}

/** Nonces of one signer for one account in one domain (NON). A transaction replaces it. */
export interface Lane {
  /** In sequence, the next nonce; with a window, one more than the highest used. */
  readonly next: number;
  /** Used nonces above the floor; only with a window. */
  readonly used: readonly number[];
}

/** Sums of the venue, quote units (POS-4). */
export interface Totals {
  insurance: bigint;
  fees: bigint;
  badDebt: bigint;
  inflows: bigint;
  withdrawals: bigint;
}

/** The insurance fund's payments in one UTC day (LIQ-4). */
export interface CoverDay {
  day: number;
  /** By account id and market ordinal, "account/market". */
  paid: Map<string, bigint>;
}

/** Withdrawals of one UTC hour or day (MRG-5). */
export interface OutflowWindow {
  /** Hours or days since 1970; -1 before the first. */
  number: number;
  /** Undefined for none. */
  cap: bigint | undefined;
  left: bigint;
}

/** The venue's own withdrawal gates (MRG-5). */
export interface OutflowGates {
  readonly hourly: OutflowWindow;
  readonly daily: OutflowWindow;
  /** Deficits of this block that the fund did not pay. */
  unpaid: bigint;
  /** Last height of the pause after such a deficit; 0 for none. */
  pausedUntil: number;
}

/** Functions that the model does not compute itself. */
export interface ModelTools {
  /** Id of a transaction (TX-3): names grants. */
  readonly txId: (transaction: Transaction) => Bytes32;
  /** Whether the venue killed a fill-or-kill order: called only if ORD-2 leaves the decision to the venue. */
  readonly isKilled: (orderId: number) => boolean;
  /** The transaction that another one carries, with nonce 0; undefined if the bytes are not one (NET-3). */
  readonly draftCarried: (payload: Payloads["devnetImpersonate"], height: number) => Transaction | undefined;
}

export interface ModelState {
  readonly genesis: Genesis;
  readonly tools: ModelTools;
  height: number;
  timeMs: number;
  /** Time since the block before. */
  elapsedMs: number;
  accounts: Account[];
  markets: Market[];
  /** Resting orders by id. */
  orders: Map<number, Order>;
  /** Intents that have not ended, by id. */
  intents: Map<number, Intent>;
  grants: Map<Bytes32, Grant>;
  /** By "account/subaccount/signer/domain", or "authority/system". */
  lanes: Map<string, Lane>;
  totals: Totals;
  cover: CoverDay;
  outflow: OutflowGates;
  /** Volumes of owners, by owner and UTC day (ORD-7). */
  volumes: Map<Address, Map<number, bigint>>;
  /** Number of committed transactions: order ids follow from it (ORD-4). */
  committed: number;
  /** Increases with every order that is put at the end of a level. */
  sequence: number;
  /** Events of this block. */
  emitted: EmittedEvent[];
  /** The last rejection of the current transaction, with its numbers. */
  refusal: Refusal | undefined;
  /** The fund's payments in this block (LIQ-4). */
  coveredInBlock: bigint;
}

/** The actor: the account, and the grant if an agent signs. */
export interface Actor {
  readonly account: Account;
  readonly grant: Grant | undefined;
}

/** The transaction as its action sees it. */
export interface Context {
  /** Undefined for system transactions. */
  readonly actor: Actor | undefined;
  readonly signer: Address;
  readonly domain: Domain;
  /** First of the ids reserved for the transaction's orders and intents (ORD-4). */
  readonly firstId: number;
  /** Id of the transaction; computed on demand, since the model does not hash. */
  readonly txId: () => Bytes32;
  /** Applies a transaction that this one carries (NET-3). */
  readonly carry: (transaction: Transaction) => void;
}
