/**
 * Kinds of events and their fields. An event is a record of doubles in the block's event log; this table says what they
 * are. Folding the events of a chain into an empty venue gives its state (EVT-3), so every write of the engine to its
 * state appears here. Positions and balances have their new values, totals the added amounts.
 *
 * Units of fields: `account`, `market` are ordinals (order of creation); `ticks`, `lots`, `amount` (quote units),
 * `priceE8`, `ppb` as in the engine; `text` is a place in the block's list of texts, -1 for none; `high`/`low` are the
 * halves of a 64-bit integer.
 */
import { actionEvents } from "./actions/events.ts";
import type { ActionEvent, EventDescriptor } from "./event.ts";
import { placesOf } from "./places.ts";

/** Why a balance changed where no fill or funding says so. */
export const BALANCE_CAUSES = [
  "deposit",
  "mint",
  "withdrawal",
  "transferIn",
  "transferOut",
  "liquidationFee",
  "insurance",
  "socialized",
  "badDebt",
  "devnet",
] as const;
export const BALANCE_CAUSE = /* @__PURE__ */ placesOf(BALANCE_CAUSES);

/** Why collateral moved to or from an isolated position. */
export const ISOLATED_CAUSES = ["opened", "closed", "mode", "owner"] as const;
export const ISOLATED_CAUSE = /* @__PURE__ */ placesOf(ISOLATED_CAUSES);

/** Why an order, or a part of it, left the book. */
export const CANCEL_CAUSES = [
  "owner",
  "timeInForce",
  "selfTrade",
  "reduceOnly",
  "priceBand",
  "margin",
  "positionLimit",
  "openInterest",
  "liquidation",
  "replaced",
  "numericLimit",
  "expired",
  "intent",
  "scheduled",
  "revoked",
  "settlement",
  "exposureFrozen",
] as const;
export const CANCEL_CAUSE = /* @__PURE__ */ placesOf(CANCEL_CAUSES);

/** Why the insurance fund changed. */
export const INSURANCE_CAUSES = ["seed", "funded", "liquidationFee", "cover", "deficit", "debtRepaid"] as const;
export const INSURANCE_CAUSE = /* @__PURE__ */ placesOf(INSURANCE_CAUSES);

/** Stages of a liquidation record. */
export const LIQUIDATION_STAGES = [
  "open",
  "bookClosing",
  "recovered",
  "completed",
  "backstop",
  "insuranceCover",
  "deleveraging",
  "socialized",
] as const;
export const LIQUIDATION_STAGE = /* @__PURE__ */ placesOf(LIQUIDATION_STAGES);

/** Why an intent ended without firing. */
export const INTENT_CAUSES = [
  "owner",
  "sibling",
  "entry",
  "position",
  "liquidation",
  "market",
  "authorization",
] as const;
export const INTENT_CAUSE = /* @__PURE__ */ placesOf(INTENT_CAUSES);

/** How two accounts were matched outside the book. */
export const CLOSE_KINDS = ["deleveraging", "closeOut", "takeover", "previousMark"] as const;
export const CLOSE_KIND = /* @__PURE__ */ placesOf(CLOSE_KINDS);

