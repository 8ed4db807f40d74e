import type { Event } from "../../api/schemas/transactions.ts";
import { readEvent } from "../../engine/events/readEvents.ts";
import type { State } from "../../engine/state/state.ts";
import { EVENT_KINDS } from "../../protocol/events.ts";
import { readEventValues } from "../../simulation/explain/eventValues.ts";
import { joinWords } from "../../simulation/explain/joinWords.ts";
import type { Models } from "../history/history.ts";
import { type EventPlace, nameEvent } from "../history/walkEvents.ts";
import type { BlockEntry } from "../host/host.ts";

/** What names what events leave to their venue. */
export interface EventNames extends Pick<Models, "orders" | "intents"> {
  readonly state: State;
}

/** @param at where it starts in the block's event data */
export function viewEvent(
  { state, orders, intents }: EventNames,
  entry: BlockEntry,
  at: number,
  { height, txIndex, eventIndex }: EventPlace,
): Event {
  const marketOf = (id: number) => orders.find(id)?.market ?? intents.find(id)?.market;
  return {
    eventId: nameEvent({ height, txIndex, eventIndex }),
    kind: EVENT_KINDS[entry.events[at]!]!,
    height,
    txIndex,
    eventIndex,
    txId: entry.ids[txIndex] ?? null,
    fields: joinWords(readEventValues({ state, texts: entry.texts, marketOf }, readEvent(entry.events, at))),
  };
}
