import type { Genesis } from "../../../../protocol/genesis.ts";

/** A venue as plain objects: the contents of its canonical form, without derived data. */
export interface FoldedVenue {
  readonly genesis: Genesis;
  height: number;
  timeMs: number;
  consumed: number;
  readonly authorityNonces: number[];
  insurance: bigint;
  fees: bigint;
  badDebt: bigint;
  inflows: bigint;
  withdrawals: bigint;
  /** The insurance fund's payments on the last UTC day with a payment, by account and by market. */
  readonly insured: { day: number; readonly accounts: Map<number, bigint>; readonly markets: Map<number, bigint> };
  /** Last height at which withdrawals are paused. */
  pausedUntil: number;
  /** Outflow caps of the current UTC hour and day: start (-1 before the first), balance then, and outflow so far. */
  readonly outflow: readonly { startMs: number; base: bigint; used: bigint }[];
  readonly markets: FoldedMarket[];
  readonly accounts: FoldedAccount[];
  readonly grants: FoldedGrant[];
  readonly lanes: FoldedLane[];
  /** Resting orders by id. */
  readonly orders: Map<number, FoldedOrder>;
  /** Notional by UTC day and by owner: an owner is numbered by the order of owners' first accounts. */
  readonly volumes: Map<number, Map<number, number>>;
  /** Intents by id. */
  readonly intents: Map<number, FoldedIntent>;
}

/** Columns of an intent by name, and its client intent id. */
export interface FoldedIntent {
  readonly values: Record<string, number>;
  readonly client: string;
}

export interface FoldedMarket {
  readonly name: string;
  definition: string;
  oracle: number;
  oracleTime: number;
  oracleConfidence: number;
  candidate: number;
  confirmations: number;
  reported: number;
  reportedTime: number;
  restarting: number;
  /** The last report of each source, in the order of sources. */
  readonly sources: { price: number; confidence: number; time: number }[];
  index: number;
  mark: number;
  basis: number;
  last: number;
  tradeHigh: number;
  tradeLow: number;
  premiumSum: number;
  premiumHigh: number;
  premiumSamples: number;
  minuteSum: number;
  minuteSamples: number;
  sampledTime: number;
  settledTime: number;
  fundingRate: number;
  fundingDue: number;
  fundingCarry: number;
  reportedRate: number;
  settleReported: number;
  pool: bigint;
  dust: number;
  initialRate: number;
  funding: bigint;
  /** Ids of resting orders by side and price, oldest first. */
  readonly levels: readonly [Map<number, number[]>, Map<number, number[]>];
}

export interface FoldedAccount {
  /** Address as five words, then the subaccount, all unsigned. */
  readonly words: readonly number[];
  readonly role: number;
  collateral: number;
  /** By domain, without `system`. */
  readonly nonces: number[];
  /** In window mode: used nonces of the trading lane. */
  readonly used: Set<number>;
  queuedSince: number;
  /** Open liquidation record of the margin account, 0 for none. */
  liquidation: number;
  cancelTime: number;
  readonly positions: Map<number, FoldedPosition>;
}

export interface FoldedGrant {
  readonly account: number;
  /** Agent's address as five words, then the id as eight, all unsigned. */
  readonly words: readonly number[];
  status: number;
  /** Scopes, the four limits, and both times. */
  readonly terms: readonly number[];
  day: number;
  used: number;
  /** Label, markets, subaccounts. */
  readonly texts: readonly string[];
}

/** Nonces of an agent for an account. */
export interface FoldedLane {
  readonly account: number;
  readonly words: readonly number[];
  readonly nonces: number[];
  readonly used: Set<number>;
}

export interface FoldedPosition {
  signedLots: number;
  cost: number;
  funding: bigint;
  fundingRemainder: number;
  cooldown: number;
  leverage: number;
  mode: number;
  /** Isolated mode: collateral of its own, and the height since which that margin account is due for liquidation. */
  isolated: number;
  queuedSince: number;
  /** Open liquidation record of the margin account, 0 for none. */
  liquidation: number;
  /** Ids of resting orders, oldest first. */
  readonly orders: number[];
}

export interface FoldedOrder {
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly reduceOnly: boolean;
  readonly postOnly: number;
  readonly selfTrade: number;
  readonly selfTradeScope: number;
  price: number;
  remaining: number;
  filled: number;
  orderCost: number;
  readonly client: string;
  goodTilHeight: number;
  goodTilTime: number;
  /** Ordinal of the order's grant, -1 for none. */
  grant: number;
}

/** An empty venue, before genesis. */
export function createFolded(genesis: Genesis): FoldedVenue {
  return {
    genesis,
    height: 0,
    timeMs: genesis.timeMs,
    consumed: 1,
    authorityNonces: [0, 0, 0],
    insurance: 0n,
    fees: 0n,
    badDebt: 0n,
    inflows: 0n,
    withdrawals: 0n,
    insured: { day: 0, accounts: new Map(), markets: new Map() },
    pausedUntil: 0,
    outflow: [
      { startMs: -1, base: 0n, used: 0n },
      { startMs: -1, base: 0n, used: 0n },
    ],
    markets: [],
    accounts: [],
    grants: [],
    lanes: [],
    orders: new Map(),
    intents: new Map(),
    volumes: new Map(),
  };
}

/** The position of an account in a market; creates it if it is missing. */
export function positionOf(venue: FoldedVenue, account: number, market: number): FoldedPosition {
  const { positions } = venue.accounts[account]!;
  let position = positions.get(market);
  if (position === undefined) {
    position = {
      signedLots: 0,
      cost: 0,
      funding: 0n,
      fundingRemainder: 0,
      cooldown: 0,
      leverage: 0,
      mode: 0,
      isolated: 0,
      queuedSince: 0,
      liquidation: 0,
      orders: [],
    };
    positions.set(market, position);
  }
  return position;
}

export function addOrder(venue: FoldedVenue, id: number, order: FoldedOrder): void {
  venue.orders.set(id, order);
  positionOf(venue, order.account, order.market).orders.push(id);
  enterLevel(venue, id, order);
}

export function removeOrder(venue: FoldedVenue, id: number): void {
  const order = venue.orders.get(id)!;
  leaveLevel(venue, id, order);
  venue.orders.delete(id);
  drop(positionOf(venue, order.account, order.market).orders, id);
}

/** Moves an order to the end of the queue at a price, which may be its current price. */
export function requeueOrder(venue: FoldedVenue, id: number, price: number): void {
  const order = venue.orders.get(id)!;
  leaveLevel(venue, id, order);
  order.price = price;
  enterLevel(venue, id, order);
}

function enterLevel(venue: FoldedVenue, id: number, { market, side, price }: FoldedOrder): void {
  const level = venue.markets[market]!.levels[side]!;
  const queue = level.get(price);
  if (queue === undefined) level.set(price, [id]);
  else queue.push(id);
}

function leaveLevel(venue: FoldedVenue, id: number, { market, side, price }: FoldedOrder): void {
  const level = venue.markets[market]!.levels[side]!;
  const queue = level.get(price)!;
  drop(queue, id);
  if (queue.length === 0) level.delete(price);
}

function drop(list: number[], id: number): void {
  list.splice(list.indexOf(id), 1);
}

/** The number of an account's owner, counted by the owners' first accounts. */
export function ownerOf(venue: FoldedVenue, account: number): number {
  const nameOf = ({ words }: FoldedAccount) => words.slice(0, 5).join();
  return [...new Set(venue.accounts.map(nameOf))].indexOf(nameOf(venue.accounts[account]!));
}
