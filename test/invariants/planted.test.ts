import { describe, expect, test } from "vitest";
import { NONE } from "../../src/collections/table.ts";
import { getClientOrderId } from "../../src/engine/book/extras.ts";
import { getHead } from "../../src/engine/commitment/root.ts";
import { forkVenue } from "../../src/engine/forkRecord.ts";
import { getPredictedRate } from "../../src/engine/funding/predictedRate.ts";
import { collectDue } from "../../src/engine/liquidation/queue.ts";
import { measureBucket } from "../../src/engine/margin/health.ts";
import { getLiquidationPrice } from "../../src/engine/margin/liquidationPrice.ts";
import {
  type AccountRow,
  FLAG_AGENT,
  FLAG_EXPIRES,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type MarketRow,
  type OrderRow,
  type PositionRow,
} from "../../src/engine/state/schema.ts";
import { forkState, type State } from "../../src/engine/state/state.ts";
import { TOTAL } from "../../src/engine/state/totals.ts";
import { findUnbound } from "../../src/invariants/admission/signatureBindsFields.ts";
import { findMixedUp } from "../../src/invariants/chain/forksStandApart.ts";
import type { Answer, Invariant, Step } from "../../src/invariants/defineInvariant.ts";
import { exactValue } from "../../src/invariants/exact/health.ts";
import { listAccounts, listOrders, listPositions, positionsOf } from "../../src/invariants/exact/walk.ts";
import { findMispredicted } from "../../src/invariants/funding/predictedAsPaid.ts";
import { findDependence as findOrderDependence } from "../../src/invariants/funding/settlingOrder.ts";
import { findLatePrice } from "../../src/invariants/liquidation/liquidationPriceIsFirst.ts";
import { invariants } from "../../src/invariants/list.ts";
import { findUnhelped } from "../../src/invariants/margin/collateralHelps.ts";
import { findDependence as findTradeDependence } from "../../src/invariants/positions/equityIgnoresTrades.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import {
  BALANCE_CAUSE,
  CLOSE_KIND,
  INSURANCE_CAUSE,
  LIQUIDATION_STAGE,
  type VenueEvent,
} from "../../src/protocol/events.ts";
import { liquidationOf } from "../../src/protocol/liquidationId.ts";
import { ZERO_BYTES32 } from "../../src/protocol/transaction.ts";
import { createDigester } from "../../src/protocol/typedDataDigest.ts";
import { LIQUIDATION_POLICY, MARKET_STATUS, ROLE } from "../../src/protocol/words.ts";
import { findMoment, type Moment } from "../helpers/flows.ts";

/** Columns as plain lists, to plant what their types forbid. */
type Loose = Record<number, number>;
const loose = (column: unknown) => column as Loose;

/** A venue in which everything that invariants look at is there. */
const rich = findMoment(({ state }) => {
  const open = listPositions(state).filter((at) => state.positions.size[at] !== 0);
  const closing = open.find((at) => findClosing(state, at) !== undefined);
  const named = listOrders(state).some((row) => getClientOrderId(state, row) !== "");
  const twoSided = state.books.some(({ bestBid, bestAsk }) => bestBid !== 0 && bestAsk !== 0);
  const holders = new Set(open.map((at) => state.positions.account[at]));
  return closing !== undefined && named && twoSided && holders.size >= 3 && listOrders(state).length >= 6;
});

/** An order of a position on the side that closes it, and can be planted as reduce-only. */
function findClosing(state: State, at: PositionRow): OrderRow | undefined {
  const size = state.positions.size[at]!;
  return listOrders(state).find((row) => {
    const flags = state.orders.flags[row]!;
    const sells = (flags & FLAG_SELL) !== 0;
    return state.orders.position[row] === at && (flags & FLAG_REDUCE_ONLY) === 0 && sells === size > 0;
  });
}

const firstOpen = (state: State) => listPositions(state).find((at) => state.positions.size[at] !== 0)!;
const firstOrder = (state: State) => listOrders(state)[0]!;
const marketWith = (state: State, isWanted: (market: number) => boolean) =>
  state.books.findIndex((_book, market) => isWanted(market));

interface Plant {
  readonly fault: string;
  /** A moment to plant in, where the rich one does not do. */
  readonly at?: () => Moment;
  /** Plants in a fork of the moment's state, or in its step: returns the step to look at where that is another. */
  plant(state: State, step: Step): Step | void;
  /** Looks with a faulty part of the engine instead. */
  readonly look?: (state: State, step: Step) => Answer;
}

const eventStep = (step: Step, events: readonly unknown[]): Step => ({ ...step, events: events as VenueEvent[] });

/** Where the trigger of an intent was reached. */
const triggered = () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "intentTriggered"));
/** A block with a fill, and no change of a market in it, which would leave its fees open. */
const filled = () =>
  findMoment(({ step }) => {
    const kinds = new Set(step.events.map(({ kind }) => kind));
    return kinds.has("fill") && !kinds.has("marketChanged");
  });
