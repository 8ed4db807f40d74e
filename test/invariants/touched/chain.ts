/** Events that tell all, and sums that add up. */
import { NONE } from "../../../src/collections/table.ts";
import { listPositions } from "../../../src/invariants/exact/walk.ts";
import { ROLE } from "../../../src/protocol/words.ts";
import { loose } from "../../helpers/loose.ts";
import { bend, type Instant } from "../../helpers/moments.ts";
import { has, isUser, opened, type Plants, traded } from "./plant.ts";

export const chainPlants: Plants = {
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
  reserves: (["buys", "sells", "buyCharge", "sellCharge", "reduceOnly", "orderCount"] as const).map((name) => ({
    fault: `one too much in ${name}`,
    isWanted: opened,
    plant({ state }: Instant) {
      for (const at of listPositions(state)) loose(state.positions[name])[at]!++;
    },
  })),
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
};
