import type { Complete } from "../../../../protocol/complete.ts";
import {
  INSURANCE_CAUSE,
  LIQUIDATION_STAGE,
  MOVES,
  type MoveKind,
  type VenueEvent,
} from "../../../../protocol/events.ts";
import { applyGrantEvent } from "./applyGrantEvent.ts";
import { applyIntentEvent } from "./applyIntentEvent.ts";
import { fail } from "./foldError.ts";
import {
  addOrder,
  type FoldedMarket,
  type FoldedVenue,
  ownerOf,
  positionOf,
  removeOrder,
  requeueOrder,
} from "./folded.ts";

/**
 * Folds one event into a venue (EVT-3). It copies the event's values and applies no rule of the venue. Values that an
 * event carries twice (a change and the value after it) must agree.
 *
 * @param texts of the event's block
 * @throws FoldError
 */
export function applyEvent(venue: FoldedVenue, event: VenueEvent, texts: readonly string[]): void {
  const { markets, accounts } = venue;
  if (isMove(event)) {
    applyMove(venue, event);
    return;
  }
  switch (event.kind) {
    case "accountCreated": {
      if (event.account !== accounts.length) fail(event, `account ${accounts.length} was expected`);
      const words = [event.w0, event.w1, event.w2, event.w3, event.w4, event.subaccount].map((word) => word >>> 0);
      const nonces = [0, 0, 0, 0];
      const { role } = event;
      const used = new Set<number>();
      accounts.push({
        words,
        role,
        collateral: 0,
        nonces,
        used,
        queuedSince: 0,
        liquidation: 0,
        cancelTime: 0,
        positions: new Map(),
      });
      return;
    }
    case "nonceAdvanced": {
      venue.consumed++;
      const lanes = event.account < 0 ? venue.authorityNonces : accounts[event.account]!.nonces;
      const lane = event.account < 0 ? -1 - event.account : event.domain;
      if (event.next !== lanes[lane]! + 1) fail(event, `nonce ${lanes[lane]} was next`);
      lanes[lane] = event.next;
      return;
    }
    case "nonceUsed": {
      venue.consumed++;
      const { nonces, used } = event.lane < 0 ? accounts[event.account]! : venue.lanes[event.lane]!;
      if (used.has(event.nonce)) fail(event, "the nonce was used before");
      const next = Math.max(nonces[0]!, event.nonce + 1);
      if (event.next !== next) fail(event, `nonce ${next} is next`);
      used.add(event.nonce);
      nonces[0] = next;
      return;
    }
    case "balanceChanged":
      setCollateral(venue, event, event.account, event.marginAccount, event.delta, event.collateral);
      return;
    case "fundingSettled": {
      const position = positionOf(venue, event.account, event.market);
      const marginAccount = position.mode === 0 ? -1 : event.market;
      setCollateral(venue, event, event.account, marginAccount, -event.payment, event.collateral);
      position.funding = join(event.fundingHigh, event.fundingLow);
      position.fundingRemainder = event.fundingRemainder;
      markets[event.market]!.pool += BigInt(event.payment);
      return;
    }
    case "positionChanged": {
      const position = positionOf(venue, event.account, event.market);
      position.signedLots = event.size;
      position.cost = event.cost;
      position.funding = join(event.fundingHigh, event.fundingLow);
      position.fundingRemainder = event.fundingRemainder;
      if (event.size === 0) position.cooldown = 0;
      if (position.mode === 0) accounts[event.account]!.collateral = event.collateral;
      else position.isolated = event.collateral;
      return;
    }
    case "marginChanged": {
      const position = positionOf(venue, event.account, event.market);
      position.leverage = event.leverage;
      position.mode = event.mode;
      return;
    }
    case "isolatedMarginChanged":
      setCollateral(venue, event, event.account, -1, -event.delta, event.collateral);
      setCollateral(venue, event, event.account, event.market, event.delta, event.isolated);
      return;
    case "collateralSet":
      if (event.delta > 0) venue.inflows += BigInt(event.delta);
      else venue.withdrawals -= BigInt(event.delta);
      return;
    case "outflowOpened": {
      const { startMs, baseHigh, baseLow } = event;
      Object.assign(venue.outflow[event.window]!, { startMs, base: join(baseHigh, baseLow), used: 0n });
      return;
    }
    case "withdrawalsPaused":
      venue.pausedUntil = event.untilHeight;
      return;
    case "insuranceChanged":
      venue.insurance += BigInt(event.delta);
      if (event.cause === INSURANCE_CAUSE.seed || event.cause === INSURANCE_CAUSE.funded) {
        venue.inflows += BigInt(event.delta);
      } else if (event.cause === INSURANCE_CAUSE.cover || event.cause === INSURANCE_CAUSE.deficit) {
        countInsured(venue, event.account, event.market, -event.delta);
      }
      return;
    case "badDebtChanged":
      venue.badDebt += BigInt(event.delta);
      return;
    case "liquidationStarted":
      setRecord(venue, event.account, event.marginAccount, event.liquidation);
      return;
    case "liquidationContinued":
      return;
    case "liquidationStage": {
      const ends = event.stage === LIQUIDATION_STAGE.recovered || event.stage === LIQUIDATION_STAGE.completed;
      if (ends) setRecord(venue, event.account, event.marginAccount, 0);
      const position = event.market < 0 ? undefined : accounts[event.account]!.positions.get(event.market);
      if (position !== undefined && position.signedLots !== 0) position.cooldown = event.cooldownMs;
      return;
    }
    case "backstopUnwound": {
      positionOf(venue, event.account, event.market).cooldown = event.cooldownMs;
      return;
    }
    case "volumeCounted": {
      const owner = ownerOf(venue, event.account);
      const days = venue.volumes.get(owner) ?? new Map<number, number>();
      venue.volumes.set(owner, days.set(event.day, event.volume));
      return;
    }
    case "volumesForgotten":
      for (const [owner, days] of venue.volumes) {
        for (const day of days.keys()) if (day < event.day) days.delete(day);
        if (days.size === 0) venue.volumes.delete(owner);
      }
      return;
    case "cancelScheduled":
      accounts[event.account]!.cancelTime = event.timeMs;
      return;
    case "liquidationQueued":
      if (event.marginAccount < 0) accounts[event.account]!.queuedSince = event.since;
      else positionOf(venue, event.account, event.marginAccount).queuedSince = event.since;
      return;
    case "deleveraged":
    case "lossSocialized":
    case "settlementHaircut":
      return; // their balances and positions change by events of their own
    case "authorizationGranted":
    case "authorizationChanged":
    case "authorizationUsed":
    case "authorizationOrder":
    case "laneOpened":
    case "laneAdvanced":
      applyGrantEvent(venue, event, texts);
      return;
    case "orderOpened":
    case "orderAmended":
    case "orderResized":
    case "orderCancelled":
    case "fill":
      applyOrderEvent(venue, event, texts);
      return;
    case "intentPlaced":
    case "intentArmed":
    case "intentTrailed":
    case "intentResized":
    case "intentTriggered":
    case "intentSliced":
    case "intentExecuted":
    case "intentFailed":
    case "intentCancelled":
    case "intentExpired":
      applyIntentEvent(venue, event, texts);
      return;
    default: {
      const last: Complete<
        MarketEvent,
        Exclude<(typeof event)["kind"], MarketEvent["kind"]>,
        "fold/applyEvent.ts has no case for the event"
      > = event;
      applyMarketEvent(venue, last, texts);
    }
  }
}

