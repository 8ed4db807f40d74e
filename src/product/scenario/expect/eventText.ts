import { AUTHORITIES } from "../../../protocol/action.ts";
import type { EventUnit } from "../../../protocol/event.ts";
import { type EventKind, events, type VenueEvent } from "../../../protocol/events.ts";
import { EVENT_WORDS } from "../../../protocol/eventWords.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import { REJECTION_NAMES } from "../../../protocol/rejections.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import type { MarketOf } from "../../../venue/simulation/explain/marketsOfBlock.ts";
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

/** Context for reading the events of a block that was just applied. */
export interface EventScope {
  readonly state: State;
  readonly names: Names;
  /** Texts of the block. */
  readonly texts: readonly string[];
  /** Market of an order or intent, for events that do not name it. */
  readonly marketOf: MarketOf;
}

/** Reads an event of a block that was just applied. An absent account, market or text reads `none`. */
export function readEventText(scope: EventScope, event: VenueEvent): EventText {
  const { kind } = event;
  const values = event as unknown as Readonly<Record<string, number>>;
  const market = findMarket(scope, values);
  const fields: Record<string, string> = {};
  for (const [name, unit] of Object.entries(unitsOf(kind))) {
    fields[name] = fieldText(scope, event, name, unit, values[name]!, market);
  }
  return { kind, fields };
}

/** The market of an event: its own, or that of its order or intent; below 0 if neither is known. */
function findMarket({ marketOf }: EventScope, values: Readonly<Record<string, number>>): MarketRow {
  const { market = -1, order, intent } = values;
  const id = order ?? intent;
  return (market < 0 && id !== undefined ? (marketOf(id) ?? -1) : market) as MarketRow;
}

function fieldText(
  { state, names, texts }: EventScope,
  event: VenueEvent,
  name: string,
  unit: EventUnit,
  value: number,
  market: MarketRow,
): string {
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
