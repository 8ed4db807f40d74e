import { describe, expect, test } from "vitest";
import { NONE } from "../../src/collections/table.ts";
import { setExpiry } from "../../src/engine/book/extras.ts";
import type { AccountRow } from "../../src/engine/state/schema.ts";
import { listAccounts, listMarkets, listOrders, listPositions } from "../../src/invariants/exact/walk.ts";
import { invariants } from "../../src/invariants/list.ts";
import type { Payloads } from "../../src/protocol/actions/index.ts";
import { BALANCE_CAUSE, CANCEL_CAUSE, CLOSE_KIND, type EventKind, type EventOf } from "../../src/protocol/events.ts";
import type { MarketParameters } from "../../src/protocol/parameters.ts";
import type { RejectionNumbers } from "../../src/protocol/rejections.ts";
import type { Transaction } from "../../src/protocol/transaction.ts";
import {
  FUNDING_METHOD,
  MARK_METHOD,
  MARKET_STATUS,
  ORDER_TYPE,
  POST_ONLY,
  ROLE,
  SIDE,
  TIME_IN_FORCE,
} from "../../src/protocol/words.ts";
import { bend, findPlanted, type Instant, type PlantedFault, setField } from "../helpers/moments.ts";

type Loose = Record<number, number>;
const loose = (column: unknown) => column as Loose;

const has = (kind: string) => (instant: Instant) => instant.events.some((event) => event.kind === kind);
const isUser = ({ actor, status, state }: Instant) =>
  actor !== NONE && status === "applied" && state.accounts.role[actor] === ROLE.normal;

interface Plant extends PlantedFault {
  readonly fault: string;
}

type Order = Payloads["placeOrder"];
type TxHeader = Transaction["header"];

/** The order of a `placeOrder`, to say afterwards that it was another. */
const payloadOf = ({ transaction }: Instant) => transaction!.payload as { -readonly [K in keyof Order]: Order[K] };
const isOrder = ({ transaction }: Instant) => transaction?.action === "placeOrder";
const fillOf = ({ events }: Instant) => events.find((event) => event.kind === "fill")!;
const traded = (instant: Instant) => isOrder(instant) && isUser(instant) && has("fill")(instant);
const opened = (instant: Instant) => isOrder(instant) && isUser(instant) && has("orderOpened")(instant);
const set = (instant: Instant, kind: EventKind, field: string, value: number) => {
  const at = instant.events.findIndex((event) => event.kind === kind);
  setField(instant.state, instant.places[at]!, kind, field, value);
};
const funded = (it: Instant) =>
  has("fundingAccrued")(it) &&
  it.state.parameters.every(({ fundingMethod }) => fundingMethod !== FUNDING_METHOD.external);
const headerOf = ({ transaction }: Instant) => transaction!.header as { -readonly [K in keyof TxHeader]: TxHeader[K] };
const replaceRules = ({ state }: Instant, rules: Partial<MarketParameters>) => {
  for (const [market, old] of state.parameters.entries()) state.parameters[market] = { ...old, ...rules };
};
/** The numbers of a rejection that has some; they are those of the transaction pushed last. */
const numbersOf = ({ state }: Instant) => state.receipts.numbers.get(state.receipts.count - 1) ?? {};
const refused = (it: Instant) => it.status === "rejected" && Object.keys(numbersOf(it)).length > 0;
const say = (it: Instant, numbers: RejectionNumbers) =>
  void it.state.receipts.numbers.set(it.state.receipts.count - 1, numbers);
/** Places of the turns of accounts that stand in the queue. */
const turnsOf = ({ events, state }: Instant) =>
  events.flatMap((event, at) =>
    event.kind === "liquidationStarted" && state.accounts.role[event.account as AccountRow] === ROLE.normal ? [at] : [],
  );
/** Two fills of one taker at one price, with makers one behind the other. */
const findQueue = ({ events }: Instant) =>
  events.findIndex((event, at) => {
    const next = events.findIndex((other, place) => place > at && other.kind === "fill");
    if (event.kind !== "fill" || next < 0) return false;
    const other = events[next] as typeof event;
    return other.price === event.price && other.makerOrder !== event.makerOrder && other.market === event.market;
  });