type MoveEvent = Extract<VenueEvent, { kind: MoveKind }>;

function isMove(event: VenueEvent): event is MoveEvent {
  return Object.hasOwn(MOVES, event.kind);
}

/** Balances change by events of their own. */
function applyMove(venue: FoldedVenue, { kind, amount }: MoveEvent): void {
  if (MOVES[kind] === "in") venue.inflows += BigInt(amount);
  if (MOVES[kind] === "out") venue.withdrawals += BigInt(amount);
  if (kind !== "withdrawn") return;
  for (const window of venue.outflow) if (window.startMs >= 0) window.used += BigInt(amount);
}

type OrderEvent = Extract<
  VenueEvent,
  { kind: "orderOpened" | "orderAmended" | "orderResized" | "orderCancelled" | "fill" }
>;

function applyOrderEvent(venue: FoldedVenue, event: OrderEvent, texts: readonly string[]): void {
  switch (event.kind) {
    case "orderOpened": {
      if (venue.orders.has(event.order)) fail(event, "the order is already resting");
      const { account, market, side, postOnly, selfTrade, selfTradeScope } = event;
      const { price, remaining, filled, orderCost, goodTilHeight, goodTilTime } = event;
      const client = event.client < 0 ? "" : texts[event.client]!;
      const reduceOnly = event.reduceOnly === 1;
      addOrder(venue, event.order, {
        account,
        market,
        side,
        reduceOnly,
        postOnly,
        selfTrade,
        selfTradeScope,
        price,
        remaining,
        filled,
        orderCost,
        client,
        goodTilHeight,
        goodTilTime,
        grant: -1,
      });
      return;
    }
    case "orderAmended":
    case "orderResized": {
      const order = venue.orders.get(event.order) ?? fail(event, "the order does not rest");
      if (event.kind === "orderAmended" && (event.account !== order.account || event.market !== order.market))
        fail(event, `it is an order of account ${order.account} in market ${order.market}`);
      if (event.kind === "orderAmended" && event.rests === 0) {
        removeOrder(venue, event.order);
        return;
      }
      if (event.kind === "orderAmended" && event.requeued === 1) requeueOrder(venue, event.order, event.price);
      else if (event.kind === "orderAmended" && event.price !== order.price) fail(event, `it rests at ${order.price}`);
      order.remaining = event.remaining;
      order.orderCost = event.orderCost;
      if (event.kind === "orderAmended") {
        order.goodTilHeight = event.goodTilHeight;
        order.goodTilTime = event.goodTilTime;
      }
      return;
    }
    case "orderCancelled": {
      const order = venue.orders.get(event.order); // one that never rested is not there
      if (order === undefined) return;
      if (order.remaining !== event.remaining) fail(event, `${order.remaining} lots were left`);
      removeOrder(venue, event.order);
      return;
    }
    case "fill": {
      const order = venue.orders.get(event.makerOrder) ?? fail(event, "the maker's order does not rest");
      if (order.price !== event.price) fail(event, `the maker's order rests at ${order.price}`);
      if (order.remaining - event.size !== event.makerRemaining) fail(event, `${order.remaining} lots were left`);
      order.remaining = event.makerRemaining;
      order.orderCost = event.makerOrderCost;
      order.filled += event.size;
      if (order.remaining === 0) removeOrder(venue, event.makerOrder);
      venue.fees += BigInt(event.makerFee) + BigInt(event.takerFee);
      venue.markets[event.market]!.last = event.price;
    }
  }
}

