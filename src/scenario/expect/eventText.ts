import type { AccountRow, MarketRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { AUTHORITIES } from "../../protocol/action.ts";
import { type EventKind, type EventUnit, events, type VenueEvent } from "../../protocol/events.ts";
import { EVENT_WORDS } from "../../protocol/eventWords.ts";
import { nameLiquidation } from "../../protocol/liquidationId.ts";
import { REJECTION_NAMES } from "../../protocol/rejections.ts";
import type { Names } from "../../simulation/accountNames.ts";
import { accountName, lotsText, priceText, rateText, ticksText, usd } from "./units.ts";

/** An event in the words of a scenario: every field as text, in the units of traders. */
export interface EventText {
  readonly kind: EventKind;
  readonly fields: Readonly<Record<string, string>>;
}

/** Units of the fields of a kind. */
export function unitsOf(kind: EventKind): Readonly<Record<string, EventUnit>> {
  return events[kind].fields;
}

/** Reads an event of a block that was just applied. `none` stands for no account, no market, no text. */
export function readEventText(state: State, names: Names, texts: readonly string[], event: VenueEvent): EventText {
  const { kind } = event;
  const values = event as unknown as Readonly<Record<string, number>>;
  const fields: Record<string, string> = {};
  for (const [name, unit] of Object.entries(unitsOf(kind))) {
    fields[name] = fieldText(state, names, texts, event, name, unit, values[name]!);
  }
  return { kind, fields };
}

function fieldText(
  state: State,
  names: Names,
  texts: readonly string[],
  event: VenueEvent,
  name: string,
  unit: EventUnit,
  value: number,
): string {
  const market = ((event as { market?: number }).market ?? -1) as MarketRow;
  switch (unit) {
    case "account":
      if (value >= 0) return accountName(state, names, value as AccountRow);
      return event.kind === "nonceAdvanced" ? AUTHORITIES[-1 - value]! : "none";
    case "market":
      return value < 0 ? "none" : state.marketNames[value]!;
    case "ticks":
      return market < 0 ? String(value) : ticksText(state, market, value);
    case "lots":
      return market < 0 ? String(value) : lotsText(state, market, value);
    case "amount":
      return usd(value);
    case "priceE8":
      return priceText(value);
    case "ppb":
      return rateText(value);
    case "word":
      return EVENT_WORDS[`${event.kind}.${name}`]?.[value] ?? String(value);
    case "flag":
      return value === 0 ? "false" : "true";
    case "text":
      return value < 0 ? "none" : texts[value]!;
    case "word32":
      return `0x${(value >>> 0).toString(16).padStart(8, "0")}`;
    case "liquidation":
      return value === 0 ? "0" : nameLiquidation(value);
    case "code":
      return REJECTION_NAMES[value] ?? "none";
    default:
      return String(value);
  }
}