const venueEvents = {
  accountCreated: {
    code: 0,
    doc: "An account was created.",
    fields: {
      account: "account",
      w0: "word32",
      w1: "word32",
      w2: "word32",
      w3: "word32",
      w4: "word32",
      subaccount: "count",
      role: "word",
    },
  },
  nonceAdvanced: {
    code: 1,
    doc: "A committed transaction used its nonce. `account` is -1 - k for the k-th authority; `next` is the next nonce.",
    fields: { account: "account", domain: "word", next: "count" },
  },
  balanceChanged: {
    code: 2,
    doc: "Collateral of a margin account changed outside fills and funding; `marginAccount` is the market of an isolated position, -1 for cross.",
    notZero: ["delta"],
    fields: { account: "account", delta: "amount", collateral: "amount", cause: "word", marginAccount: "market" },
  },
  orderOpened: {
    code: 3,
    doc: "An order rests in the order book. `filled` is the size that an amended order filled before it lost its place. `selfTrade` and `selfTradeScope` apply when an amendment makes the order a taker.",
    fields: {
      order: "order",
      account: "account",
      market: "market",
      side: "word",
      reduceOnly: "flag",
      postOnly: "word",
      selfTrade: "word",
      selfTradeScope: "word",
      price: "ticks",
      remaining: "lots",
      filled: "lots",
      orderCost: "amount",
      client: "text",
      goodTilHeight: "count",
      goodTilTime: "timeMs",
    },
  },
  orderAmended: {
    code: 4,
    doc: "Price, size or expiry of a resting order changed. `requeued` is 1 if the order lost its place. `rests` is 0 if the order left the book and enters as a new order: its fills follow, and `orderOpened` if a part of it rests. Then `remaining` is the size before those fills, and `orderCost` is 0 (ORD-4).",
    fields: {
      order: "order",
      account: "account",
      market: "market",
      price: "ticks",
      remaining: "lots",
      orderCost: "amount",
      requeued: "flag",
      rests: "flag",
      goodTilHeight: "count",
      goodTilTime: "timeMs",
    },
  },
  orderResized: {
    code: 5,
    doc: "The venue made a resting order smaller in place.",
    fields: { order: "order", remaining: "lots", orderCost: "amount", cause: "word" },
  },
  orderCancelled: {
    code: 6,
    doc: "The rest of an order was cancelled. The order may never have rested.",
    fields: { order: "order", account: "account", market: "market", remaining: "lots", cause: "word" },
  },
  fill: {
    code: 7,
    doc: "A taker met a maker at the maker's price.",
    fields: {
      market: "market",
      price: "ticks",
      size: "lots",
      value: "amount",
      takerSide: "word",
      makerOrder: "order",
      makerAccount: "account",
      makerRemaining: "lots",
      makerOrderCost: "amount",
      makerFee: "amount",
      takerOrder: "order",
      takerAccount: "account",
      takerFee: "amount",
      liquidation: "liquidation",
    },
  },
  positionChanged: {
    code: 8,
    doc: "A position after a fill or a close, with the collateral of its margin account after it.",
    fields: {
      account: "account",
      market: "market",
      size: "lots",
      cost: "amount",
      fundingHigh: "high",
      fundingLow: "low",
      fundingRemainder: "count",
      realized: "amount",
      collateral: "amount",
    },
  },
  marginChanged: {
    code: 9,
    doc: "The owner chose a leverage (0 for none yet) or a margin mode, cross or isolated.",
    fields: { account: "account", market: "market", leverage: "count", mode: "word" },
  },
  marketCreated: {
    code: 14,
    doc: "A market was created.",
    fields: { market: "market", name: "text", definition: "text" },
  },
  marketChanged: {
    code: 15,
    doc: "Parameters or status of a market changed.",
    fields: { market: "market", definition: "text" },
  },
  oracleUpdated: {
    code: 16,
    doc: "Reference prices were reported; 0 for a price that was not reported or not taken. A `candidate` waits for its confirmations. With `settle`, funding is settled at `rate` in this block.",
    fields: {
      market: "market",
      price: "priceE8",
      confidence: "priceE8",
      candidate: "priceE8",
      confirmations: "count",
      reported: "priceE8",
      rate: "ppb",
      settle: "flag",
      timeMs: "timeMs",
    },
  },
  pricesMoved: {
    code: 17,
    doc: "Index, mark and the average basis of the mark after the block's update.",
    fields: { market: "market", index: "priceE8", mark: "priceE8", basis: "priceE8" },
  },
  printed: {
    code: 18,
    doc: "A recorded trade of the house with itself: it moved the last price.",
    fields: { market: "market", side: "word", price: "ticks", size: "lots" },
  },
  fundingSampled: {
    code: 19,
    doc: "A premium sample was taken. `sum` and `sumHigh` (in 2^52) are the samples of the interval, summed by the market's funding method; `dydx` sums those of a minute first.",
    fields: {
      market: "market",
      premium: "ppb",
      sum: "count",
      sumHigh: "count",
      samples: "count",
      minuteSum: "ppb",
      minuteSamples: "count",
      timeMs: "timeMs",
    },
  },
  fundingAccrued: {
    code: 20,
    doc: "A funding payment moved the market's cumulative index; `due` is left for later blocks, `carry` is the remainder of dividing the rate. `settledMs` is the time up to which funding is paid.",
    fields: {
      market: "market",
      rate: "ppb",
      due: "ppb",
      carry: "count",
      indexHigh: "high",
      indexLow: "low",
      settledMs: "timeMs",
    },
  },
  fundingSettled: {
    code: 21,
    doc: "A position paid (positive) or received (negative) its funding since its last settlement.",
    fields: {
      account: "account",
      market: "market",
      payment: "amount",
      collateral: "amount",
      fundingHigh: "high",
      fundingLow: "low",
      fundingRemainder: "count",
    },
  },
  dustChanged: {
    code: 22,
    doc: "A market's funding pool went to its dust account.",
    notZero: ["delta"],
    fields: { market: "market", delta: "amount" },
  },
  insuranceChanged: {
    code: 23,
    doc: "The insurance fund received or paid.",
    notZero: ["delta"],
    fields: { delta: "amount", cause: "word", market: "market", account: "account" },
  },
  badDebtChanged: {
    code: 24,
    doc: "Bad debt was booked or repaid.",
    notZero: ["delta"],
    fields: { delta: "amount", account: "account" },
  },
  liquidationStarted: {
    code: 25,
    doc: "The first step of a liquidation: a margin account is below maintenance. Its record begins here. `equity` and `maintenance` are its own at that moment, after its funding.",
    fields: {
      liquidation: "liquidation",
      account: "account",
      marginAccount: "market",
      equity: "amount",
      maintenance: "amount",
    },
  },
  liquidationStage: {
    code: 26,
    doc: "A liquidation entered a stage. `cooldownMs` is the time from which the position may be closed further. `bankruptcyPrice` is the bankruptcy value of the whole position per unit of base: zero or negative if a sale would cost the account money, or a purchase bring it money. `recovered` and `completed` end the record.",
    fields: {
      liquidation: "liquidation",
      account: "account",
      stage: "word",
      market: "market",
      cooldownMs: "timeMs",
      bankruptcyPrice: "priceE8",
      marginAccount: "market",
    },
  },
  liquidationQueued: {
    code: 27,
    doc: "A margin account to be liquidated waits for the next block. `since` is the height from which it waits, 0 when it no longer waits.",
    fields: { account: "account", marginAccount: "market", since: "count" },
  },
  deleveraged: {
    code: 28,
    doc: "Two positions were closed against each other outside the book. `value` is what the liquidated account receives for `size`: positive if it sells, negative if it buys.",
    notZero: ["size"],
    fields: {
      liquidation: "liquidation",
      way: "word",
      market: "market",
      account: "account",
      counterparty: "account",
      size: "lots",
      value: "amount",
    },
  },
  lossSocialized: {
    code: 29,
    doc: "A margin account that held the opposite side paid a share of a deficit. `marginAccount` is the market of an isolated position, -1 for cross.",
    notZero: ["amount"],
    fields: { liquidation: "liquidation", account: "account", marginAccount: "market", amount: "amount" },
  },
  backstopUnwound: {
    code: 30,
    doc: "A backstop sent lots of a position that it took over into the order book. `cooldownMs` is the time from which it may send more.",
    notZero: ["lots"],
    fields: { liquidation: "liquidation", account: "account", market: "market", lots: "lots", cooldownMs: "timeMs" },
  },
  intentPlaced: {
    code: 31,
    doc: "An intent was placed: it is armed, or waits for fills of its entry order. The order that it places has its id.",
    fields: {
      intent: "intent",
      group: "intent",
      entry: "order",
      account: "account",
      market: "market",
      way: "word",
      state: "word",
      side: "word",
      reduceOnly: "flag",
      size: "lots",
      fraction: "ppb",
      source: "word",
      trigger: "priceE8",
      extreme: "priceE8",
      trail: "priceE8",
      trailRate: "ppb",
      orderType: "word",
      price: "ticks",
      slippage: "ppb",
      timeInForce: "word",
      postOnly: "word",
      selfTrade: "word",
      selfTradeScope: "word",
      startMs: "timeMs",
      intervalMs: "count",
      slices: "count",
      goodTilHeight: "count",
      goodTilTime: "timeMs",
      authorization: "count",
      client: "text",
    },
  },
  intentArmed: {
    code: 32,
    doc: "Fills of its entry order armed an intent, or made it larger.",
    fields: { intent: "intent", size: "lots", trigger: "priceE8", extreme: "priceE8" },
  },
  intentTrailed: {
    code: 33,
    doc: "The best price of a trailing stop moved, and its trigger with it.",
    fields: { intent: "intent", extreme: "priceE8", trigger: "priceE8" },
  },
  intentResized: {
    code: 34,
    doc: "The size left of an intent changed: its sibling filled, its own order filled, or its position was closed while its entry still rests.",
    fields: { intent: "intent", state: "word", size: "lots", filled: "lots" },
  },
  intentTriggered: {
    code: 35,
    doc: "The watched price reached the trigger at `value`; the events of the order that is placed follow.",
    fields: { intent: "intent", account: "account", market: "market", value: "priceE8", size: "lots" },
  },
  intentSliced: {
    code: 36,
    doc: "A slice of a schedule was due. `size` is its size after its cuts, `code` the reason for a skip (-1: not skipped); `filled` and `left` are of the whole schedule.",
    fields: { intent: "intent", slice: "count", size: "lots", filled: "lots", left: "lots", code: "code" },
  },
  intentExecuted: {
    code: 37,
    doc: "An intent is done: its order was placed and, in a group, has ended. `filled` is the filled part of the order so far, `unfilled` the rest. A schedule is done after its last slice; `filled` is then the sum of its slices.",
    fields: { intent: "intent", account: "account", market: "market", filled: "lots", unfilled: "lots" },
  },
  intentFailed: {
    code: 38,
    doc: "An intent failed: its order was rejected, or its grant was revoked. `position` is the position that it would have reduced and no longer protects, positive if long; 0 if there is none.",
    fields: { intent: "intent", account: "account", market: "market", code: "code", position: "lots" },
  },
  intentCancelled: {
    code: 39,
    doc: "An intent was cancelled: before it fired, or with the rest of its order.",
    fields: { intent: "intent", account: "account", market: "market", cause: "word" },
  },
  intentExpired: {
    code: 40,
    doc: "An intent reached its last height or time.",
    fields: { intent: "intent", account: "account", market: "market" },
  },
  intentsTraded: {
    code: 41,
    doc: "Highest and lowest price at which orders of intents traded in this block: triggers see them in the next.",
    notZero: ["high", "low"],
    fields: { market: "market", high: "ticks", low: "ticks" },
  },
  isolatedMarginChanged: {
    code: 42,
    doc: "Collateral moved between an account's cross margin account and that of an isolated position: `delta` to the position.",
    notZero: ["delta"],
    fields: {
      account: "account",
      market: "market",
      delta: "amount",
      collateral: "amount",
      isolated: "amount",
      cause: "word",
    },
  },
  initialRateChanged: {
    code: 43,
    doc: "Open interest changed the least initial rate of a market, ppm; 0 if it sets none.",
    fields: { market: "market", rate: "count" },
  },
  cancelScheduled: {
    code: 44,
    doc: "A scheduled cancel of all orders of an account was set. `timeMs` is its time, 0 if the schedule was removed or was carried out just now.",
    fields: { account: "account", timeMs: "timeMs" },
  },
  volumeCounted: {
    code: 45,
    doc: "Volume of the owner of an account on a UTC day (days since 1970), this fill included. Only while a market has fee tiers.",
    notZero: ["volume"],
    fields: { account: "account", day: "count", volume: "amount" },
  },
  volumesForgotten: {
    code: 46,
    doc: "Volumes of the UTC days before this one are forgotten.",
    fields: { day: "count" },
  },
  authorizationGranted: {
    code: 47,
    doc: "An owner authorized an agent. `i0` to `i7` are the id of the grant, `a0` to `a4` the agent's address. `scopes` has a bit for each scope; a limit of -1 is none.",
    fields: {
      authorization: "authorization",
      account: "account",
      i0: "word32",
      i1: "word32",
      i2: "word32",
      i3: "word32",
      i4: "word32",
      i5: "word32",
      i6: "word32",
      i7: "word32",
      a0: "word32",
      a1: "word32",
      a2: "word32",
      a3: "word32",
      a4: "word32",
      status: "word",
      scopes: "count",
      label: "text",
      markets: "text",
      subaccounts: "text",
      maxOrderNotional: "amount",
      maxPositionNotional: "amount",
      maxDailyNotional: "amount",
      maxOpenOrders: "count",
      validFrom: "timeMs",
      expiresAt: "timeMs",
    },
  },
  authorizationChanged: {
    code: 48,
    doc: "A grant became active, or ended.",
    fields: { authorization: "authorization", status: "word" },
  },
  authorizationUsed: {
    code: 49,
    doc: "An order of an agent used up daily notional; `used` is the sum of the day, counted in days since 1970.",
    fields: { authorization: "authorization", day: "count", used: "amount" },
  },
  authorizationOrder: {
    code: 50,
    doc: "The order of the latest `orderOpened` rests under a grant.",
    fields: { authorization: "authorization", order: "order" },
  },
  laneOpened: {
    code: 51,
    doc: "An agent signed for an account for the first time: from now on it has its own nonces there.",
    fields: {
      lane: "count",
      account: "account",
      a0: "word32",
      a1: "word32",
      a2: "word32",
      a3: "word32",
      a4: "word32",
    },
  },
  laneAdvanced: {
    code: 52,
    doc: "A committed transaction of an agent used a nonce of its own lane.",
    fields: { lane: "count", domain: "word", next: "count" },
  },
  sourceReported: {
    code: 53,
    doc: "A source reported its price of a market; `source` is its place in the market's list.",
    fields: { market: "market", source: "count", price: "priceE8", confidence: "priceE8", timeMs: "timeMs" },
  },
  restartChanged: {
    code: 54,
    doc: "A market began to wait for a fresh price after a gap between blocks, or stopped waiting.",
    fields: { market: "market", restarting: "flag" },
  },
  marketSettled: {
    code: 55,
    doc: "Every position of a market was closed at its settlement price; `rounding` is the rest that the closes left; the dust account keeps it.",
    fields: { market: "market", price: "priceE8", rounding: "amount" },
  },
  settlementHaircut: {
    code: 56,
    doc: "An account that gained in a settled market paid a share of the deficits of others; `marginAccount` is as in balanceChanged.",
    notZero: ["amount"],
    fields: { market: "market", account: "account", marginAccount: "market", amount: "amount" },
  },
  premiumsCleared: {
    code: 57,
    doc: "A market's premium samples were dropped: an interval ended or started. It ends at its time, because `fundingMethod` or `fundingInterval` changed, because the market stops funding, or before a gap between blocks; it starts where the market funds again, and in the first block that samples the market (FND-2, FND-4). `settledMs` is the time up to which funding is settled. `sampledMs` is the time at which the last sample counts as taken (0: the next is due at once). `due` is the rate to pay now, ppb, and `carry` the remainder of division.",
    fields: { market: "market", settledMs: "timeMs", sampledMs: "timeMs", due: "ppb", carry: "count" },
  },
  nonceUsed: {
    code: 58,
    doc: "A committed transaction used a nonce of a trading lane with a window. `lane` is the lane of the agent, or -1 if the owner signed; `next` is one more than the highest used nonce.",
    fields: { account: "account", lane: "count", nonce: "count", next: "count" },
  },
  outflowOpened: {
    code: 59,
    doc: "The outflow cap of a UTC hour or day was reset: nothing of it is used. The halves are the collateral that the venue held at that time, in quote units.",
    fields: { window: "word", startMs: "timeMs", baseHigh: "high", baseLow: "low" },
  },
  withdrawalsPaused: {
    code: 60,
    doc: "Deficits that the insurance fund did not pay pause withdrawals up to and including this height.",
    fields: { untilHeight: "count" },
  },
  collateralSet: {
    code: 61,
    doc: "The operator of a devnet set the collateral of an account: a positive `delta` is an inflow, a negative one a withdrawal.",
    notZero: ["delta"],
    fields: { account: "account", delta: "amount" },
  },
  liquidationContinued: {
    code: 62,
    doc: "A later step of a liquidation whose record is open. The fields are those of `liquidationStarted`, at the moment of this step.",
    fields: {
      liquidation: "liquidation",
      account: "account",
      marginAccount: "market",
      equity: "amount",
      maintenance: "amount",
    },
  },
} as const satisfies Readonly<Record<string, EventDescriptor>>;