type MarketEvent = Extract<
  VenueEvent,
  {
    kind:
      | "marketCreated"
      | "marketChanged"
      | "oracleUpdated"
      | "pricesMoved"
      | "sourceReported"
      | "restartChanged"
      | "printed"
      | "fundingSampled"
      | "fundingAccrued"
      | "premiumsCleared"
      | "dustChanged"
      | "marketSettled"
      | "intentsTraded"
      | "initialRateChanged";
  }
>;

function applyMarketEvent(venue: FoldedVenue, event: MarketEvent, texts: readonly string[]): void {
  const { markets } = venue;
  if (event.kind === "marketCreated") {
    if (event.market !== markets.length) fail(event, `market ${markets.length} was expected`);
    markets.push({
      name: texts[event.name]!,
      definition: texts[event.definition]!,
      oracle: 0,
      oracleTime: 0,
      oracleConfidence: 0,
      candidate: 0,
      confirmations: 0,
      reported: 0,
      reportedTime: 0,
      restarting: 0,
      sources: countSources(texts[event.definition]!),
      index: 0,
      mark: 0,
      basis: 0,
      last: 0,
      tradeHigh: 0,
      tradeLow: 0,
      premiumSum: 0,
      premiumHigh: 0,
      premiumSamples: 0,
      minuteSum: 0,
      minuteSamples: 0,
      sampledTime: 0,
      settledTime: 0,
      fundingRate: 0,
      fundingDue: 0,
      fundingCarry: 0,
      reportedRate: 0,
      settleReported: 0,
      pool: 0n,
      dust: 0,
      initialRate: 0,
      funding: 0n,
      levels: [new Map(), new Map()],
    });
    return;
  }
  const market = markets[event.market]!;
  switch (event.kind) {
    case "marketChanged":
      market.definition = texts[event.definition]!;
      return;
    case "oracleUpdated":
      if (event.price !== 0) {
        market.oracle = event.price;
        market.oracleTime = event.timeMs;
        market.oracleConfidence = event.confidence;
      }
      market.candidate = event.candidate;
      market.confirmations = event.confirmations;
      if (event.reported !== 0) {
        market.reported = event.reported;
        market.reportedTime = event.timeMs;
      }
      // The mark for settlement belongs to this block only and is cleared when the block ends.
      if (event.settle === 1) market.reportedRate = event.rate;
      return;
    case "pricesMoved":
      market.index = event.index;
      market.mark = event.mark;
      market.basis = event.basis;
      return;
    case "sourceReported":
      market.sources[event.source] = { price: event.price, confidence: event.confidence, time: event.timeMs };
      return;
    case "restartChanged":
      market.restarting = event.restarting;
      return;
    case "printed":
      market.last = event.price;
      return;
    case "intentsTraded":
      market.tradeHigh = event.high;
      market.tradeLow = event.low;
      return;
    case "fundingSampled":
      market.premiumSum = event.sum;
      market.premiumHigh = event.sumHigh;
      market.premiumSamples = event.samples;
      market.minuteSum = event.minuteSum;
      market.minuteSamples = event.minuteSamples;
      market.sampledTime = event.timeMs;
      return;
    case "premiumsCleared":
      market.premiumSum = 0;
      market.premiumHigh = 0;
      market.premiumSamples = 0;
      market.minuteSum = 0;
      market.minuteSamples = 0;
      market.settledTime = event.settledMs;
      market.sampledTime = event.sampledMs;
      market.fundingDue = event.due;
      market.fundingCarry = event.carry;
      return;
    case "fundingAccrued":
      market.fundingRate = event.rate;
      market.fundingDue = event.due;
      market.fundingCarry = event.carry;
      market.funding = join(event.indexHigh, event.indexLow);
      market.settledTime = event.settledMs;
      return;
    case "marketSettled":
      market.dust += event.rounding;
      return;
    case "initialRateChanged":
      market.initialRate = event.rate;
      return;
    case "dustChanged":
      market.dust += event.delta;
      market.pool -= BigInt(event.delta);
      return;
    default: {
      const none: Complete<never, (typeof event)["kind"], "fold/applyEvent.ts has no case for the event"> = event;
      throw new Error(`no case for ${none}`);
    }
  }
}

