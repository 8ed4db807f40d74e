import { describe, expect, test } from "vitest";
import { NONE } from "../../src/collections/table.ts";
import type { AccountRow } from "../../src/engine/state/schema.ts";
import { listAccounts, listMarkets, listOrders, listPositions } from "../../src/invariants/exact/walk.ts";
import { invariants } from "../../src/invariants/list.ts";
import type { Payloads } from "../../src/protocol/actions/index.ts";
import type { EventKind } from "../../src/protocol/events.ts";
import type { MarketParameters } from "../../src/protocol/parameters.ts";
import { ORDER_TYPE, POST_ONLY, ROLE, SIDE, TIME_IN_FORCE } from "../../src/protocol/words.ts";
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
const replaceRules = ({ state }: Instant, rules: Partial<MarketParameters>) => {
  for (const [market, old] of state.parameters.entries()) state.parameters[market] = { ...old, ...rules };
};
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
        for (const order of listOrders(state)) loose(state.orders.goodTilHeight)[order] = block.height - 1;
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
    expect(Object.keys(plants).sort()).toEqual(touched.map(({ id }) => id).sort());
  });
});
