/** Stored numbers, indexes, events and definitions. */
import { expect } from "vitest";
import { NONE } from "../../../../src/ground/collections/table.ts";
import { invariants } from "../../../../src/proof/invariants/list.ts";
import { getClientOrderId } from "../../../../src/venue/engine/book/extras.ts";
import { getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { collectDue } from "../../../../src/venue/engine/liquidation/queue.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { FLAG_AGENT, FLAG_EXPIRES, type PositionRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { listAccounts, listOrders, listPositions, positionsOf } from "../../../../src/venue/engine/state/walk.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { firstOpen, firstOrder, type Plants } from "./plant.ts";

const quietCalm = () =>
  findMoment(({ state }) => {
    const fork = forkState(state);
    const due = collectDue(fork);
    return due.length === 0 && findArmed(fork) !== undefined;
  });

export const statePlants: Plants = {
  storable: [
    { fault: "collateral beyond the limit", plant: ({ accounts }) => void (loose(accounts.collateral)[0] = 9e15 + 2) },
    { fault: "half a lot", plant: (state) => void (loose(state.positions.signedLots)[firstOpen(state)]! += 0.5) },
    { fault: "minus zero", plant: (state) => void (loose(state.orders.orderCost)[firstOrder(state)] = -0) },
    { fault: "not a number", plant: ({ markets }) => void (loose(markets.mark)[0] = Number.NaN) },
  ],
  indexes: [
    { fault: "an order without its id", plant: (state) => state.orderIndex.remove(state.orders, firstOrder(state)) },
    { fault: "names forgotten", plant: ({ clients }) => clients.orders.clear() },
    { fault: "extras that no order has", plant: ({ extras }) => void extras.rows.allocate() },
    {
      fault: "an expiry without its flag",
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
    {
      fault: "a flat position at a cost",
      plant: (state) => void (loose(state.positions.signedLots)[firstOpen(state)] = 0),
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
    { fault: "a definition with other rules", plant: (state) => forgeDefinition(state) },
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
      fault: "triggers that are not checked",
      at: () =>
        findMoment(({ state }) => {
          // At this height the pass is tried at marks moved far enough to find a due account.
          const fork = forkState(state);
          collectDue(fork);
          fork.risk.heapSizes.fill(0);
          return (
            invariants.find(({ id }) => id === "fullPass")!.sweep!(
              fork,
              { met: 0, turn: state.height, fork: forkState } as never,
              undefined as never,
            ) !== undefined
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

/** An armed position whose account is not to be checked in the next pass. */
function armedOf(state: State): PositionRow {
  collectDue(state);
  return findArmed(state)!;
}

/** An armed short: some mark always liquidates it, which is not so for a long without leverage. */
function findArmed(state: State): PositionRow | undefined {
  const { positions } = state;
  return listPositions(state).find((at) => positions.heapPlace[at] !== NONE && positions.signedLots[at]! < 0);
}

function loseFirstPosition(state: State): void {
  const account = listAccounts(state).find((row) => positionsOf(state, row).length > 0)!;
  loose(state.accounts.position)[account] = state.positions.next[positionsOf(state, account)[0]!]!;
}

function forgeDefinition(state: State): void {
  const [first] = state.parameters;
  state.parameters[0] = { ...first!, definition: first!.definition.replace("takerFee=", "takerFee=0") };
}
