import type { Event } from "../../api/schemas/transactions.ts";
import { readEvent } from "../../engine/events/readEvents.ts";
import type { State } from "../../engine/state/state.ts";
import { EVENT_KINDS } from "../../protocol/events.ts";
import { type EventValue, readEventValues } from "../../simulation/explain/eventValues.ts";
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

/** Words of 32 bits in a row are one address, or one id. */
const JOINED = [
  { name: "address", parts: ["w0", "w1", "w2", "w3", "w4"] },
  { name: "agent", parts: ["a0", "a1", "a2", "a3", "a4"] },
  { name: "authorizationId", parts: ["i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7"] },
] as const;

function joinWords(fields: Record<string, EventValue>): Record<string, EventValue> {
  for (const { name, parts } of JOINED) {
    if (!Object.hasOwn(fields, parts[0])) continue;
    fields[name] = `0x${parts.map((part) => String(fields[part]).slice(2)).join("")}`;
    for (const part of parts) delete fields[part];
  }
  return fields;
}
