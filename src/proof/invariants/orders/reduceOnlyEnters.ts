import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const reduceOnlyEnters = defineInvariant({
  id: "reduceOnlyEnters",
  sentence: "A reduce-only order rests with at most the lots of its position.",
  rules: ["ORD-9"],
  catalogue: ["B09"],
  when: "events",
  kinds: ["orderOpened"],
  event(moment, at) {
    const { data, ledger } = moment;
    const { order, account, market, side, reduceOnly, remaining } = AT.orderOpened;
    if (data[at + reduceOnly] === 0) return undefined;
    moment.met++;
    const id = data[at + order]!;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    const signedLots: number = row === NONE ? 0 : ledger.now.positions.signedLots[row];
    const most = Math.max(0, data[at + side] === 0 ? -signedLots : signedLots);
    let left = data[at + remaining]!;
    // The excess over the position is cut right after the order rests, and its grant has already counted it.
    let next = at + EVENT_WIDTHS[data[at]!]!;
    if (next < moment.to && data[next] === EVENT_CODES.authorizationOrder) next += EVENT_WIDTHS[data[next]!]!;
    if (next < moment.to && data[next] === EVENT_CODES.orderCancelled && data[next + AT.orderCancelled.order] === id)
      left = 0;
    if (next < moment.to && data[next] === EVENT_CODES.orderResized && data[next + AT.orderResized.order] === id)
      left = data[next + AT.orderResized.remaining]!;
    return left <= most ? undefined : `order ${id} rests with ${left} lots against a position of ${signedLots}`;
  },
});
