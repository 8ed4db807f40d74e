/** Orders that rest, match, fill and end. */

import { NONE } from "../../../../src/ground/collections/table.ts";
import { CANCEL_CAUSE, type EventOf, type VenueEvent } from "../../../../src/protocol/events.ts";
import {
  ORDER_TYPE,
  POST_ONLY,
  REDUCE_ONLY_RESTING,
  ROLE,
  SIDE,
  TIME_IN_FORCE,
} from "../../../../src/protocol/words.ts";
import { setExpiry } from "../../../../src/venue/engine/book/extras.ts";
import { isInBand } from "../../../../src/venue/engine/matching/band.ts";
import type { AccountRow, MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { listMarkets, listOrders } from "../../../../src/venue/engine/state/walk.ts";
import { loose } from "../../../helpers/loose.ts";
import { bend, type Instant, setField } from "../../../helpers/moments.ts";
import { opensLevelAtEnd, resizeLevelAtEnd, shrinksBeforeOther } from "./houseFlows.ts";
import { has, isOrder, isUser, opened, type Plants, payloadOf, replaceRules, set, traded } from "./plant.ts";

const fillOf = ({ events }: Instant) => events.find((event) => event.kind === "fill")!;

/** Two fills of one taker at one price, with consecutive makers. */
const findQueue = ({ events }: Instant) =>
  events.findIndex((event, at) => {
    const next = events.findIndex((other, place) => place > at && other.kind === "fill");
    if (event.kind !== "fill" || next < 0) return false;
    const other = events[next] as typeof event;
    return other.price === event.price && other.makerOrder !== event.makerOrder && other.market === event.market;
  });

/**
 * An order that its owner cancels in a transaction of its own, far from every limit: a resting one, without an expiry.
 */
const cancelsFarOrder = (it: Instant) =>
  isUser(it) &&
  it.transaction?.action === "cancelOrder" &&
  it.events.some(
    (event) => event.kind === "orderCancelled" && event.cause === CANCEL_CAUSE.owner && isFar(it.state, event),
  );

/** An order within the current band: a resting order may be outside by now. */
const cancelsWithinBand = (it: Instant) =>
  cancelsFarOrder(it) &&
  it.events.every(
    (event) => event.kind !== "orderCancelled" || wasWithinBand(it, event.order, event.market as MarketRow),
  );

const wasWithinBand = ({ state, before: { orderIndex, orders } }: Instant, id: number, market: MarketRow) => {
  const row = orderIndex.find(orders, id as never);
  return row !== NONE && isInBand(state, market, orders.price[row]!);
};

/** Whether its margin account holds much more than any margin. */
const isFar = ({ accounts, parameters, markets }: Instant["state"], event: EventOf<"orderCancelled">) => {
  const market = event.market as MarketRow;
  const worth = (event.remaining * parameters[market]!.lotSize * markets.mark[market]!) / 1e10;
  const owns = accounts.position[event.account as AccountRow]! === NONE;
  return owns && accounts.collateral[event.account as AccountRow]! > worth * 10;
};

/** Changes the cause of the first cancellation. */
const recause = (it: Instant, cause: keyof typeof CANCEL_CAUSE) =>
  set(it, "orderCancelled", "cause", CANCEL_CAUSE[cause]);

/** A cancellation of another owner's order. */
const isOther =
  ({ state: { accounts }, actor }: Instant) =>
  (event: VenueEvent) =>
    event.kind === "orderCancelled" && accounts.owner[event.account as AccountRow] !== accounts.owner[actor];

/** Places of the orders that expired. */
const expiredIn = (events: readonly VenueEvent[]) =>
  events.flatMap((event, at) => (event.kind === "orderCancelled" && event.cause === CANCEL_CAUSE.expired ? [at] : []));

/** An amendment after which its order rests at the end of a level. */
const isRequeued = (it: Instant) => it.transaction?.action === "amendOrder" && has("orderOpened")(it);

/** A market order that filled in part. */
const isHalfFilledMarket = (it: Instant) =>
  traded(it) && has("orderCancelled")(it) && payloadOf(it).orderType === ORDER_TYPE.market;

export const orderPlants: Plants = {
  reduceOnlyWithin: [
    {
      fault: "more than the position",
      isWanted: ({ events }) => events.some((event) => event.kind === "orderOpened" && event.reduceOnly === 1),
      plant(it) {
        replaceRules(it, { reduceOnlyResting: REDUCE_ONLY_RESTING.trim });
        for (const order of listOrders(it.state)) loose(it.state.orders.remaining)[order]! *= 1000;
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
      fault: "a fill at a worse price than a resting order's",
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
      isWanted: (it) => {
        const amended = it.events.find((event) => event.kind === "orderAmended") as { requeued?: number } | undefined;
        return isUser(it) && amended?.requeued === 0;
      },
      plant: (it) => bend(it, "orderAmended", "remaining", 1e6),
    },
    {
      fault: "a level that grew before a younger order",
      isWanted: shrinksBeforeOther,
      plant: (it) => bend(it, "orderAmended", "remaining", 1e6),
    },
  ],
  levelsAsNamed: [-1, 1].map((by) => ({
    fault: `a level with a lot too ${by < 0 ? "few" : "many"}`,
    isWanted: opensLevelAtEnd,
    plant: (it) => resizeLevelAtEnd(it, by),
  })),
  fillAtMakersPrice: [
    { fault: "a tick off the maker's price", isWanted: traded, plant: (it) => bend(it, "fill", "price", 1) },
    { fault: "more than the order has", isWanted: traded, plant: (it) => set(it, "fill", "size", 9e14) },
    { fault: "another account's order", isWanted: traded, plant: (it) => bend(it, "fill", "makerAccount", 1) },
  ],
  fillIsPositive: [{ fault: "a fill of no lots", isWanted: traded, plant: (it) => set(it, "fill", "size", 0) }],
  restsOnGrid: [
    { fault: "a price of zero", isWanted: opened, plant: (it) => set(it, "orderOpened", "price", 0) },
    { fault: "no lots", isWanted: opened, plant: (it) => set(it, "orderOpened", "remaining", 0) },
    { fault: "a negative order cost", isWanted: opened, plant: (it) => set(it, "orderOpened", "orderCost", -1) },
  ],
  orderIdsAreNew: [
    { fault: "the id of a later order", isWanted: opened, plant: (it) => bend(it, "orderOpened", "order", 64) },
  ],
  noSelfTrade: [
    {
      fault: "a trade with the own account",
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
  amendKeepsTerms: (["selfTrade", "selfTradeScope", "postOnly", "reduceOnly"] as const).map((name) => ({
    fault: `an amended order with another ${name}`,
    isWanted: isRequeued,
    plant(it: Instant) {
      const rests = it.events.find((event) => event.kind === "orderOpened")!;
      set(it, "orderOpened", name, rests[name] === 0 ? 1 : 0);
    },
  })),
  cancelNamesCause: [
    {
      fault: "a cancellation of no lots",
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
    ...(
      [
        ["positionLimit", "a position limit that is far"],
        ["openInterest", "open interest that is far from its limit"],
        ["priceBand", "a price within the band"],
        ["margin", "margin that was sufficient"],
        ["expired", "an expiry that is to come"],
        ["scheduled", "a schedule that does not exist"],
        ["liquidation", "a liquidation that did not begin"],
        ["reduceOnly", "an order that is not reduce-only"],
        ["replaced", "an amendment that did not happen"],
        ["revoked", "a grant that was not revoked"],
        ["settlement", "a settlement that did not happen"],
      ] as const
    ).map(([cause, fault]) => ({
      fault,
      isWanted: cause === "priceBand" ? cancelsWithinBand : cancelsFarOrder,
      plant: (it: Instant) => recause(it, cause),
    })),
    {
      fault: "a self-trade of strangers",
      isWanted: (it) => isUser(it) && it.events.some(isOther(it)),
      plant(it) {
        const { state, events, places } = it;
        const at = events.findIndex(isOther(it));
        setField(state, places[at]!, "orderCancelled", "cause", CANCEL_CAUSE.selfTrade);
      },
    },
    {
      fault: "an owner that cancels as orders expire",
      isWanted: ({ step, events }) => step === "expired" && events.some(({ kind }) => kind === "orderCancelled"),
      plant: (it) => recause(it, "owner"),
    },
    {
      fault: "expiries of a block in reverse order",
      isWanted: ({ step, events }) => step === "expired" && expiredIn(events).length > 1,
      plant({ state, events, places }) {
        const list = expiredIn(events);
        const ends = [list[0]!, list[list.length - 1]!] as const;
        for (const [place, at] of ends.entries()) {
          const { order, account, market, remaining } = events[ends[1 - place]!] as EventOf<"orderCancelled">;
          for (const [field, value] of Object.entries({ order, account, market, remaining }))
            setField(state, places[at]!, "orderCancelled", field, value);
        }
      },
    },
  ],
  reduceOnlyEnters: [
    {
      fault: "an order beyond the position that is not cut",
      isWanted: (it) => it.events.some((event) => event.kind === "orderOpened" && event.reduceOnly === 1),
      plant({ state, events, places }) {
        const at = events.findIndex((event) => event.kind === "orderOpened" && event.reduceOnly === 1);
        const { order } = events[at] as EventOf<"orderOpened">;
        for (const [place, event] of events.entries())
          if ((event.kind === "orderOpened" || event.kind === "orderResized") && event.order === order)
            setField(state, places[place]!, event.kind, "remaining", 1e12);
      },
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
    {
      fault: "a market order that is half filled and not killed",
      isWanted: (it) => isHalfFilledMarket(it) && !payloadOf(it).reduceOnly,
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
      fault: "an order that should have expired",
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
      fault: "a scheduled cancel that is overdue",
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
  fillArithmetic: (["value", "makerFee", "takerFee", "size"] as const).map((field) => ({
    fault: `a fill with another ${field}`,
    isWanted: traded,
    plant: (it: Instant) => bend(it, "fill", field, 1),
  })),
  fillNeverPays: [
    { fault: "a rebate beyond the fee", isWanted: traded, plant: (it) => set(it, "fill", "makerFee", -9e14) },
  ],
};
