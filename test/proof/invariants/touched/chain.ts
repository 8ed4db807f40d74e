/** Events that report all changes, and sums that add up. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import { EVENT_CODES } from "../../../../src/protocol/events.ts";
import { ROLE } from "../../../../src/protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { listPositions } from "../../../../src/venue/engine/state/walk.ts";
import { loose } from "../../../helpers/loose.ts";
import { bend, type Instant, setField } from "../../../helpers/moments.ts";
import { filledOnce, has, isUser, opened, type Plants, set, traded } from "./plant.ts";

/** An order that rests under a name, whose text is not the first of this block. */
const named = ({ events, state }: Instant) =>
  state.events.texts.length > 1 && events.some((event) => event.kind === "orderOpened" && event.client > 0);

export const chainPlants: Plants = {
  eventsAreComplete: [
    {
      fault: "collateral without an event",
      isWanted: isUser,
      plant: ({ state, actor }) => void loose(state.accounts.collateral)[actor]!++,
    },
    {
      fault: "an order that changed without an event",
      isWanted: has("orderOpened"),
      plant({ state, events }) {
        const opened = events.find(({ kind }) => kind === "orderOpened") as { order: number };
        loose(state.orders.orderCost)[state.orderIndex.find(state.orders, opened.order)]!++;
      },
    },
    {
      fault: "a change that does not lead to the reported value",
      isWanted: has("balanceChanged"),
      plant: (instant) => bend(instant, "balanceChanged", "delta", 1),
    },
    {
      fault: "a transaction counted twice",
      isWanted: isUser,
      plant: ({ state }) => void state.consumed++,
    },
  ],
  eventsReportChanges: [
    {
      fault: "a payment of nothing",
      isWanted: has("balanceChanged"),
      plant: (instant) => set(instant, "balanceChanged", "delta", 0),
    },
    {
      fault: "an account that never waited waits no longer",
      isWanted: ({ step, state }) => step === "riskPassed" && state.accounts.queuedSince[0 as AccountRow] === 0,
      plant: ({ state }) => state.events.liquidationQueued({ account: 0, marginAccount: NONE, since: 0 }),
    },
    {
      fault: "prices that moved to their old values",
      isWanted: ({ step, state }) => step === "fundingAccrued" && state.markets.mark[0 as MarketRow]! > 0,
      plant({ state: { markets, events } }) {
        const market = 0 as MarketRow;
        const { index, mark, basis } = markets;
        events.pricesMoved({ market, index: index[market]!, mark: mark[market]!, basis: basis[market]! });
      },
    },
    {
      fault: "trades of intents without a price",
      isWanted: ({ step, state }) => step === "triggersFired" && state.parameters.length > 0,
      plant: ({ state }) => state.events.intentsTraded({ market: 0, high: 0, low: 0 }),
    },
    {
      fault: "deleted days that had no volume",
      isWanted: ({ step, state }) => step === "opened" && state.volumes.rows.count > 0,
      plant: ({ state }) => state.events.volumesForgotten({ day: 1 }),
    },
    {
      fault: "confidence of a price that was not taken",
      isWanted: ({ events }) => events.some((event) => event.kind === "oracleUpdated" && event.price === 0),
      plant({ state, events, places }) {
        const at = events.findIndex((event) => event.kind === "oracleUpdated" && event.price === 0);
        setField(state, places[at]!, "oracleUpdated", "confidence", 1);
      },
    },
    {
      fault: "an order without a grant, with the event of one",
      isWanted: has("authorizationOrder"),
      plant: (instant) => set(instant, "authorizationOrder", "authorization", NONE),
    },
    {
      fault: "an order that shrank by nothing",
      isWanted: opened,
      plant({ state, events }) {
        const order = events.find((event) => event.kind === "orderOpened")!;
        const { remaining, orderCost } = order;
        state.events.orderResized({ order: order.order, remaining, orderCost, cause: 0 });
      },
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
          marginAccount: NONE,
        });
      },
    },
  ],
  conservation: [
    {
      fault: "a unit out of nothing",
      isWanted: filledOnce,
      plant: (instant) => bend(instant, "positionChanged", "collateral", 1),
    },
  ],
  reserves: (["buys", "sells", "buyOrderCost", "sellOrderCost", "reduceOnly", "orderCount"] as const).map((name) => ({
    fault: `one too much in ${name}`,
    isWanted: opened,
    plant({ state }: Instant) {
      for (const at of listPositions(state)) loose(state.positions[name])[at]!++;
    },
  })),
  accountsAddUp: [
    {
      fault: "a unit without a source",
      isWanted: has("balanceChanged"),
      plant: (it) => bend(it, "balanceChanged", "delta", 1),
    },
    {
      fault: "a unit that came with a trade",
      isWanted: (it) => traded(it) && it.actor >= 0,
      plant: ({ state, actor }) => void loose(state.accounts.collateral)[actor]!++,
    },
  ],
  eventsWellFormed: [
    { fault: "half a unit", isWanted: has("fill"), plant: (it) => bend(it, "fill", "price", 0.5) },
    { fault: "minus zero", isWanted: has("fill"), plant: (it) => set(it, "fill", "price", -0) },
    {
      fault: "an account that is not there",
      isWanted: has("fill"),
      plant: (it) => set(it, "fill", "makerAccount", 1e3),
    },
    { fault: "a market that is not there", isWanted: has("fill"), plant: (it) => set(it, "fill", "market", 1e3) },
    {
      fault: "a field that is never written",
      isWanted: has("fill"),
      plant({ state: { events } }) {
        const at = events.begin(3);
        events.data[at] = EVENT_CODES.restartChanged;
        events.data[at + 1] = 0;
      },
    },
    { fault: "the text of another event", isWanted: named, plant: (it) => set(it, "orderOpened", "client", 0) },
    { fault: "a text that no event names", isWanted: named, plant: ({ state }) => void state.events.text("x") },
    {
      fault: "an empty text",
      isWanted: named,
      plant: ({ state }) => void (state.events.texts[state.events.texts.length - 1] = ""),
    },
    {
      fault: "another address",
      isWanted: has("accountCreated"),
      plant: (it) => bend(it, "accountCreated", "w4", 1),
    },
  ],
};
