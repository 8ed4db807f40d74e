// Generated from src/protocol/events.ts by `npm run generate`. Do not edit.
import { EventBuffer } from "./eventBuffer.ts";

/** Writes events as columns of doubles: the place of the kind, then its fields. `+ 0` turns -0 into 0. */
export class EventWriters extends EventBuffer {
  /** An account was created. */
  accountCreated(event: {
    account: number;
    w0: number;
    w1: number;
    w2: number;
    w3: number;
    w4: number;
    subaccount: number;
    role: number;
  }): void {
    const at = this.begin(9);
    const data = this.data;
    data[at] = 0;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.w0 + 0;
    data[at + 3] = event.w1 + 0;
    data[at + 4] = event.w2 + 0;
    data[at + 5] = event.w3 + 0;
    data[at + 6] = event.w4 + 0;
    data[at + 7] = event.subaccount + 0;
    data[at + 8] = event.role + 0;
  }

  /** A committed transaction used its nonce. `account` is -1 - k for the k-th authority; `next` is the next nonce. */
  nonceAdvanced(event: { account: number; domain: number; next: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 1;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.domain + 0;
    data[at + 3] = event.next + 0;
  }

  /**
   * Collateral of a margin account changed outside fills and funding; `marginAccount` is the market of an isolated
   * position, -1 for cross.
   */
  balanceChanged(event: {
    account: number;
    delta: number;
    collateral: number;
    cause: number;
    marginAccount: number;
  }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 2;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.delta + 0;
    data[at + 3] = event.collateral + 0;
    data[at + 4] = event.cause + 0;
    data[at + 5] = event.marginAccount + 0;
  }

  /**
   * An order rests in the order book. `filled` is the size that an amended order filled before it lost its place.
   * `selfTrade` and `selfTradeScope` apply when an amendment makes the order a taker.
   */
  orderOpened(event: {
    order: number;
    account: number;
    market: number;
    side: number;
    reduceOnly: number;
    postOnly: number;
    selfTrade: number;
    selfTradeScope: number;
    price: number;
    remaining: number;
    filled: number;
    orderCost: number;
    client: number;
    goodTilHeight: number;
    goodTilTime: number;
  }): void {
    const at = this.begin(16);
    const data = this.data;
    data[at] = 3;
    data[at + 1] = event.order + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.side + 0;
    data[at + 5] = event.reduceOnly + 0;
    data[at + 6] = event.postOnly + 0;
    data[at + 7] = event.selfTrade + 0;
    data[at + 8] = event.selfTradeScope + 0;
    data[at + 9] = event.price + 0;
    data[at + 10] = event.remaining + 0;
    data[at + 11] = event.filled + 0;
    data[at + 12] = event.orderCost + 0;
    data[at + 13] = event.client + 0;
    data[at + 14] = event.goodTilHeight + 0;
    data[at + 15] = event.goodTilTime + 0;
  }

  /**
   * Price, size or expiry of a resting order changed. `requeued` is 1 if the order lost its place. `rests` is 0 if the
   * order left the book and enters as a new order: its fills follow, and `orderOpened` if a part of it rests. Then
   * `remaining` is the size before those fills, and `orderCost` is 0 (ORD-4).
   */
  orderAmended(event: {
    order: number;
    account: number;
    market: number;
    price: number;
    remaining: number;
    orderCost: number;
    requeued: number;
    rests: number;
    goodTilHeight: number;
    goodTilTime: number;
  }): void {
    const at = this.begin(11);
    const data = this.data;
    data[at] = 4;
    data[at + 1] = event.order + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.price + 0;
    data[at + 5] = event.remaining + 0;
    data[at + 6] = event.orderCost + 0;
    data[at + 7] = event.requeued + 0;
    data[at + 8] = event.rests + 0;
    data[at + 9] = event.goodTilHeight + 0;
    data[at + 10] = event.goodTilTime + 0;
  }

  /** The venue made a resting order smaller in place. */
  orderResized(event: { order: number; remaining: number; orderCost: number; cause: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 5;
    data[at + 1] = event.order + 0;
    data[at + 2] = event.remaining + 0;
    data[at + 3] = event.orderCost + 0;
    data[at + 4] = event.cause + 0;
  }

  /** The rest of an order was cancelled. The order may never have rested. */
  orderCancelled(event: { order: number; account: number; market: number; remaining: number; cause: number }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 6;
    data[at + 1] = event.order + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.remaining + 0;
    data[at + 5] = event.cause + 0;
  }

  /** A taker met a maker at the maker's price. */
  fill(event: {
    market: number;
    price: number;
    size: number;
    value: number;
    takerSide: number;
    makerOrder: number;
    makerAccount: number;
    makerRemaining: number;
    makerOrderCost: number;
    makerFee: number;
    takerOrder: number;
    takerAccount: number;
    takerFee: number;
    liquidation: number;
  }): void {
    const at = this.begin(15);
    const data = this.data;
    data[at] = 7;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.price + 0;
    data[at + 3] = event.size + 0;
    data[at + 4] = event.value + 0;
    data[at + 5] = event.takerSide + 0;
    data[at + 6] = event.makerOrder + 0;
    data[at + 7] = event.makerAccount + 0;
    data[at + 8] = event.makerRemaining + 0;
    data[at + 9] = event.makerOrderCost + 0;
    data[at + 10] = event.makerFee + 0;
    data[at + 11] = event.takerOrder + 0;
    data[at + 12] = event.takerAccount + 0;
    data[at + 13] = event.takerFee + 0;
    data[at + 14] = event.liquidation + 0;
  }

  /** A position after a fill or a close, with the collateral of its margin account after it. */
  positionChanged(event: {
    account: number;
    market: number;
    size: number;
    cost: number;
    fundingHigh: number;
    fundingLow: number;
    fundingRemainder: number;
    realized: number;
    collateral: number;
  }): void {
    const at = this.begin(10);
    const data = this.data;
    data[at] = 8;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.market + 0;
    data[at + 3] = event.size + 0;
    data[at + 4] = event.cost + 0;
    data[at + 5] = event.fundingHigh + 0;
    data[at + 6] = event.fundingLow + 0;
    data[at + 7] = event.fundingRemainder + 0;
    data[at + 8] = event.realized + 0;
    data[at + 9] = event.collateral + 0;
  }

  /** The owner chose a leverage (0 for none yet) or a margin mode, cross or isolated. */
  marginChanged(event: { account: number; market: number; leverage: number; mode: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 9;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.market + 0;
    data[at + 3] = event.leverage + 0;
    data[at + 4] = event.mode + 0;
  }

  /** Collateral moved between two accounts. */
  transferred(event: { from: number; to: number; amount: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 10;
    data[at + 1] = event.from + 0;
    data[at + 2] = event.to + 0;
    data[at + 3] = event.amount + 0;
  }

  /** Collateral was deposited. */
  deposited(event: { account: number; amount: number; reference: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 11;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.amount + 0;
    data[at + 3] = event.reference + 0;
  }

  /** The faucet minted simulated collateral. */
  minted(event: { account: number; amount: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 12;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.amount + 0;
  }

  /** Collateral was withdrawn. */
  withdrawn(event: { account: number; amount: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 13;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.amount + 0;
  }

  /** A market was created. */
  marketCreated(event: { market: number; name: number; definition: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 14;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.name + 0;
    data[at + 3] = event.definition + 0;
  }

  /** Parameters or status of a market changed. */
  marketChanged(event: { market: number; definition: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 15;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.definition + 0;
  }

  /**
   * Reference prices were reported; 0 for a price that was not reported or not taken. A `candidate` waits for its
   * confirmations. With `settle`, funding is settled at `rate` in this block.
   */
  oracleUpdated(event: {
    market: number;
    price: number;
    confidence: number;
    candidate: number;
    confirmations: number;
    reported: number;
    rate: number;
    settle: number;
    timeMs: number;
  }): void {
    const at = this.begin(10);
    const data = this.data;
    data[at] = 16;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.price + 0;
    data[at + 3] = event.confidence + 0;
    data[at + 4] = event.candidate + 0;
    data[at + 5] = event.confirmations + 0;
    data[at + 6] = event.reported + 0;
    data[at + 7] = event.rate + 0;
    data[at + 8] = event.settle + 0;
    data[at + 9] = event.timeMs + 0;
  }

  /** Index, mark and the average basis of the mark after the block's update. */
  pricesMoved(event: { market: number; index: number; mark: number; basis: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 17;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.index + 0;
    data[at + 3] = event.mark + 0;
    data[at + 4] = event.basis + 0;
  }

  /** A recorded trade of the house with itself: it moved the last price. */
  printed(event: { market: number; side: number; price: number; size: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 18;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.side + 0;
    data[at + 3] = event.price + 0;
    data[at + 4] = event.size + 0;
  }

  /**
   * A premium sample was taken. `sum` and `sumHigh` (in 2^52) are the samples of the interval, summed by the market's
   * funding method; `dydx` sums those of a minute first.
   */
  fundingSampled(event: {
    market: number;
    premium: number;
    sum: number;
    sumHigh: number;
    samples: number;
    minuteSum: number;
    minuteSamples: number;
    timeMs: number;
  }): void {
    const at = this.begin(9);
    const data = this.data;
    data[at] = 19;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.premium + 0;
    data[at + 3] = event.sum + 0;
    data[at + 4] = event.sumHigh + 0;
    data[at + 5] = event.samples + 0;
    data[at + 6] = event.minuteSum + 0;
    data[at + 7] = event.minuteSamples + 0;
    data[at + 8] = event.timeMs + 0;
  }

  /**
   * A funding payment moved the market's cumulative index; `due` is left for later blocks, `carry` is the remainder of
   * dividing the rate. `settledMs` is the time up to which funding is paid.
   */
  fundingAccrued(event: {
    market: number;
    rate: number;
    due: number;
    carry: number;
    indexHigh: number;
    indexLow: number;
    settledMs: number;
  }): void {
    const at = this.begin(8);
    const data = this.data;
    data[at] = 20;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.rate + 0;
    data[at + 3] = event.due + 0;
    data[at + 4] = event.carry + 0;
    data[at + 5] = event.indexHigh + 0;
    data[at + 6] = event.indexLow + 0;
    data[at + 7] = event.settledMs + 0;
  }

  /** A position paid (positive) or received (negative) its funding since its last settlement. */
  fundingSettled(event: {
    account: number;
    market: number;
    payment: number;
    collateral: number;
    fundingHigh: number;
    fundingLow: number;
    fundingRemainder: number;
  }): void {
    const at = this.begin(8);
    const data = this.data;
    data[at] = 21;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.market + 0;
    data[at + 3] = event.payment + 0;
    data[at + 4] = event.collateral + 0;
    data[at + 5] = event.fundingHigh + 0;
    data[at + 6] = event.fundingLow + 0;
    data[at + 7] = event.fundingRemainder + 0;
  }

  /** A market's funding pool went to its dust account. */
  dustChanged(event: { market: number; delta: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 22;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.delta + 0;
  }

  /** The insurance fund received or paid. */
  insuranceChanged(event: { delta: number; cause: number; market: number; account: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 23;
    data[at + 1] = event.delta + 0;
    data[at + 2] = event.cause + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.account + 0;
  }

  /** Bad debt was booked or repaid. */
  badDebtChanged(event: { delta: number; account: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 24;
    data[at + 1] = event.delta + 0;
    data[at + 2] = event.account + 0;
  }

  /**
   * The first step of a liquidation: a margin account is below maintenance. Its record begins here. `equity` and
   * `maintenance` are its own at that moment, after its funding.
   */
  liquidationStarted(event: {
    liquidation: number;
    account: number;
    marginAccount: number;
    equity: number;
    maintenance: number;
  }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 25;
    data[at + 1] = event.liquidation + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.marginAccount + 0;
    data[at + 4] = event.equity + 0;
    data[at + 5] = event.maintenance + 0;
  }

  /**
   * A liquidation entered a stage. `cooldownMs` is the time from which the position may be closed further.
   * `bankruptcyPrice` is the bankruptcy value of the whole position per unit of base: zero or negative if a sale would
   * cost the account money, or a purchase bring it money. `recovered` and `completed` end the record.
   */
  liquidationStage(event: {
    liquidation: number;
    account: number;
    stage: number;
    market: number;
    cooldownMs: number;
    bankruptcyPrice: number;
    marginAccount: number;
  }): void {
    const at = this.begin(8);
    const data = this.data;
    data[at] = 26;
    data[at + 1] = event.liquidation + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.stage + 0;
    data[at + 4] = event.market + 0;
    data[at + 5] = event.cooldownMs + 0;
    data[at + 6] = event.bankruptcyPrice + 0;
    data[at + 7] = event.marginAccount + 0;
  }

  /**
   * A margin account to be liquidated waits for the next block. `since` is the height from which it waits, 0 when it no
   * longer waits.
   */
  liquidationQueued(event: { account: number; marginAccount: number; since: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 27;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.marginAccount + 0;
    data[at + 3] = event.since + 0;
  }

  /**
   * Two positions were closed against each other outside the book. `value` is what the liquidated account receives for
   * `size`: positive if it sells, negative if it buys.
   */
  deleveraged(event: {
    liquidation: number;
    way: number;
    market: number;
    account: number;
    counterparty: number;
    size: number;
    value: number;
  }): void {
    const at = this.begin(8);
    const data = this.data;
    data[at] = 28;
    data[at + 1] = event.liquidation + 0;
    data[at + 2] = event.way + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.account + 0;
    data[at + 5] = event.counterparty + 0;
    data[at + 6] = event.size + 0;
    data[at + 7] = event.value + 0;
  }

  /**
   * A margin account that held the opposite side paid a share of a deficit. `marginAccount` is the market of an
   * isolated position, -1 for cross.
   */
  lossSocialized(event: { liquidation: number; account: number; marginAccount: number; amount: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 29;
    data[at + 1] = event.liquidation + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.marginAccount + 0;
    data[at + 4] = event.amount + 0;
  }

  /**
   * A backstop sent lots of a position that it took over into the order book. `cooldownMs` is the time from which it
   * may send more.
   */
  backstopUnwound(event: {
    liquidation: number;
    account: number;
    market: number;
    lots: number;
    cooldownMs: number;
  }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 30;
    data[at + 1] = event.liquidation + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.lots + 0;
    data[at + 5] = event.cooldownMs + 0;
  }

  /** An intent was placed: it is armed, or waits for fills of its entry order. The order that it places has its id. */
  intentPlaced(event: {
    intent: number;
    group: number;
    entry: number;
    account: number;
    market: number;
    way: number;
    state: number;
    side: number;
    reduceOnly: number;
    size: number;
    fraction: number;
    source: number;
    trigger: number;
    extreme: number;
    trail: number;
    trailRate: number;
    orderType: number;
    price: number;
    slippage: number;
    timeInForce: number;
    postOnly: number;
    selfTrade: number;
    selfTradeScope: number;
    startMs: number;
    intervalMs: number;
    slices: number;
    goodTilHeight: number;
    goodTilTime: number;
    authorization: number;
    client: number;
  }): void {
    const at = this.begin(31);
    const data = this.data;
    data[at] = 31;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.group + 0;
    data[at + 3] = event.entry + 0;
    data[at + 4] = event.account + 0;
    data[at + 5] = event.market + 0;
    data[at + 6] = event.way + 0;
    data[at + 7] = event.state + 0;
    data[at + 8] = event.side + 0;
    data[at + 9] = event.reduceOnly + 0;
    data[at + 10] = event.size + 0;
    data[at + 11] = event.fraction + 0;
    data[at + 12] = event.source + 0;
    data[at + 13] = event.trigger + 0;
    data[at + 14] = event.extreme + 0;
    data[at + 15] = event.trail + 0;
    data[at + 16] = event.trailRate + 0;
    data[at + 17] = event.orderType + 0;
    data[at + 18] = event.price + 0;
    data[at + 19] = event.slippage + 0;
    data[at + 20] = event.timeInForce + 0;
    data[at + 21] = event.postOnly + 0;
    data[at + 22] = event.selfTrade + 0;
    data[at + 23] = event.selfTradeScope + 0;
    data[at + 24] = event.startMs + 0;
    data[at + 25] = event.intervalMs + 0;
    data[at + 26] = event.slices + 0;
    data[at + 27] = event.goodTilHeight + 0;
    data[at + 28] = event.goodTilTime + 0;
    data[at + 29] = event.authorization + 0;
    data[at + 30] = event.client + 0;
  }

  /** Fills of its entry order armed an intent, or made it larger. */
  intentArmed(event: { intent: number; size: number; trigger: number; extreme: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 32;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.size + 0;
    data[at + 3] = event.trigger + 0;
    data[at + 4] = event.extreme + 0;
  }

  /** The best price of a trailing stop moved, and its trigger with it. */
  intentTrailed(event: { intent: number; extreme: number; trigger: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 33;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.extreme + 0;
    data[at + 3] = event.trigger + 0;
  }

  /**
   * The size left of an intent changed: its sibling filled, its own order filled, or its position was closed while its
   * entry still rests.
   */
  intentResized(event: { intent: number; state: number; size: number; filled: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 34;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.state + 0;
    data[at + 3] = event.size + 0;
    data[at + 4] = event.filled + 0;
  }

  /** The watched price reached the trigger at `value`; the events of the order that is placed follow. */
  intentTriggered(event: { intent: number; account: number; market: number; value: number; size: number }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 35;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.value + 0;
    data[at + 5] = event.size + 0;
  }

  /**
   * A slice of a schedule was due. `size` is its size after its cuts, `code` the reason for a skip (-1: not skipped);
   * `filled` and `left` are of the whole schedule.
   */
  intentSliced(event: {
    intent: number;
    slice: number;
    size: number;
    filled: number;
    left: number;
    code: number;
  }): void {
    const at = this.begin(7);
    const data = this.data;
    data[at] = 36;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.slice + 0;
    data[at + 3] = event.size + 0;
    data[at + 4] = event.filled + 0;
    data[at + 5] = event.left + 0;
    data[at + 6] = event.code + 0;
  }

  /**
   * An intent is done: its order was placed and, in a group, has ended. `filled` is the filled part of the order so
   * far, `unfilled` the rest. A schedule is done after its last slice; `filled` is then the sum of its slices.
   */
  intentExecuted(event: { intent: number; account: number; market: number; filled: number; unfilled: number }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 37;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.filled + 0;
    data[at + 5] = event.unfilled + 0;
  }

  /**
   * An intent failed: its order was rejected, or its grant was revoked. `position` is the position that it would have
   * reduced and no longer protects, positive if long; 0 if there is none.
   */
  intentFailed(event: { intent: number; account: number; market: number; code: number; position: number }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 38;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.code + 0;
    data[at + 5] = event.position + 0;
  }

  /** An intent was cancelled: before it fired, or with the rest of its order. */
  intentCancelled(event: { intent: number; account: number; market: number; cause: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 39;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
    data[at + 4] = event.cause + 0;
  }

  /** An intent reached its last height or time. */
  intentExpired(event: { intent: number; account: number; market: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 40;
    data[at + 1] = event.intent + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.market + 0;
  }

  /** Highest and lowest price at which orders of intents traded in this block: triggers see them in the next. */
  intentsTraded(event: { market: number; high: number; low: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 41;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.high + 0;
    data[at + 3] = event.low + 0;
  }

  /**
   * Collateral moved between an account's cross margin account and that of an isolated position: `delta` to the
   * position.
   */
  isolatedMarginChanged(event: {
    account: number;
    market: number;
    delta: number;
    collateral: number;
    isolated: number;
    cause: number;
  }): void {
    const at = this.begin(7);
    const data = this.data;
    data[at] = 42;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.market + 0;
    data[at + 3] = event.delta + 0;
    data[at + 4] = event.collateral + 0;
    data[at + 5] = event.isolated + 0;
    data[at + 6] = event.cause + 0;
  }

  /** Open interest changed the least initial rate of a market, ppm; 0 if it sets none. */
  initialRateChanged(event: { market: number; rate: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 43;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.rate + 0;
  }

  /**
   * A scheduled cancel of all orders of an account was set. `timeMs` is its time, 0 if the schedule was removed or was
   * carried out just now.
   */
  cancelScheduled(event: { account: number; timeMs: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 44;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.timeMs + 0;
  }

  /**
   * Volume of the owner of an account on a UTC day (days since 1970), this fill included. Only while a market has fee
   * tiers.
   */
  volumeCounted(event: { account: number; day: number; volume: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 45;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.day + 0;
    data[at + 3] = event.volume + 0;
  }

  /** Volumes of the UTC days before this one are forgotten. */
  volumesForgotten(event: { day: number }): void {
    const at = this.begin(2);
    const data = this.data;
    data[at] = 46;
    data[at + 1] = event.day + 0;
  }

  /**
   * An owner authorized an agent. `i0` to `i7` are the id of the grant, `a0` to `a4` the agent's address. `scopes` has
   * a bit for each scope; a limit of -1 is none.
   */
  authorizationGranted(event: {
    authorization: number;
    account: number;
    i0: number;
    i1: number;
    i2: number;
    i3: number;
    i4: number;
    i5: number;
    i6: number;
    i7: number;
    a0: number;
    a1: number;
    a2: number;
    a3: number;
    a4: number;
    status: number;
    scopes: number;
    label: number;
    markets: number;
    subaccounts: number;
    maxOrderNotional: number;
    maxPositionNotional: number;
    maxDailyNotional: number;
    maxOpenOrders: number;
    validFrom: number;
    expiresAt: number;
  }): void {
    const at = this.begin(27);
    const data = this.data;
    data[at] = 47;
    data[at + 1] = event.authorization + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.i0 + 0;
    data[at + 4] = event.i1 + 0;
    data[at + 5] = event.i2 + 0;
    data[at + 6] = event.i3 + 0;
    data[at + 7] = event.i4 + 0;
    data[at + 8] = event.i5 + 0;
    data[at + 9] = event.i6 + 0;
    data[at + 10] = event.i7 + 0;
    data[at + 11] = event.a0 + 0;
    data[at + 12] = event.a1 + 0;
    data[at + 13] = event.a2 + 0;
    data[at + 14] = event.a3 + 0;
    data[at + 15] = event.a4 + 0;
    data[at + 16] = event.status + 0;
    data[at + 17] = event.scopes + 0;
    data[at + 18] = event.label + 0;
    data[at + 19] = event.markets + 0;
    data[at + 20] = event.subaccounts + 0;
    data[at + 21] = event.maxOrderNotional + 0;
    data[at + 22] = event.maxPositionNotional + 0;
    data[at + 23] = event.maxDailyNotional + 0;
    data[at + 24] = event.maxOpenOrders + 0;
    data[at + 25] = event.validFrom + 0;
    data[at + 26] = event.expiresAt + 0;
  }

  /** A grant became active, or ended. */
  authorizationChanged(event: { authorization: number; status: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 48;
    data[at + 1] = event.authorization + 0;
    data[at + 2] = event.status + 0;
  }

  /** An order of an agent used up daily notional; `used` is the sum of the day, counted in days since 1970. */
  authorizationUsed(event: { authorization: number; day: number; used: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 49;
    data[at + 1] = event.authorization + 0;
    data[at + 2] = event.day + 0;
    data[at + 3] = event.used + 0;
  }

  /** The order of the latest `orderOpened` rests under a grant. */
  authorizationOrder(event: { authorization: number; order: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 50;
    data[at + 1] = event.authorization + 0;
    data[at + 2] = event.order + 0;
  }

  /** An agent signed for an account for the first time: from now on it has its own nonces there. */
  laneOpened(event: {
    lane: number;
    account: number;
    a0: number;
    a1: number;
    a2: number;
    a3: number;
    a4: number;
  }): void {
    const at = this.begin(8);
    const data = this.data;
    data[at] = 51;
    data[at + 1] = event.lane + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.a0 + 0;
    data[at + 4] = event.a1 + 0;
    data[at + 5] = event.a2 + 0;
    data[at + 6] = event.a3 + 0;
    data[at + 7] = event.a4 + 0;
  }

  /** A committed transaction of an agent used a nonce of its own lane. */
  laneAdvanced(event: { lane: number; domain: number; next: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 52;
    data[at + 1] = event.lane + 0;
    data[at + 2] = event.domain + 0;
    data[at + 3] = event.next + 0;
  }

  /** A source reported its price of a market; `source` is its place in the market's list. */
  sourceReported(event: { market: number; source: number; price: number; confidence: number; timeMs: number }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 53;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.source + 0;
    data[at + 3] = event.price + 0;
    data[at + 4] = event.confidence + 0;
    data[at + 5] = event.timeMs + 0;
  }

  /** A market began to wait for a fresh price after a gap between blocks, or stopped waiting. */
  restartChanged(event: { market: number; restarting: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 54;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.restarting + 0;
  }

  /**
   * Every position of a market was closed at its settlement price; `rounding` is the rest that the closes left; the
   * dust account keeps it.
   */
  marketSettled(event: { market: number; price: number; rounding: number }): void {
    const at = this.begin(4);
    const data = this.data;
    data[at] = 55;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.price + 0;
    data[at + 3] = event.rounding + 0;
  }

  /**
   * An account that gained in a settled market paid a share of the deficits of others; `marginAccount` is as in
   * balanceChanged.
   */
  settlementHaircut(event: { market: number; account: number; marginAccount: number; amount: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 56;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.marginAccount + 0;
    data[at + 4] = event.amount + 0;
  }

  /**
   * A market's premium samples were dropped: an interval ended or started. It ends at its time, because `fundingMethod`
   * or `fundingInterval` changed, because the market stops funding, or before a gap between blocks; it starts where the
   * market funds again, and in the first block that samples the market (FND-2, FND-4). `settledMs` is the time up to
   * which funding is settled. `sampledMs` is the time at which the last sample counts as taken (0: the next is due at
   * once). `due` is the rate to pay now, ppb, and `carry` the remainder of division.
   */
  premiumsCleared(event: { market: number; settledMs: number; sampledMs: number; due: number; carry: number }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 57;
    data[at + 1] = event.market + 0;
    data[at + 2] = event.settledMs + 0;
    data[at + 3] = event.sampledMs + 0;
    data[at + 4] = event.due + 0;
    data[at + 5] = event.carry + 0;
  }

  /**
   * A committed transaction used a nonce of a trading lane with a window. `lane` is the lane of the agent, or -1 if the
   * owner signed; `next` is one more than the highest used nonce.
   */
  nonceUsed(event: { account: number; lane: number; nonce: number; next: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 58;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.lane + 0;
    data[at + 3] = event.nonce + 0;
    data[at + 4] = event.next + 0;
  }

  /**
   * The outflow cap of a UTC hour or day was reset: nothing of it is used. The halves are the collateral that the venue
   * held at that time, in quote units.
   */
  outflowOpened(event: { window: number; startMs: number; baseHigh: number; baseLow: number }): void {
    const at = this.begin(5);
    const data = this.data;
    data[at] = 59;
    data[at + 1] = event.window + 0;
    data[at + 2] = event.startMs + 0;
    data[at + 3] = event.baseHigh + 0;
    data[at + 4] = event.baseLow + 0;
  }

  /** Deficits that the insurance fund did not pay pause withdrawals up to and including this height. */
  withdrawalsPaused(event: { untilHeight: number }): void {
    const at = this.begin(2);
    const data = this.data;
    data[at] = 60;
    data[at + 1] = event.untilHeight + 0;
  }

  /**
   * The operator of a devnet set the collateral of an account: a positive `delta` is an inflow, a negative one a
   * withdrawal.
   */
  collateralSet(event: { account: number; delta: number }): void {
    const at = this.begin(3);
    const data = this.data;
    data[at] = 61;
    data[at + 1] = event.account + 0;
    data[at + 2] = event.delta + 0;
  }

  /**
   * A later step of a liquidation whose record is open. The fields are those of `liquidationStarted`, at the moment of
   * this step.
   */
  liquidationContinued(event: {
    liquidation: number;
    account: number;
    marginAccount: number;
    equity: number;
    maintenance: number;
  }): void {
    const at = this.begin(6);
    const data = this.data;
    data[at] = 62;
    data[at + 1] = event.liquidation + 0;
    data[at + 2] = event.account + 0;
    data[at + 3] = event.marginAccount + 0;
    data[at + 4] = event.equity + 0;
    data[at + 5] = event.maintenance + 0;
  }
}