/** Payments of the fund are summed by UTC day of block time. */
function countInsured({ insured, timeMs }: FoldedVenue, account: number, market: number, paid: number): void {
  const day = Math.floor(timeMs / 86_400_000);
  if (day !== insured.day) {
    insured.accounts.clear();
    insured.markets.clear();
    insured.day = day;
  }
  insured.accounts.set(account, (insured.accounts.get(account) ?? 0n) + BigInt(paid));
  insured.markets.set(market, (insured.markets.get(market) ?? 0n) + BigInt(paid));
}

/** @param marginAccount market of an isolated position, -1 for the account's cross margin account */
/** Empty reports, one for each source that a definition names. */
function countSources(definition: string): FoldedMarket["sources"] {
  const line = definition.split("\n").find((text) => text.startsWith("sources="))!;
  const names = line.slice("sources=".length);
  return names === "" ? [] : names.split(" ").map(() => ({ price: 0, confidence: 0, time: 0 }));
}

function setCollateral(
  venue: FoldedVenue,
  event: VenueEvent,
  account: number,
  marginAccount: number,
  delta: number,
  after: number,
): void {
  const position = marginAccount < 0 ? undefined : positionOf(venue, account, marginAccount);
  const before = position === undefined ? venue.accounts[account]!.collateral : position.isolated;
  if (before + delta !== after) fail(event, `collateral was ${before}`);
  if (position === undefined) venue.accounts[account]!.collateral = after;
  else position.isolated = after;
}

function join(high: number, low: number): bigint {
  return (BigInt(high) << 32n) + BigInt(low);
}

/** Sets the open liquidation record of a margin account; 0 for none. */
function setRecord(venue: FoldedVenue, account: number, marginAccount: number, record: number): void {
  if (marginAccount < 0) venue.accounts[account]!.liquidation = record;
  else positionOf(venue, account, marginAccount).liquidation = record;
}