/** Faults by the invariant that sees them right after the transaction or step. */
const plants: Readonly<Record<string, readonly Plant[]>> = {
  eventsTellAll: [
    {
      fault: "collateral that nobody told of",
      isWanted: isUser,
      plant: ({ state, actor }) => void loose(state.accounts.collateral)[actor]!++,
    },
    {
      fault: "an order that changed in silence",
      isWanted: has("orderOpened"),
      plant({ state, events }) {
        const opened = events.find(({ kind }) => kind === "orderOpened") as { order: number };
        loose(state.orders.charge)[state.orderIndex.find(state.orders, opened.order)]!++;
      },
    },
    {
      fault: "a change that does not lead to what is said",
      isWanted: has("balanceChanged"),
      plant: (instant) => bend(instant, "balanceChanged", "delta", 1),
    },
    {
      fault: "a transaction counted twice",
      isWanted: isUser,
      plant: ({ state }) => void state.consumed++,
    },
  ],
  rejectedChangesNothing: [
    {
      fault: "an event of a rejected transaction",
      isWanted: ({ status, state, actor }) => status === "rejected" && state.accounts.role[actor] === ROLE.normal,
      plant({ state, actor }) {
        const { collateral } = state.accounts;
        state.events.balanceChanged({
          account: actor,
          delta: 0,
          collateral: collateral[actor]!,
          cause: 0,
          bucket: NONE,
        });
      },
    },
  ],
  conservation: [
    {
      fault: "a unit out of nothing",
      isWanted: has("positionChanged"),
      plant: (instant) => bend(instant, "positionChanged", "collateral", 1),
    },
  ],
  netZero: [
    {
      fault: "a lot too many",
      isWanted: has("positionChanged"),
      plant: (it) => bend(it, "positionChanged", "size", 1),
    },
  ],
  openInterest: [
    {
      fault: "open interest that stood still",
      isWanted: has("positionChanged"),
      plant({ state }) {
        for (const market of listMarkets(state)) loose(state.markets.openInterest)[market]!++;
      },
    },
  ],
  reserves: (["buys", "sells", "buyCharge", "sellCharge", "reduceOnly", "orderCount"] as const).map((name) => ({
    fault: `one too much in ${name}`,
    isWanted: opened,
    plant({ state }: Instant) {
      for (const at of listPositions(state)) loose(state.positions[name])[at]!++;
    },
  })),
  reduceOnlyWithin: [
    {
      fault: "more than the position",
      isWanted: ({ events }) => events.some((event) => event.kind === "orderOpened" && event.reduceOnly === 1),
      plant({ state }) {
        for (const order of listOrders(state)) loose(state.orders.remaining)[order]! *= 1000;
      },
    },
  ],
  bookUncrossed: [
    {
      fault: "a bid at the best ask",
      isWanted: ({ state }) => state.books.every(({ bestBid, bestAsk }) => bestBid !== 0 && bestAsk !== 0),
      plant({ state }) {
        for (const book of state.books) book.bestBid = book.bestAsk;
      },
    },
  ],
  bestPriceFirst: [
    {
      fault: "a fill at a worse price than what rests",
      isWanted: traded,
      plant: (it) => set(it, "fill", "price", fillOf(it).takerSide === 0 ? 2e9 : 0),
    },
  ],
  oldestFirst: [
    {
      fault: "the younger of two orders first",
      isWanted: (it) => findQueue(it) >= 0,
      plant({ state, events, places }) {
        const fills = events.map((event, at) => (event.kind === "fill" ? at : -1)).filter((at) => at >= 0);
        for (const [place, at] of fills.entries()) {
          const other = events[fills[fills.length - 1 - place]!] as { makerOrder: number };
          setField(state, places[at]!, "fill", "makerOrder", other.makerOrder);
        }
      },
    },
    {
      fault: "an order that grew and kept its place",
      isWanted: (it) => isUser(it) && has("orderAmended")(it),
      plant: (it) => bend(it, "orderAmended", "remaining", 1e6),
    },
  ],
  fillAtMakersPrice: [
    { fault: "a tick beside it", isWanted: traded, plant: (it) => bend(it, "fill", "price", 1) },
    { fault: "more than the order has", isWanted: traded, plant: (it) => set(it, "fill", "size", 9e14) },
    { fault: "somebody else's order", isWanted: traded, plant: (it) => bend(it, "fill", "makerAccount", 1) },
  ],
  fillIsPositive: [{ fault: "a fill of nothing", isWanted: traded, plant: (it) => set(it, "fill", "size", 0) }],
  restsOnGrid: [
    { fault: "a price of nothing", isWanted: opened, plant: (it) => set(it, "orderOpened", "price", 0) },
    { fault: "no lots", isWanted: opened, plant: (it) => set(it, "orderOpened", "remaining", 0) },
    { fault: "a negative charge", isWanted: opened, plant: (it) => set(it, "orderOpened", "charge", -1) },
  ],
  orderIdsAreNew: [
    { fault: "the id of a later order", isWanted: opened, plant: (it) => bend(it, "orderOpened", "order", 64) },
  ],
  noSelfTrade: [
    {
      fault: "a trade with oneself",
      isWanted: traded,
      plant: (it) => set(it, "fill", "makerAccount", fillOf(it).takerAccount),
    },
  ],
  postOnlyNeverTakes: [
    {
      fault: "a post-only order that took",
      isWanted: traded,
      plant: (it) => void (payloadOf(it).postOnly = POST_ONLY.reject),
    },
  ],
  cancelSaysWhy: [
    {
      fault: "a cancellation of nothing",
      isWanted: has("orderCancelled"),
      plant: (it) => set(it, "orderCancelled", "remaining", 0),
    },
    {
      fault: "an order that may rest and ended at once",
      isWanted: (it) =>
        isOrder(it) &&
        payloadOf(it).orderType === ORDER_TYPE.limit &&
        it.events.some((event) => event.kind === "orderCancelled" && event.cause === CANCEL_CAUSE.timeInForce),
      plant: (it) => void (payloadOf(it).timeInForce = TIME_IN_FORCE.GTC),
    },
  ],
  immediateNeverRests: [
    {
      fault: "an immediate order that rests",
      isWanted: opened,
      plant: (it) => void (payloadOf(it).timeInForce = TIME_IN_FORCE.IOC),
    },
  ],
  fillOrKillWhole: [
    {
      fault: "an order that is half filled and not killed",
      isWanted: (it) => traded(it) && has("orderOpened")(it) && payloadOf(it).orderType === ORDER_TYPE.limit,
      plant: (it) => void (payloadOf(it).timeInForce = TIME_IN_FORCE.FOK),
    },
  ],
  takerWithinLimit: [
    {
      fault: "a purchase above its limit",
      isWanted: (it) => traded(it) && payloadOf(it).side === SIDE.buy,
      plant: (it) => void (payloadOf(it).price = 1 as never),
    },
    {
      fault: "a sale beyond its slippage",
      isWanted: (it) => traded(it) && payloadOf(it).side === SIDE.sell,
      plant(it) {
        Object.assign(payloadOf(it), { price: 0, slippage: 0 });
        for (const market of listMarkets(it.state)) loose(it.state.markets.mark)[market]! *= 2;
      },
    },
  ],
  reduceOnlyReduces: [
    {
      fault: "a reduce-only order that opens",
      isWanted: (it) => {
        const change = it.events.find((event) => event.kind === "positionChanged" && event.account === it.actor);
        if (!traded(it) || change?.kind !== "positionChanged") return false;
        return change.size !== 0 && change.size > 0 === (payloadOf(it).side === SIDE.buy);
      },
      plant: (it) => void (payloadOf(it).reduceOnly = true),
    },
  ],
  expiredNeverTrades: [
    {
      fault: "an order that should be gone",
      isWanted: (it) => opened(it) && payloadOf(it).goodTilHeight === 0,
      plant: (it) => set(it, "orderOpened", "goodTilHeight", it.block.height),
      later: true,
    },
  ],
  expiredAreGone: [
    {
      fault: "an order from long ago",
      isWanted: ({ step, state }) => step === "expired" && state.orders.rows.count > 0,
      plant: ({ state, block }) => {
        for (const order of listOrders(state)) setExpiry(state, order, block.height - 1, 0);
      },
    },
    {
      fault: "a cancel that was due",
      isWanted: ({ step }) => step === "expired",
      plant: ({ state, block }) => void (loose(state.accounts.cancelTime)[0] = block.timeMs),
    },
  ],
  openOrdersWithin: [
    { fault: "an order too many", isWanted: opened, plant: (it) => replaceRules(it, { openOrdersMax: 0 }) },
  ],
  fillsWithinBand: [
    {
      fault: "a fill far from the index",
      isWanted: (it) =>
        traded(it) &&
        [fillOf(it).makerAccount, fillOf(it).takerAccount].every(
          (at) => it.state.accounts.role[at as AccountRow] === ROLE.normal,
        ),
      plant({ state }) {
        for (const market of listMarkets(state)) {
          loose(state.markets.index)[market] = 1;
          loose(state.markets.oracle)[market] = 1;
        }
      },
    },
  ],
  accountsAddUp: [
    {
      fault: "a unit from nowhere",
      isWanted: has("balanceChanged"),
      plant: (it) => bend(it, "balanceChanged", "delta", 1),
    },
    {
      fault: "a unit that came with a trade",
      isWanted: (it) => traded(it) && it.actor >= 0,
      plant: ({ state, actor }) => void loose(state.accounts.collateral)[actor]!++,
    },
  ],
  solventPays: [
    {
      fault: "insurance for a solvent bucket",
      isWanted: (it) =>
        it.step === "riskPassed" &&
        it.state.parameters.every(({ closeOut, liquidationPolicy }) => closeOut === 0 && liquidationPolicy === 0),
      plant({ state }) {
        state.events.liquidationStarted({ liquidation: 7, account: 1, bucket: -1, equity: 5, maintenance: 9 });
        state.events.insuranceChanged({ delta: -1, cause: 3, market: 0, account: 1 });
      },
    },
  ],
  takeoverByRule: [
    {
      fault: "somebody else takes over",
      isWanted: (it) => it.step === "riskPassed" && it.state.parameters.length > 0,
      plant({ state }) {
        state.events.liquidationStarted({ liquidation: 7, account: 1, bucket: -1, equity: 5, maintenance: 9 });
        const way = CLOSE_KIND.takeover;
        state.events.deleveraged({ liquidation: 7, way, market: 0, account: 1, counterparty: 0, size: 1, value: 1 });
      },
    },
  ],
  fillArithmetic: (["value", "makerFee", "takerFee", "size"] as const).map((field) => ({
    fault: `a fill with another ${field}`,
    isWanted: traded,
    plant: (it: Instant) => bend(it, "fill", field, 1),
  })),
  fundingRates: (["rate", "due", "carry", "indexLow"] as const).map((field) => ({
    fault: `a payment with another ${field}`,
    isWanted: funded,
    plant: (it: Instant) => bend(it, "fundingAccrued", field, 1),
  })),
  fillMovesValue: [
    { fault: "a fee nobody charged", isWanted: traded, plant: (it) => bend(it, "fill", "takerFee", 1) },
    {
      fault: "a close that moves another value",
      isWanted: has("deleveraged"),
      plant: (it) => bend(it, "deleveraged", "value", 1),
    },
    { fault: "a lot that went astray", isWanted: traded, plant: (it) => bend(it, "positionChanged", "size", 1) },
  ],
  realizedByRule: [
    {
      fault: "profit of another size",
      isWanted: (it) => it.events.some((event) => event.kind === "positionChanged" && event.realized !== 0),
      plant({ state, events, places }) {
        const at = events.findIndex((event) => event.kind === "positionChanged" && event.realized !== 0);
        const event = events[at] as { realized: number; cost: number };
        setField(state, places[at]!, "positionChanged", "realized", event.realized + 1);
        setField(state, places[at]!, "positionChanged", "cost", event.cost + 1);
      },
    },
  ],
  entryStands: [
    {
      fault: "a reduction that moves the entry price",
      isWanted: (it) =>
        it.events.some((event) => event.kind === "positionChanged" && event.realized !== 0 && event.size !== 0),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "positionChanged")
            setField(state, places[at]!, "positionChanged", "cost", event.cost * 2 + 1e6);
        }
      },
    },
  ],
  flatIsEmpty: [
    {
      fault: "a cost without a size",
      isWanted: (it) =>
        it.step !== "riskPassed" && it.events.some((event) => event.kind === "positionChanged" && event.size === 0),
      plant({ state, events, places }) {
        const at = events.findIndex((event) => event.kind === "positionChanged" && event.size === 0);
        setField(state, places[at]!, "positionChanged", "cost", 1);
      },
    },
  ],
  openInterestWithin: [
    {
      fault: "more than the market's limit",
      isWanted: (it) =>
        traded(it) && it.events.some((event) => event.kind === "positionChanged" && event.realized === 0),
      plant: (it) => replaceRules(it, { openInterestLimitLots: 0 as never }),
      later: true,
    },
  ],
  positionWithin: [
    {
      fault: "more than the owner's limit",
      isWanted: traded,
      plant: (it) => replaceRules(it, { positionLimitLots: 0 as never }),
      later: true,
    },
  ],
  outflowLeavesFree: [
    {
      fault: "a withdrawal of what was needed",
      isWanted: (it) => isUser(it) && has("withdrawn")(it),
      plant: ({ state, actor }) => void (loose(state.accounts.collateral)[actor]! -= 8e15),
    },
  ],
  tiersAreSound: [
    {
      fault: "maintenance above initial",
      isWanted: has("marketChanged"),
      plant({ state }) {
        for (const [market, rules] of state.parameters.entries()) {
          const tiers = rules.tiers.map((tier) => ({ ...tier, maintenanceRate: tier.initialRate }));
          state.parameters[market] = { ...rules, tiers };
        }
      },
    },
  ],
  tierEdges: [
    {
      fault: "requirements of another table",
      isWanted: has("marketChanged"),
      plant({ state }) {
        for (const [market, rules] of state.parameters.entries()) {
          const tiers = rules.tiers.map((tier) => ({ ...tier, deduction: 5 }));
          state.parameters[market] = {
            ...rules,
            tiers: [...tiers, { ...tiers[0]!, from: 1e9, initialRate: 1e6, maintenanceRate: 9e5 }] as never,
          };
        }
      },
    },
  ],
  leverageWithin: [
    {
      fault: "more leverage than there is",
      isWanted: has("marginChanged"),
      plant: (it) => set(it, "marginChanged", "leverage", 1e6),
    },
  ],
  modeChangeIsClean: [
    {
      fault: "another mode beside orders",
      isWanted: (it) =>
        it.events.some(
          (event) =>
            event.kind === "marginChanged" &&
            listOrders(it.state).some((order) => {
              const at = it.state.orders.position[order]!;
              return it.state.positions.account[at] === event.account && it.state.positions.market[at] === event.market;
            }),
        ),
      plant: (it) => bend(it, "marginChanged", "mode", 1),
    },
  ],
  fillNeverPays: [
    { fault: "a rebate beyond the fee", isWanted: traded, plant: (it) => set(it, "fill", "makerFee", -9e14) },
  ],
  fundingSign: [
    {
      fault: "the other way round",
      isWanted: (it) => it.events.some((event) => event.kind === "fundingSettled" && event.charge !== 0),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "fundingSettled") setField(state, places[at]!, "fundingSettled", "charge", -event.charge);
        }
      },
    },
  ],
  fundingOnce: [
    { fault: "a payment of the future", isWanted: funded, plant: (it) => bend(it, "fundingAccrued", "settledMs", 1e9) },
    { fault: "time that goes back", isWanted: funded, plant: (it) => set(it, "fundingAccrued", "settledMs", -1) },
  ],
  fundingCapped: [
    { fault: "too much at once", isWanted: funded, plant: (it) => set(it, "fundingAccrued", "rate", 9e14) },
  ],
  openedPaysNothing: [
    {
      fault: "a remainder of before",
      isWanted: has("positionChanged"),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "positionChanged") setField(state, places[at]!, "positionChanged", "fundingRemainder", 5);
        }
      },
      later: true,
    },
  ],
  settledBeforeChange: [
    {
      fault: "a settlement up to another index",
      isWanted: (it) => has("fundingSettled")(it) && has("positionChanged")(it),
      plant: (it) => bend(it, "fundingSettled", "fundingLow", 1),
    },
  ],
  poolWithoutInterest: [
    {
      fault: "money that stayed in the pool",
      isWanted: (it) =>
        it.events.some(
          (event) => event.kind === "positionChanged" && it.state.markets.openInterest[event.market as never] === 0,
        ),
      plant({ state }) {
        for (const market of listMarkets(state)) loose(state.markets.poolLow)[market]!++;
      },
    },
  ],
  fundsWhereAllowed: [
    {
      fault: "funding in a gap",
      isWanted: has("fundingSampled"),
      plant: ({ state }) => void (state.markets.gap as unknown as Uint8Array).fill(1),
    },
    {
      fault: "funding of a market that is over",
      isWanted: has("fundingSampled"),
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.settled }),
    },
  ],
  onlyBelowMaintenance: [
    {
      fault: "a record of more equity than there is",
      isWanted: has("liquidationStarted"),
      plant: (it) => bend(it, "liquidationStarted", "equity", 1e6),
    },
  ],
  houseIsExempt: [
    {
      fault: "the house in the queue",
      isWanted: has("liquidationStarted"),
      plant: ({ state }) => void (state.accounts.role as unknown as Uint8Array).fill(ROLE.house),
    },
  ],
  ordersGoFirst: [
    {
      fault: "orders that stayed",
      isWanted: (it) =>
        it.events.some((event, at) => {
          const next = it.events.slice(at).find(({ kind }) => kind === "liquidationStarted");
          return (
            event.kind === "orderCancelled" &&
            event.cause === CANCEL_CAUSE.liquidation &&
            (next as { account?: number })?.account === event.account
          );
        }),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "orderCancelled") setField(state, places[at]!, "orderCancelled", "order", 9e12);
        }
      },
    },
  ],
  closesOpposite: [
    { fault: "more than there was", isWanted: has("deleveraged"), plant: (it) => set(it, "deleveraged", "size", 9e14) },
  ],
  turnsDoSomething: [
    {
      fault: "a turn without an end",
      isWanted: has("liquidationStarted"),
      plant({ state }) {
        state.events.liquidationStarted({ liquidation: 7, account: 1, bucket: -1, equity: 0, maintenance: 0 });
      },
    },
  ],
  liquidationFeeWithin: [
    {
      fault: "a fee that is paid out",
      isWanted: (it) =>
        it.events.some((event) => event.kind === "balanceChanged" && event.cause === BALANCE_CAUSE.liquidationFee),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "balanceChanged") setField(state, places[at]!, "balanceChanged", "delta", 1e12);
        }
      },
    },
    {
      fault: "a fee that takes more equity than is there",
      isWanted: (it) =>
        it.events.some((event) => event.kind === "balanceChanged" && event.cause === BALANCE_CAUSE.liquidationFee),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "fill") setField(state, places[at]!, "fill", "value", 8e15);
          if (event.kind !== "balanceChanged" || event.cause !== BALANCE_CAUSE.liquidationFee) continue;
          setField(state, places[at]!, "balanceChanged", "delta", -7e12);
        }
      },
    },
  ],
  onlyTheNamed: [
    {
      fault: "money of a bystander",
      isWanted: (it) => it.step === "riskPassed" && it.events.length > 0,
      plant({ state }) {
        const account = state.accounts.rows.high - 1;
        const { collateral } = state.accounts;
        state.events.balanceChanged({
          account,
          delta: 1,
          collateral: collateral[account as AccountRow]! + 1,
          cause: 6,
          bucket: NONE,
        });
      },
    },
  ],
  nobodyForgotten: [
    {
      fault: "a bucket far below maintenance",
      isWanted: ({ step, events, state }) =>
        step === "riskPassed" &&
        events.length === 0 &&
        state.parameters.every(({ status }) => status === MARKET_STATUS.active) &&
        listPositions(state).some(
          (at) => state.positions.size[at] !== 0 && state.accounts.role[state.positions.account[at]!] === ROLE.normal,
        ) &&
        state.markets.validity.length > 0 &&
        listMarkets(state).every((market) => state.markets.validity[market] === 4),
      plant({ state }) {
        for (const account of listAccounts(state)) loose(state.accounts.collateral)[account]! -= 8e15;
      },
    },
  ],
  queueHasReason: [
    {
      fault: "a healthy bucket in the queue",
      isWanted: ({ step, state }) => step === "riskPassed" && state.accounts.rows.high > 2,
      plant({ state, block }) {
        for (const account of listAccounts(state))
          state.events.liquidationQueued({ account, bucket: -1, since: block.height });
      },
    },
  ],
  shareWithinSurplus: [
    {
      fault: "a share of nothing to spare",
      isWanted: ({ step }) => step === "riskPassed",
      plant: ({ state }) => state.events.lossSocialized({ liquidation: 7, account: 1, amount: 9e15 }),
    },
  ],
  insuranceByCause: [
    {
      fault: "insurance that pays a trader",
      isWanted: traded,
      plant: ({ state }) => state.events.insuranceChanged({ delta: -1, cause: 3, market: 0, account: 1 }),
    },
    {
      fault: "a fee that is paid out",
      isWanted: ({ step }) => step === "riskPassed",
      plant: ({ state }) => state.events.insuranceChanged({ delta: -1, cause: 2, market: 0, account: 1 }),
    },
  ],
  committedIsValid: [
    { fault: "a transaction of the past", isWanted: isUser, plant: (it) => void (headerOf(it).validUntil = 0) },
    {
      fault: "a transaction of the future",
      isWanted: isUser,
      plant: (it) => void (headerOf(it).validFrom = it.block.height + 1),
    },
  ],
  committedBelongs: [
    { fault: "another network", isWanted: isUser, plant: (it) => void (headerOf(it).network = "elsewhere") },
    { fault: "another version", isWanted: isUser, plant: (it) => void headerOf(it).protocolVersion++ },
    {
      fault: "no good signature",
      isWanted: isUser,
      plant: (it) => void Object.assign(it.transaction!, { verdict: false }),
    },
  ],
  nonceIsSaid: [{ fault: "another nonce", isWanted: isUser, plant: (it) => void headerOf(it).nonce++ }],
  grantStatesGoForward: [
    {
      fault: "a grant that comes back",
      isWanted: has("authorizationChanged"),
      plant: (it) => set(it, "authorizationChanged", "status", 0),
    },
  ],
  agentWithinGrant: [
    {
      fault: "an agent of nobody",
      isWanted: (it) => isUser(it) && headerOf(it).signer !== headerOf(it).account.address,
      plant: (it) => void (headerOf(it).signer = `0x${"77".repeat(20)}` as never),
    },
    {
      fault: "a grant beyond its time",
      isWanted: (it) => isUser(it) && headerOf(it).signer !== headerOf(it).account.address,
      plant: ({ state }) => void (state.authorizations.expiresAt as unknown as Float64Array).fill(1),
    },
  ],
  systemBySystem: [
    {
      fault: "a user who mints",
      isWanted: isUser,
      plant: ({ state, actor }) => state.events.minted({ account: actor, amount: 1 }),
    },
  ],
  faucetIsOn: [
    { fault: "a mint of another amount", isWanted: has("minted"), plant: (it) => bend(it, "minted", "amount", 1) },
  ],
  movesExactly: [
    {
      fault: "a unit more",
      isWanted: (it) => isUser(it) && has("withdrawn")(it),
      plant: (it) => bend(it, "withdrawn", "amount", 1),
    },
    {
      fault: "a reference that did not come with it",
      isWanted: has("deposited"),
      plant: (it) =>
        set(
          it,
          "deposited",
          "reference",
          it.events.some((e) => e.kind === "deposited" && e.reference === NONE) ? it.state.events.text("x") : NONE,
        ),
    },
    {
      fault: "a unit of somebody's",
      isWanted: (it) => isUser(it) && has("transferred")(it),
      plant: (it) => bend(it, "balanceChanged", "collateral", 1),
    },
  ],
  refusalHolds: [
    { fault: "numbers left out", isWanted: refused, plant: (it) => it.state.receipts.numbers.clear() },
    {
      fault: "enough where it is said to lack",
      isWanted: (it) => refused(it) && numbersOf(it)["required"] !== undefined,
      plant: (it) => say(it, { equity: 9, required: 9 }),
    },
    {
      fault: "an order that nobody asked for",
      isWanted: (it) =>
        refused(it) && numbersOf(it)["orderId"] !== undefined && it.transaction?.action === "cancelOrder",
      plant: (it) => say(it, { orderId: Number(numbersOf(it)["orderId"]) + 1 }),
    },
    {
      fault: "a number that is none",
      isWanted: (it) => refused(it) && numbersOf(it)["least"] !== undefined,
      plant: (it) => say(it, { ...numbersOf(it), least: Number.NaN }),
    },
  ],
  appliedIsSane: [
    { fault: "an order of nothing", isWanted: opened, plant: (it) => void (payloadOf(it).size = 0 as never) },
    { fault: "a price off the grid", isWanted: opened, plant: (it) => void (payloadOf(it).price = 0.5 as never) },
  ],
  movesWithinClamp: [
    {
      fault: "a leap of the index",
      isWanted: (it) =>
        it.step === "pricesMoved" &&
        it.block.height > 5 &&
        has("pricesMoved")(it) &&
        it.state.parameters.every(({ markMethod }) => markMethod !== MARK_METHOD.external),
      plant: (it) => bend(it, "pricesMoved", "index", 9e14),
    },
    { fault: "a mark of nothing", isWanted: has("pricesMoved"), plant: (it) => set(it, "pricesMoved", "mark", 0) },
  ],
  markNearIndex: [
    {
      fault: "a mark far away",
      isWanted: (it) =>
        it.step === "pricesMoved" &&
        has("pricesMoved")(it) &&
        it.state.parameters.every(({ markMethod }) => markMethod !== MARK_METHOD.external),
      plant: (it) => bend(it, "pricesMoved", "mark", 9e14),
    },
  ],
  oracleIsPositive: [
    { fault: "a negative price", isWanted: has("oracleUpdated"), plant: (it) => set(it, "oracleUpdated", "price", -1) },
    {
      fault: "a price of tomorrow",
      isWanted: has("oracleUpdated"),
      plant: (it) => bend(it, "oracleUpdated", "timeMs", 1e10),
    },
  ],
  statusSteps: [
    {
      fault: "a step that there is not",
      isWanted: (it) => it.block.height > 2 && has("marketChanged")(it) && it.transaction?.action === "updateMarket",
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.initializing }),
    },
  ],
  closedMarketsRest: [
    {
      fault: "a trade in a halted market",
      isWanted: traded,
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.halted }),
    },
    {
      fault: "a trade in a gap",
      isWanted: traded,
      plant: ({ state }) => void (state.markets.gap as unknown as Uint8Array).fill(1),
    },
  ],
  reduceOnlyMarkets: [
    {
      fault: "a position that grows",
      isWanted: (it) =>
        it.events.some(
          (event) => event.kind === "positionChanged" && event.account === it.actor && event.realized === 0,
        ) && traded(it),
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.reduceOnly }),
    },
  ],
  gapStopsRisk: [
    {
      fault: "a liquidation in a gap",
      isWanted: (it) => it.step === "riskPassed" && (has("fill")(it) || has("deleveraged")(it)),
      plant: ({ state }) => void (state.markets.gap as unknown as Uint8Array).fill(1),
    },
  ],
  firesArmed: [
    {
      fault: "an intent that nobody armed",
      isWanted: ({ step }) => step === "triggersFired",
      plant: ({ state }) => state.events.intentTriggered({ intent: 7, account: 1, market: 0, value: 1, size: 1 }),
    },
    {
      fault: "an intent that fires twice",
      isWanted: has("intentTriggered"),
      plant({ state, events }) {
        const { intent, account, market, value, size } = events.find((event) => event.kind === "intentTriggered")!;
        state.events.intentTriggered({ intent, account, market, value, size });
      },
    },
  ],
  worstFirst: [
    {
      fault: "turns the other way round",
      isWanted: (it) => it.step === "riskPassed" && turnsOf(it).length > 1,
      plant(it) {
        const [one, other] = turnsOf(it);
        for (const [place, name] of [
          [one!, it.events[other!]],
          [other!, it.events[one!]],
        ] as const) {
          const { account, bucket } = name as EventOf<"liquidationStarted">;
          setField(it.state, it.places[place]!, "liquidationStarted", "account", account);
          setField(it.state, it.places[place]!, "liquidationStarted", "bucket", bucket);
        }
      },
    },
  ],
  endsOnce: [
    {
      fault: "an intent that ends twice",
      isWanted: has("intentCancelled"),
      plant({ state, events }) {
        const { intent, account, market } = events.find((event) => event.kind === "intentCancelled")!;
        state.events.intentExpired({ intent, account, market });
      },
    },
  ],
  trailFollows: [
    {
      fault: "an extreme that is no better",
      isWanted: has("intentTrailed"),
      plant({ state, events }) {
        const { intent, extreme, trigger } = events.find((event) => event.kind === "intentTrailed")!;
        state.events.intentTrailed({ intent, extreme, trigger });
      },
    },
  ],
  marginAfterAction: [
    {
      fault: "an order that nobody can afford",
      isWanted: (instant) => isUser(instant) && has("orderOpened")(instant),
      plant({ state }) {
        for (const account of listAccounts(state)) loose(state.accounts.collateral)[account]! -= 8e15;
      },
    },
  ],
  makerAfterFill: [
    {
      fault: "a maker that cannot carry its fill",
      isWanted({ actor, events, state }) {
        const fills = events.filter((event) => event.kind === "fill");
        const maker = fills[0]?.makerAccount as AccountRow;
        return actor !== NONE && fills.length === 1 && maker !== actor && state.accounts.role[maker] === ROLE.normal;
      },
      plant({ state }) {
        for (const account of listAccounts(state)) loose(state.accounts.collateral)[account]! -= 8e15;
        for (const at of listPositions(state)) loose(state.positions.isolated)[at]! -= 8e15;
      },
    },
  ],
};

/** What no flow comes to has a test of its own. */
const ELSEWHERE = ["twinsInOrder"];

describe("a planted fault is seen right after the transaction or step", () => {
  for (const [id, list] of Object.entries(plants)) {
    const invariant = invariants.find((candidate) => candidate.id === id)!;
    for (const { fault, ...planted } of list) {
      test(`${id}: ${fault}`, () => {
        expect(findPlanted(planted, [invariant])[0]).toMatchObject({ invariant: id });
      });
    }
  }

  test("and every invariant has one, if it looks there", () => {
    const touched = invariants.filter(({ touched: look, event }) => look !== undefined || event !== undefined);
    expect([...Object.keys(plants), ...ELSEWHERE].sort()).toEqual(touched.map(({ id }) => id).sort());
  });
});
