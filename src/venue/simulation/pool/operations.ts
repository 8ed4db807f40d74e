import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { findActor } from "../../engine/authorization/admission.ts";
import type { AccountRow, IntentRow, PositionRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { lanePartsOf, type Pending } from "./lanes.ts";
import { type Room, roomOf } from "./rooms.ts";

/** Most order operations of a block in the room `main`, and again as many in the room `risk`. */
export const OPERATIONS_MOST = 10_000;

/**
 * Bounds what a block costs, in order operations. A batch counts its orders, `cancelOrders` the orders that it names,
 * an intent group its legs, and `cancelAll` the resting orders and intents that it cancels; every other transaction
 * counts 1, and none counts less. `main` and `risk` are bounded apart, so orders keep no cancel-all and no close out.
 * System transactions are not bounded: prices must not wait.
 *
 * The first transaction of a room that does not fit ends the room for this block, so smaller ones do not overtake it. A
 * transaction above the whole bound is taken alone in its room.
 */
export class OperationBudget {
  readonly #state: State;
  readonly #most: number;
  readonly #used = { main: 0, risk: 0, system: 0 };
  readonly #ended = new Set<Room>();
  /** What a `cancelAll` of the block cancels: a second one finds it gone. */
  readonly #positions = new Set<PositionRow>();
  readonly #intents = new Set<IntentRow>();

  constructor(state: State, most: number) {
    this.#state = state;
    this.#most = most;
  }

  /** Whether the block takes the transaction; if so, its operations are spent. */
  take({ transaction }: Pending): boolean {
    const room = roomOf(lanePartsOf(transaction));
    if (room === "system") return true;
    if (this.#ended.has(room)) return false;
    const used = this.#used[room];
    const operations = Math.max(1, this.#count(transaction));
    if (used > 0 && used + operations > this.#most) {
      this.#ended.add(room);
      return false;
    }
    this.#used[room] = used + operations;
    return true;
  }

  #count(transaction: Transaction): number {
    const { action, payload } = transaction;
    switch (action) {
      case "placeOrders":
        return (payload as Payloads["placeOrders"]).orders.length;
      case "cancelOrders": {
        const { orderIds, clientOrderIds } = payload as Payloads["cancelOrders"];
        return orderIds.length + clientOrderIds.length;
      }
      case "placeIntent":
        return (payload as Payloads["placeIntent"]).legs.length;
      case "cancelAll":
        return this.#countCancelled(findActor(this.#state, transaction), payload as Payloads["cancelAll"]);
      default:
        return 1;
    }
  }

  #countCancelled(account: AccountRow, { market, intents: cancelsIntents }: Payloads["cancelAll"]): number {
    if (account === NONE) return 0;
    const { accounts, positions, intents, marketRows } = this.#state;
    const only = marketRows.get(market);
    const isMeant = (row: number) => market === "" || row === only;
    let count = 0;
    for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
      if (!isMeant(positions.market[at]!) || this.#positions.has(at)) continue;
      this.#positions.add(at);
      count += positions.orderCount[at]!;
    }
    if (!cancelsIntents) return count;
    for (let at = accounts.intents[account]!; at !== NONE; at = intents.older[at]!) {
      if (!isMeant(intents.market[at]!) || this.#intents.has(at)) continue;
      this.#intents.add(at);
      count++;
    }
    return count;
  }
}