/** A market that is over. */
const settledMarket = (state: State) => state.parameters.findIndex(({ status }) => status === MARKET_STATUS.settled);
const settled = () => findMoment(({ state }) => settledMarket(state) >= 0);
/** Where the fund pays for nobody who is solvent. */
const strict = () =>
  findMoment(({ state }) =>
    state.parameters.every(
      ({ closeOut, liquidationPolicy }) => closeOut === 0 && liquidationPolicy === LIQUIDATION_POLICY.perplab,
    ),
  );
const quietCalm = () =>
  findMoment(({ state }) => {
    const fork = forkState(state);
    const due = collectDue(fork);
    return due.length === 0 && findArmed(fork) !== undefined;
  });

/** An armed position whose account is not to be looked at in the next pass. */
function armedOf(state: State): PositionRow {
  collectDue(state);
  return findArmed(state)!;
}

/** An armed short: there is always a mark that it does not survive, which a long without leverage has not. */
function findArmed(state: State): PositionRow | undefined {
  const { positions } = state;
  return listPositions(state).find((at) => positions.heapPlace[at] !== NONE && positions.size[at]! < 0);
}

const opened = (equity: number, maintenance: number) => ({
  kind: "liquidationStarted",
  liquidation: 7,
  account: 1,
  bucket: -1,
  equity,
  maintenance,
});
const stageOf = (stage: keyof typeof LIQUIDATION_STAGE) => ({
  kind: "liquidationStage",
  liquidation: 7,
  account: 1,
  stage: LIQUIDATION_STAGE[stage],
  market: 0,
});
/** The events as of a record that begins in the block of the state. */
const recordOf = ({ height }: State, ...told: object[]) =>
  told.map((event) => ({ ...event, liquidation: liquidationOf(height, 60_000) }));
const takenOver = (counterparty: number) => ({
  kind: "deleveraged",
  liquidation: 7,
  way: CLOSE_KIND.takeover,
  market: 0,
  account: 1,
  counterparty,
  size: 1,
});
/** A turn that leaves something open, of somebody who has nothing to do with another's. */
const turned = () =>
  findMoment(({ step: { events } }) => {
    const started = events.filter(({ kind }) => kind === "liquidationStarted");
    const plain = events.every(
      ({ kind }) => kind !== "deleveraged" && kind !== "lossSocialized" && kind !== "backstopUnwound",
    );
    const ended = events.some(
      (event) => event.kind === "liquidationStage" && event.stage === LIQUIDATION_STAGE.completed,
    );
    return started.length === 1 && plain && !ended;
  });
/** A venue with a backstop, in a market of its own policy. */
const backed = () =>
  findMoment(
    ({ state }) => state.backstops.length > 0 && state.parameters[0]!.liquidationPolicy === LIQUIDATION_POLICY.perplab,
  );

/** The same where it stays near the oracle price. */
const near = () =>
  findMoment(
    ({ state }) =>
      state.backstops.length > 0 &&
      state.markets.oracle[0 as MarketRow]! > 0 &&
      state.parameters[0]!.takeoverDistance === 0,
  );

const granted = () => findMoment(({ state }) => state.authorizations.rows.high > 0);
const windowed = () =>
  findMoment(({ step }) => step.events.some((event) => event.kind === "nonceUsed" && event.lane < 0));
/** In an hour with a cap, that did not begin in this block. */
const capped = () =>
  findMoment(({ state, step }) => {
    const [hour] = state.outflow.windows;
    return hour!.isCapped() && !step.events.some(({ kind }) => kind === "outflowOpened");
  });
/** A fund of some size, a tenth of which a market may be paid. */
const insured = () => findMoment(({ step }) => step.before.totals.get(TOTAL.insurance) > 1000n);
const paidOut = (delta: number, market: number, { accounts }: State) => ({
  kind: "insuranceChanged",
  delta,
  cause: INSURANCE_CAUSE.cover,
  market,
  account: accounts.rows.high - 1,
});

