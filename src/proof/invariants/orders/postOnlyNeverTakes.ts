import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { POST_ONLY, SIDE } from "../../../protocol/words.ts";
import { FLAG_POST_ONLY } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";
import { findEntered } from "./entered.ts";

export const postOnlyNeverTakes = defineInvariant({
  id: "postOnlyNeverTakes",
  sentence: "A post-only order never trades as taker, neither when it enters nor when it is amended.",
  rules: ["ORD-2"],
  catalogue: ["B06"],
  when: "events",
  kinds: ["fill", "orderOpened"],
  slack: "ticks",
  event(moment, at) {
    const { data, ledger } = moment;
    if (data[at] === EVENT_CODES.orderOpened) {
      if (data[at + AT.orderOpened.postOnly] !== POST_ONLY.no) noteDistance(moment, at);
      return undefined;
    }
    const id = data[at + AT.fill.takerOrder]!;
    const entered = findEntered(moment, id);
    const row = ledger.findOrder(id);
    const rested = row !== NONE && (ledger.now.orders.flags[row] & FLAG_POST_ONLY) !== 0;
    if (!rested && (entered === undefined || entered.postOnly === POST_ONLY.no)) return undefined;
    return `order ${id} is post-only and trades as taker`;
  },
});

/** Counts a post-only order that rests, and its ticks to the best price that it would have taken. */
function noteDistance(moment: Moment, at: number): void {
  const { data, state } = moment;
  const { market, side, price } = AT.orderOpened;
  moment.met++;
  const { bestBid, bestAsk } = state.books[data[at + market]!]!;
  const ticks = data[at + price]!;
  const buys = data[at + side] === SIDE.buy;
  const best = buys ? bestAsk : bestBid;
  if (best === 0) return;
  const distance = buys ? best - ticks : ticks - best;
  // A later leg of the same transaction may have taken the order and come to rest beyond its price.
  if (distance > 0) near(moment, distance - 1);
}
