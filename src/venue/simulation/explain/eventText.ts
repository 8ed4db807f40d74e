import type { EventKind, VenueEvent } from "../../../protocol/events.ts";
import type { State } from "../../engine/state/state.ts";
import { readEventValues } from "./eventValues.ts";
import type { MarketOf } from "./marketsOfBlock.ts";

/** An event in words: every field as text, in the units of traders. */
export interface EventText {
  readonly kind: EventKind;
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads an event of a block that was just applied. An absent account, market or text reads `none`. */
export function readEventText(
  state: State,
  texts: readonly string[],
  event: VenueEvent,
  marketOf: MarketOf,
): EventText {
  const raw = event as unknown as Readonly<Record<string, number>>;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(readEventValues({ state, texts, marketOf }, event))) {
    // A number whose unit depends on a market is printed as a plain count if there is no market.
    fields[name] = value === null && raw[name]! > 0 ? `${raw[name]}` : `${value ?? "none"}`;
  }
  return { kind: event.kind, fields };
}