const plants: Readonly<Record<string, readonly Plant[]>> = {
  storable: [
    { fault: "collateral beyond the limit", plant: ({ accounts }) => void (loose(accounts.collateral)[0] = 9e15 + 2) },
    { fault: "half a lot", plant: (state) => void (loose(state.positions.size)[firstOpen(state)]! += 0.5) },
    { fault: "minus zero", plant: (state) => void (loose(state.orders.charge)[firstOrder(state)] = -0) },
    { fault: "not a number", plant: ({ markets }) => void (loose(markets.mark)[0] = Number.NaN) },
  ],
  indexes: [
    { fault: "an order without its id", plant: (state) => state.orderIndex.remove(state.orders, firstOrder(state)) },
    { fault: "names forgotten", plant: ({ clients }) => clients.orders.clear() },
    { fault: "extras that no order has", plant: ({ extras }) => void extras.rows.allocate() },
    {
      fault: "an expiry that the flags do not tell of",
      plant: (state) => void (loose(state.orders.flags)[firstOrder(state)]! ^= FLAG_EXPIRES),
    },
    {
      fault: "a grant that the order does not have",
      plant: (state) => void (loose(state.orders.flags)[firstOrder(state)]! ^= FLAG_AGENT),
    },
    {
      fault: "two orders with the same extras",
      plant(state) {
        const named = listOrders(state).find((row) => getClientOrderId(state, row) !== "")!;
        const other = listOrders(state).find((row) => row !== named)!;
        state.orders.extra[other] = state.orders.extra[named]!;
      },
    },
    {
      fault: "extras with nothing in them",
      plant(state) {
        const plain = listOrders(state).find((row) => state.orders.extra[row] === NONE)!;
        state.orders.extra[plain] = state.extras.rows.allocate();
      },
    },
    {
      fault: "a queue with a broken link",
      plant: (state) => void (loose(state.orders.levelPrevious)[firstOrder(state)] = firstOrder(state)),
    },
    { fault: "an order at another price", plant: (state) => void loose(state.orders.price)[firstOrder(state)]!++ },
    {
      fault: "a position whose orders are lost",
      plant: (state) => void (loose(state.positions.orders)[state.orders.position[firstOrder(state)]!] = NONE),
    },
    { fault: "a position off its account's list", plant: (state) => loseFirstPosition(state) },
    { fault: "a flat position at a cost", plant: (state) => void (loose(state.positions.size)[firstOpen(state)] = 0) },
  ],
  bookUncrossed: [
    {
      fault: "a bid at the best ask",
      plant(state) {
        const market = marketWith(state, (at) => state.books[at]!.bestBid !== 0 && state.books[at]!.bestAsk !== 0);
        const { bestBid, bestAsk } = state.books[market]!;
        loose(state.orders.price)[state.books[market]!.head(bestBid)] = bestAsk;
      },
    },
    {
      fault: "a best bid that is not the best",
      plant(state) {
        const book = state.books.find(({ bestBid }) => bestBid !== 0)!;
        book.bestBid = (book.bestBid - 1) as typeof book.bestBid;
      },
    },
  ],
  reserves: (["buys", "sells", "buyCharge", "sellCharge", "reduceOnly", "orderCount"] as const).map((name) => ({
    fault: `one too much in ${name}`,
    plant: (state: State) => void loose(state.positions[name])[firstOpen(state)]!++,
  })),
  reduceOnlyWithin: [
    {
      fault: "more than the position",
      plant(state) {
        const at = listPositions(state).find(
          (position) => findClosing(state, position) !== undefined && state.positions.size[position] !== 0,
        )!;
        const order = findClosing(state, at)!;
        loose(state.orders.flags)[order]! |= FLAG_REDUCE_ONLY;
        loose(state.orders.remaining)[order] = Math.abs(state.positions.size[at]!) + 1;
      },
    },
    {
      fault: "on the opening side",
      plant(state) {
        const order = firstOrder(state);
        loose(state.orders.flags)[order]! |= FLAG_REDUCE_ONLY;
        loose(state.positions.size)[state.orders.position[order]!] =
          (state.orders.flags[order]! & FLAG_SELL) !== 0 ? -5 : 5;
      },
    },
  ],
  grantsWithin: [
    {
      fault: "a resting order too many",
      at: granted,
      plant: ({ authorizations }) => void loose(authorizations.openOrders)[0]!++,
    },
    {
      fault: "a day beyond its limit",
      at: granted,
      plant: ({ authorizations }) => {
        loose(authorizations.maxDailyNotional)[0] = 5;
        loose(authorizations.used)[0] = 6;
      },
    },
    {
      fault: "a grant that ended long ago",
      at: granted,
      plant: ({ authorizations }) => {
        loose(authorizations.status)[0] = 1;
        loose(authorizations.expiresAt)[0] = 1;
      },
    },
  ],
  settledIsOver: [
    {
      fault: "a position left open",
      at: settled,
      plant(state) {
        const at = listPositions(state).find((row) => state.positions.size[row] !== 0);
        if (at === undefined) loose(state.markets.openInterest)[settledMarket(state)] = 1;
        else loose(state.positions.market)[at] = settledMarket(state);
      },
    },
    {
      fault: "a mark that moved",
      at: settled,
      plant: (state) => void loose(state.markets.mark)[settledMarket(state)]!++,
    },
    {
      fault: "a haircut larger than the gain",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "positionChanged", account: 1, market: 0, size: 0, realized: 5 },
          { kind: "settlementHaircut", account: 1, market: 0, bucket: -1, amount: 6 },
        ]),
    },
  ],
  equityIgnoresTrades: [
    {
      fault: "equity by the last trade",
      plant: () => {},
      look: (state, step) =>
        findTradeDependence(state, step, (venue, account, bucket) => {
          const health = measureBucket(venue, account, bucket);
          health.equity += venue.markets.last[0 as never]!;
          return health;
        }),
    },
  ],
  collateralHelps: [
    {
      fault: "collateral that counts twice",
      plant: () => {},
      look: (state, step) =>
        findUnhelped(state, step, (venue, account, bucket) => {
          const health = measureBucket(venue, account, bucket);
          health.equity += venue.accounts.collateral[account]!;
          return health;
        }),
    },
  ],
  signatureBindsFields: (["header.validUntil", "header.subaccount", "payload"] as const).map((left) => ({
    fault: `a digest without ${left}`,
    plant: () => {},
    look: (_state: State, { block }: Step) => {
      const digester = createDigester({ chainId: 1, genesisHash: ZERO_BYTES32 });
      const transaction = block.transactions.find(({ action }) => action !== "noop")!;
      const { header, payload } = transaction;
      return findUnbound(
        {
          digestOf(given) {
            switch (left) {
              case "payload":
                return digester.digestOf({ ...given, payload });
              case "header.validUntil":
                return digester.digestOf({ ...given, header: { ...given.header, validUntil: 1 } });
              default: {
                const account = new AccountKey(given.header.account.address, header.account.subaccount);
                return digester.digestOf({ ...given, header: { ...given.header, account } });
              }
            }
          },
        },
        transaction,
      );
    },
  })),
  liquidationPriceIsFirst: ([1, -1] as const).map((beside) => ({
    fault: `a price ${beside} beside it`,
    plant: () => {},
    look: (state: State, step: Step) =>
      findLatePrice(state, step, (venue, at) => {
        const price = getLiquidationPrice(venue, at);
        return price === undefined ? undefined : price + beside;
      }),
  })),
  predictedAsPaid: [
    {
      fault: "a rate that nobody pays",
      plant: () => {},
      look: (state, step) => findMispredicted(state, step, (venue, market) => getPredictedRate(venue, market) + 1),
    },
  ],
  forksStandApart: [
    {
      fault: "a change of the venue itself",
      plant: () => {},
      look: (state, step) =>
        findMixedUp(state, { ...step, before: forkState(step.before) }, (venue, changes) => {
          venue.consumed++;
          return forkVenue(venue, changes);
        }),
    },
    {
      fault: "changes that are left out",
      plant: () => {},
      look: (state, step) => findMixedUp(state, step, (venue) => forkVenue(venue)),
    },
    {
      fault: "changes without a record",
      plant: () => {},
      look: (state, step) =>
        findMixedUp(state, step, (venue, changes, numbers) => {
          const fork = forkVenue(venue, changes, numbers);
          return Object.assign(forkVenue(venue), { genesis: fork.genesis, parameters: fork.parameters });
        }),
    },
  ],
  settlingOrder: [
    {
      fault: "who comes first pays more",
      plant: () => {},
      look(state, step) {
        let paid = 0;
        return findOrderDependence(state, step, (venue, position) => {
          loose(venue.accounts.collateral)[venue.positions.account[position]!]! -= ++paid;
        });
      },
    },
  ],
  replayRefused: [
    {
      fault: "a lane that forgot its nonces",
      plant({ accounts }, step) {
        for (const lane of ["nonceTrading", "nonceRisk", "nonceFunds", "nonceAdmin"] as const) {
          for (let row = 0; row < step.before.accounts.rows.high; row++) {
            loose(accounts[lane])[row] = step.before.accounts[lane][row as never]!;
          }
        }
      },
    },
  ],
  invalidLeavesNoTrace: [
    {
      fault: "a trace",
      at: () =>
        findMoment(({ step }) =>
          step.result.receipts.codes.subarray(0, step.result.receipts.count).some((code) => code < 0),
        ),
      plant: ({ markets }) => void loose(markets.last)[0]!++,
    },
  ],
  roundedAgainst: [
    {
      fault: "another value of a lot",
      plant(state) {
        for (const [market, rules] of state.parameters.entries()) {
          state.parameters[market] = { ...rules, lotNumerator: rules.lotNumerator * 2 };
        }
      },
    },
  ],
  blocksFollow: [
    {
      fault: "a block too high",
      plant: (_state, step) => ({ ...step, block: { ...step.block, height: step.block.height + 1 } }),
    },
    { fault: "a venue of another time", plant: (state) => void state.timeMs++ },
  ],
  systemFirst: [
    {
      fault: "the other way round",
      plant: (_state, step) => ({
        ...step,
        block: { ...step.block, transactions: [...step.block.transactions].reverse() },
      }),
    },
  ],
  oneReceiptEach: [
    {
      fault: "a transaction without a receipt",
      plant: (_state, step) => ({
        ...step,
        block: { ...step.block, transactions: [...step.block.transactions, step.block.transactions[0]!] },
      }),
    },
  ],
  eventsWellFormed: [
    {
      fault: "half a unit",
      plant(_state, step) {
        const events = step.result.events.slice();
        events[step.places.at(-1)! + 1]! += 0.5;
        return { ...step, result: { ...step.result, events } };
      },
    },
    {
      fault: "minus zero",
      plant(_state, step) {
        const events = step.result.events.slice();
        events[step.places.at(-1)! + 1] = -0;
        return { ...step, result: { ...step.result, events } };
      },
    },
  ],
  headMoves: [{ fault: "a block of nothing", plant: (state, step) => ({ ...step, before: state }) }],
  rolesStand: [{ fault: "a user of the house", plant: ({ accounts }) => void (loose(accounts.role)[1] = ROLE.house) }],
  netZero: [{ fault: "a short too small", plant: (state) => void loose(state.positions.size)[firstOpen(state)]!++ }],
  openInterest: [
    {
      fault: "a long too large",
      plant: (state) =>
        void loose(state.positions.size)[listPositions(state).find((at) => state.positions.size[at]! > 0)!]!++,
    },
    { fault: "open interest left over", plant: ({ markets }) => void loose(markets.openInterest)[0]!++ },
  ],
  conservation: [
    { fault: "a unit out of nothing", plant: ({ accounts }) => void loose(accounts.collateral)[1]!++ },
    { fault: "a unit of cost lost", plant: (state) => void loose(state.positions.cost)[firstOpen(state)]!-- },
    { fault: "a fee booked twice", plant: ({ totals }) => totals.add(TOTAL.fees, 1 as never) },
    { fault: "dust swept away", plant: ({ markets }) => void loose(markets.dust)[0]!-- },
  ],
  fundingPool: [
    { fault: "more paid out than collected", plant: ({ markets }) => void (loose(markets.poolHigh)[0]! -= 1) },
    {
      fault: "a pool without open interest",
      plant({ markets }) {
        loose(markets.openInterest)[0] = 0;
        loose(markets.poolLow)[0] = 1e6;
      },
    },
  ],
  fundingArithmetic: (["charge", "fundingRemainder", "fundingLow"] as const).map((field) => ({
    fault: `a settlement with another ${field}`,
    at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "fundingSettled")),
    plant: (_state: State, step: Step) => eventStep(step, change(step, "fundingSettled", field, 1)),
  })),
  fundingRates: [
    ...(["sum", "sumHigh", "samples", "minuteSum", "minuteSamples"] as const).map((field) => ({
      fault: `a sample with another ${field}`,
      at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "fundingSampled")),
      plant: (_state: State, step: Step) => eventStep(step, change(step, "fundingSampled", field, 1)),
    })),
    ...(["rate", "due", "carry", "indexLow"] as const).map((field) => ({
      fault: `a payment with another ${field}`,
      at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "fundingAccrued")),
      plant: (_state: State, step: Step) => eventStep(step, change(step, "fundingAccrued", field, 1)),
    })),
    {
      fault: "an interval that ends at no end",
      at: () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "premiumsCleared")),
      plant: (_state: State, step: Step) => eventStep(step, change(step, "premiumsCleared", "settledMs", 1)),
    },
  ],
  bounds: [
    { fault: "insurance below zero", plant: ({ totals }) => totals.set(TOTAL.insurance, -1n) },
    { fault: "bad debt below zero", plant: ({ totals }) => totals.set(TOTAL.badDebt, -1n) },
    { fault: "dust below zero", plant: ({ markets }) => void (loose(markets.dust)[0] = -1) },
    { fault: "more dust than rounding leaves", plant: ({ markets }) => void (loose(markets.dust)[0] = 1e6) },
  ],
  nonceOnce: [
    { fault: "a lane that jumped", plant: ({ accounts }) => void loose(accounts.nonceTrading)[1]!++ },
    {
      fault: "an agent's lane that jumped",
      at: () => findMoment(({ step }) => step.before.lanes.rows.high > 0),
      plant: ({ lanes }) => void loose(lanes.nonceRisk)[0]!++,
    },
    { fault: "an authority's lane that stood still", plant: ({ authorityNonces }) => void authorityNonces[0]!-- },
    { fault: "a transaction counted twice", plant: (state) => void state.consumed++ },
    {
      fault: "a used nonce of a window that was forgotten",
      at: windowed,
      plant: ({ ownerNonces }) => void ownerNonces.bits.fill(0),
    },
    {
      fault: "a nonce of a window that was used before",
      at: windowed,
      plant(_state, step) {
        const used = step.events.find((event) => event.kind === "nonceUsed" && event.lane < 0);
        if (used?.kind !== "nonceUsed") throw new Error("no owner's nonce");
        const before = forkState(step.before);
        const { accounts, ownerNonces } = before;
        loose(accounts.nonceTrading)[used.account] = ownerNonces.use(
          used.account,
          accounts.nonceTrading[used.account as never]!,
          used.nonce,
        );
        return { ...step, before };
      },
    },
    {
      fault: "a nonce nobody told of",
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.filter(({ kind }) => kind !== "nonceAdvanced" && kind !== "nonceUsed"),
        ),
    },
  ],
  noFlatDebt: [
    {
      fault: "a debt that the pass forgot",
      at: () => findMoment(({ step }) => findFlat(step.before) !== undefined),
      plant(state, step) {
        const flat = findFlat(step.before)!;
        for (const at of positionsOf(state, flat)) loose(state.positions.size)[at] = 0;
        loose(state.accounts.collateral)[flat] = -1;
        const before = forkState(step.before);
        loose(before.accounts.collateral)[flat] = -1;
        return { ...step, before };
      },
    },
  ],
  orderArithmetic: [
    { fault: "a lot lost at rest", plant: (state) => void loose(state.orders.remaining)[firstOrder(state)]!-- },
    { fault: "a lot filled twice", plant: (state) => void loose(state.orders.filled)[firstOrder(state)]!++ },
    {
      fault: "a fill that nobody told of",
      at: filled,
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.filter(({ kind }) => kind !== "fill"),
        ),
    },
    {
      fault: "a cancellation of less than was left",
      at: () =>
        findMoment(({ step }) =>
          step.events.some((event) => event.kind === "orderCancelled" && wasOpen(step, event.order)),
        ),
      plant: (_state, step) => eventStep(step, change(step, "orderCancelled", "remaining", -1)),
    },
  ],
  intentTriggers: [
    {
      fault: "an intent that did not fire",
      at: triggered,
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.filter(({ kind }) => kind !== "intentTriggered"),
        ),
    },
    {
      fault: "an intent that fired too early",
      at: triggered,
      plant(_state, step) {
        const fired = step.events.find(({ kind }) => kind === "intentTriggered") as { intent: number };
        const before = forkState(step.before);
        const row = before.intentIndex.find(fired.intent);
        const sells = before.intents.side[row] === 1;
        const falls = before.intents.kind[row] === 1 ? !sells : sells;
        loose(before.intents.trigger)[row] = falls ? 0 : 9e15;
        return { ...step, before };
      },
    },
    {
      fault: "an intent that fired before it was there",
      plant: (_state, step) =>
        eventStep(step, [{ kind: "intentTriggered", intent: 7, account: 1, market: 0, value: 1, size: 1 }]),
    },
    {
      fault: "a count of intents that is off",
      plant: ({ accounts }) => void loose(accounts.intentCount)[1]!++,
    },
    {
      fault: "an end of an order that nobody looked at",
      plant: ({ intentIndex }) => void intentIndex.ended.push(7, 1),
    },
  ],
  fillArithmetic: (["value", "makerFee", "takerFee", "size"] as const).map((field) => ({
    fault: `a fill with another ${field}`,
    at: filled,
    plant: (_state: State, step: Step) => eventStep(step, change(step, "fill", field, 1)),
  })),
  solventPays: [
    {
      fault: "insurance for a solvent bucket",
      at: strict,
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "liquidationStarted", liquidation: 7, account: 1, equity: 5, maintenance: 9 },
          { kind: "insuranceChanged", delta: -1, cause: 3, market: 0, account: 1 },
        ]),
    },
    {
      fault: "deleveraging for a solvent bucket",
      at: strict,
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "liquidationStarted", liquidation: 7, account: 1, equity: 5, maintenance: 9 },
          { kind: "deleveraged", liquidation: 7, way: 0, market: 0, account: 1, counterparty: 2, size: 1, value: 1 },
        ]),
    },
  ],
  recordStages: [
    {
      fault: "a stage of a record that was never opened",
      plant: (_s, step) => eventStep(step, [stageOf("bookClosing")]),
    },
    {
      fault: "a record with the number of another block",
      plant: (_s, step) => eventStep(step, [opened(5, 9)]),
    },
    {
      fault: "a second turn of a block",
      plant: (state, step) => eventStep(step, recordOf(state, opened(5, 9), opened(5, 9))),
    },
    {
      fault: "a second record of a bucket",
      plant: (state, step) => {
        const [first, second] = recordOf(state, opened(5, 9), opened(5, 9));
        return eventStep(step, [first, { ...second, liquidation: second!.liquidation + 1 }]);
      },
    },
    {
      fault: "a stage that goes back",
      plant: (state, step) =>
        eventStep(step, recordOf(state, opened(5, 9), stageOf("deleveraging"), stageOf("bookClosing"))),
    },
    {
      fault: "a fill after the end",
      plant: (state, step) =>
        eventStep(step, recordOf(state, opened(5, 9), stageOf("recovered"), { kind: "fill", liquidation: 7 })),
    },
    {
      fault: "a record that stays open without an event",
      plant: (state, step) => {
        loose(state.accounts.liquidation)[1] = 7;
        return eventStep(step, []);
      },
    },
    {
      fault: "a record that ends without an event",
      plant: (_state, step) => {
        const before = forkState(step.before);
        loose(before.accounts.liquidation)[1] = 7;
        return eventStep({ ...step, before }, []);
      },
    },
  ],
  turnKeepsRatio: [
    {
      fault: "a bucket that had much more when its turn began",
      at: turned,
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.map((event) =>
            event.kind === "liquidationStarted" ? { ...event, equity: Math.abs(event.equity) * 1000 + 1e9 } : event,
          ),
        ),
    },
  ],
  takeoverByRule: [
    { fault: "somebody else takes over", plant: (_s, step) => eventStep(step, [opened(5, 9), takenOver(0)]) },
    ...[
      ["with too much equity", 900, 1200],
      ["with no equity", 0, 9],
    ].map(([what, equity, maintenance]) => ({
      fault: `a takeover of a bucket ${what}`,
      at: backed,
      plant: (state: State, step: Step) =>
        eventStep(step, [opened(equity as number, maintenance as number), takenOver(state.backstops[0]!.account)]),
    })),
    {
      fault: "a takeover for a hundredth more than at the oracle price",
      at: near,
      plant: (state, step) => {
        const price = BigInt(state.markets.oracle[0 as MarketRow]!);
        const value = Number((exactValue(state.parameters[0]!, 1_000n, price) * 101n) / 100n) + 100;
        const event = { ...takenOver(state.backstops[0]!.account), size: 1_000, value };
        return eventStep(step, [opened(5, 9), event]);
      },
    },
  ],
  insuranceWithinCaps: [
    {
      fault: "more than the fund holds",
      plant: (state, step) =>
        eventStep(step, [paidOut(-1 - Number(step.before.totals.get(TOTAL.insurance)), NONE, state)]),
    },
    {
      fault: "more than the share of the market",
      at: insured,
      plant: (state, step) =>
        eventStep(step, [paidOut(-1 - Number(step.before.totals.get(TOTAL.insurance) / 10n), 0, state)]),
    },
  ],
  outflowWithinCaps: [
    {
      fault: "a unit more than is left of a cap",
      at: capped,
      plant: ({ outflow }, step) => {
        const window = outflow.windows[0]!;
        const left = Number(window.computeCap() - window.used);
        return eventStep(step, [...step.events, { kind: "withdrawn", account: 1, amount: left + 1 }]);
      },
    },
    {
      fault: "an hour that begins again",
      at: capped,
      plant: (_state, step) => eventStep(step, [...step.events, { kind: "outflowOpened", window: 0, startMs: 0 }]),
    },
    {
      fault: "a withdrawal while they are paused",
      plant: (state, step) => {
        const before = forkState(step.before);
        before.outflow.pausedUntil = state.height;
        return eventStep({ ...step, before }, [...step.events, { kind: "withdrawn", account: 1, amount: 0 }]);
      },
    },
    {
      fault: "a pause without a deficit",
      plant: (state, step) =>
        eventStep(step, [...step.events, { kind: "withdrawalsPaused", untilHeight: state.height + 5 }]),
    },
    {
      fault: "a deficit without a pause",
      at: () => findMoment(({ state }) => state.genesis.outflow.deficitBlocks > 0),
      plant: (_state, step) => eventStep(step, [...step.events, { kind: "lossSocialized", account: 1, amount: 1e15 }]),
    },
  ],
  deficitToTheUnit: [
    {
      fault: "more bad debt than the deficit",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "balanceChanged", account: 1, delta: 7, collateral: 2, cause: BALANCE_CAUSE.badDebt },
        ]),
    },
    {
      fault: "bad debt that leaves a rest",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "balanceChanged", account: 1, delta: 7, collateral: -2, cause: BALANCE_CAUSE.badDebt },
        ]),
    },
    {
      fault: "others pay more than the deficit",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "balanceChanged", account: 1, delta: 7, collateral: 2, cause: BALANCE_CAUSE.socialized },
        ]),
    },
    {
      fault: "the fund pays more than the deficit",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "insuranceChanged", delta: -7, cause: INSURANCE_CAUSE.deficit, market: 0, account: 1 },
          { kind: "balanceChanged", account: 1, delta: 7, collateral: 2, cause: BALANCE_CAUSE.insurance },
        ]),
    },
    {
      fault: "a unit left of a bucket closed at its zero price",
      at: () => findMoment(({ step }) => isClosedAtZero(step)),
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.map((event) => ("collateral" in event ? { ...event, collateral: event.collateral + 1 } : event)),
        ),
    },
  ],
  equityFromScratch: [
    {
      fault: "a mark that nobody worked in",
      plant: (state) => void loose(state.markets.lotWhole)[state.positions.market[firstOpen(state)]!]!++,
    },
  ],
  eventFold: [
    { fault: "a write without an event", plant: ({ markets }) => void loose(markets.last)[0]!++ },
    { fault: "a queue in another order", plant: (state) => void loose(state.orders.filled)[firstOrder(state)]!++ },
    {
      fault: "an event without a write",
      plant(_state, step) {
        const events = step.result.events.slice();
        const nonce = step.events.findIndex(({ kind }) => kind === "nonceAdvanced");
        events[step.places[nonce]! + 3]! += 1;
        return { ...step, result: { ...step.result, events } };
      },
    },
  ],
  roundTrip: [
    { fault: "a bit that reading drops", plant: (state) => void (loose(state.orders.flags)[firstOrder(state)]! |= 64) },
    { fault: "a definition that says something else", plant: (state) => forgeDefinition(state) },
  ],
  triggerCorner: [
    {
      fault: "a trigger too far",
      at: quietCalm,
      plant(state) {
        const at = armedOf(state);
        loose(state.positions.trigger)[at] = 8e15;
      },
    },
    {
      fault: "a position without a trigger",
      at: quietCalm,
      plant: (state) => state.risk.disarm(state.positions, armedOf(state)),
    },
  ],
  fullPass: [
    {
      fault: "triggers that nobody looks at",
      at: () =>
        findMoment(({ state }) => {
          // At this height the pass is tried at marks moved far enough to find somebody.
          const fork = forkState(state);
          collectDue(fork);
          fork.risk.heapSizes.fill(0);
          return (
            invariants.find(({ id }) => id === "fullPass")!.sweep!(fork, { met: 0 } as never, undefined as never) !==
            undefined
          );
        }),
      plant(state) {
        collectDue(state);
        state.risk.heapSizes.fill(0);
      },
    },
  ],
  continuity: [
    { fault: "a result that depends on more than the state", plant: ({ markets }) => void loose(markets.last)[0]!++ },
    {
      fault: "another history",
      plant(state) {
        const head = getHead(state);
        state.events.data[state.events.length - 1]! += 1;
        expect(getHead(state)).not.toBe(head);
      },
    },
  ],
};