/** Every kind of event: those of steps and of several actions, and those of one action, which are in its definition. */
export const events = { ...venueEvents, ...actionEvents };

export type EventKind = keyof typeof events;
/** By code. */
export const EVENT_KINDS = (Object.keys(events) as EventKind[]).sort(
  (one, other) => events[one].code - events[other].code,
);
export const EVENT_CODES = Object.fromEntries(EVENT_KINDS.map((kind, code) => [kind, code])) as {
  readonly [K in EventKind]: number;
};

/** Kinds of the events of one action that report a movement of collateral, by `amount`. */
export type MoveKind = keyof typeof actionEvents;
/** What such an event does to the collateral in the venue. */
export const MOVES: Readonly<Record<MoveKind, ActionEvent["moves"]>> = Object.fromEntries(
  Object.entries(actionEvents).map(([kind, { moves }]) => [kind, moves]),
) as Record<MoveKind, ActionEvent["moves"]>;

/** Kinds whose collateral moves one of these ways. */
export function listMoves(...ways: readonly ActionEvent["moves"][]): MoveKind[] {
  return (Object.keys(MOVES) as MoveKind[]).filter((kind) => ways.includes(MOVES[kind]));
}

/** An event as an object: its kind and its fields as numbers. */
export type VenueEvent = {
  [K in EventKind]: { readonly kind: K } & { readonly [F in keyof (typeof events)[K]["fields"]]: number };
}[EventKind];
export type EventOf<K extends EventKind> = Extract<VenueEvent, { kind: K }>;