/** Whether a bucket without equity was closed by deleveraging alone. */
function isClosedAtZero({ events }: Step): boolean {
  const started = events.find((event) => event.kind === "liquidationStarted" && event.equity < 0);
  if (started?.kind !== "liquidationStarted") return false;
  const own = events.filter((event) => "liquidation" in event && event.liquidation === started.liquidation);
  const closed = own.filter((event) => event.kind === "deleveraged");
  return (
    closed.length > 0 &&
    closed.every((event) => event.kind === "deleveraged" && event.way === 0) &&
    own.every(({ kind }) => kind !== "fill") &&
    own.some((event) => event.kind === "liquidationStage" && event.stage === LIQUIDATION_STAGE.completed)
  );
}

/** A normal account without any position. */
function findFlat(state: State): AccountRow | undefined {
  return listAccounts(state).find(
    (account) => state.accounts.role[account] === 0 && positionsOf(state, account).length === 0,
  );
}

function wasOpen({ before }: Step, order: number): boolean {
  return before.orderIndex.find(before.orders, order) !== NONE;
}

/** Events with one field of the first (resting, for cancellations) of a kind changed. */
function change(step: Step, kind: VenueEvent["kind"], field: string, by: number): VenueEvent[] {
  let done = false;
  return step.events.map((event) => {
    if (done || event.kind !== kind || (event.kind === "orderCancelled" && !wasOpen(step, event.order))) return event;
    done = true;
    const value = (event as unknown as Record<string, number>)[field]!;
    return { ...event, [field]: value + by } as VenueEvent;
  });
}

function loseFirstPosition(state: State): void {
  const account = listAccounts(state).find((row) => positionsOf(state, row).length > 0)!;
  loose(state.accounts.position)[account] = state.positions.next[positionsOf(state, account)[0]!]!;
}

function forgeDefinition(state: State): void {
  const [first] = state.parameters;
  state.parameters[0] = { ...first!, definition: first!.definition.replace("takerFee=", "takerFee=0") };
}

describe("a planted fault is seen by the invariant that forbids it", () => {
  for (const invariant of invariants) {
    for (const { fault, at, plant, look: lookBadly } of plants[invariant.id] ?? []) {
      test(`${invariant.id}: ${fault}`, () => {
        const { state, step } = at === undefined ? rich : at();
        // The same step without the fault is fine.
        const clean = forkState(state);
        expect(look(invariant, clean, step)).toBeUndefined();
        const planted = forkState(state);
        const changed = plant(planted, step) ?? step;
        expect(lookBadly?.(planted, changed) ?? look(invariant, planted, changed)).toBeTypeOf("string");
      });
    }
  }

  test("and every invariant has one, if it sweeps", () => {
    const swept = invariants.filter(({ sweep }) => sweep !== undefined);
    expect(Object.keys(plants).sort()).toEqual(swept.map(({ id }) => id).sort());
  });
});

/** Runs an invariant with a memory that knows the venue as it was before the step. */
function look(invariant: Invariant, state: State, step: Step): string | undefined {
  const memory = invariant.start?.(forkState(step.before));
  const answer = invariant.sweep!(state, step, memory as never);
  return typeof answer === "object" ? answer.observed : answer;
}
