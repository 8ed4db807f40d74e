import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import { AUTHORITIES } from "../../../protocol/action.ts";
import type { EventUnit } from "../../../protocol/event.ts";
import { events, type VenueEvent } from "../../../protocol/events.ts";
import { EVENT_WORDS } from "../../../protocol/eventWords.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import { REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { idOfGrant } from "../../engine/authorization/addGrant.ts";
import type { AccountRow, AuthorizationRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { addressOf } from "../../reads/rows.ts";

const PPB_DECIMALS = 9;

/** A field in the units of traders: decimals, ids and names are texts, counts and times numbers; null for none. */
export type EventValue = string | number | boolean | null;

/** Names that only the venue of an event knows. */
export interface EventScope {
  readonly state: State;
  /** Texts of the event's block. */
  readonly texts: readonly string[];
  /** Market of an order or intent, for events that do not name it; undefined where that is not known. */
  readonly marketOf?: (id: number) => number | undefined;
  /** How an account is named. Default: its address, with the subaccount where it is not 0. */
  readonly accountName?: (account: AccountRow) => string;
}

/** Reads every field of an event. Lots and ticks whose market is not known are null. */
export function readEventValues(scope: EventScope, event: VenueEvent): Record<string, EventValue> {
  const values = event as unknown as Readonly<Record<string, number>>;
  const market = findMarket(scope, values);
  const fields: Record<string, EventValue> = {};
  for (const [name, unit] of Object.entries(events[event.kind].fields)) {
    fields[name] = readValue(scope, event, name, unit, values[name]!, market);
  }
  return fields;
}

function findMarket({ marketOf }: EventScope, values: Readonly<Record<string, number>>): number | undefined {
  const { market, order, intent } = values;
  if (market !== undefined) return market < 0 ? undefined : market;
  const id = order ?? intent;
  return id === undefined ? undefined : marketOf?.(id);
}

function readValue(
  { state, texts, accountName }: EventScope,
  event: VenueEvent,
  name: string,
  unit: EventUnit,
  value: number,
  market: number | undefined,
): EventValue {
  const rules = market === undefined ? undefined : state.parameters[market];
  switch (unit) {
    case "account":
      if (value >= 0) return accountName?.(value as AccountRow) ?? nameAccount(state, value as AccountRow);
      return event.kind === "nonceAdvanced" ? AUTHORITIES[-1 - value]! : null;
    case "market":
      return value < 0 ? null : state.marketNames[value]!;
    case "order":
    case "intent":
      return value === 0 ? null : `${value}`;
    case "ticks":
      return value === 0
        ? "0"
        : rules === undefined
          ? null
          : formatDecimal(BigInt(value) * BigInt(rules.tickSize), PRICE_DECIMALS);
    case "lots":
      return value === 0
        ? "0"
        : rules === undefined
          ? null
          : formatDecimal(BigInt(value) * BigInt(rules.lotSize), SIZE_DECIMALS);
    case "amount":
      return formatDecimal(value, AMOUNT_DECIMALS);
    case "priceE8":
      return formatDecimal(value, PRICE_DECIMALS);
    case "ppb":
      return formatDecimal(value, PPB_DECIMALS);
    case "word":
      return EVENT_WORDS[`${event.kind}.${name}`]?.[value] ?? `${value}`;
    case "code":
      return value < 0 ? null : (REJECTION_NAMES[value] ?? `${value}`);
    case "flag":
      return value !== 0;
    case "text":
      return value < 0 ? null : texts[value]!;
    case "word32":
      return `0x${(value >>> 0).toString(16).padStart(8, "0")}`;
    case "liquidation":
      return value === 0 ? null : nameLiquidation(value);
    case "authorization":
      return idOfGrant(state, value as AuthorizationRow);
    default:
      return value;
  }
}

/** An account as people write it: the address, with the subaccount where it is not 0. */
export function nameAccount(state: State, account: AccountRow): string {
  const address = addressOf(state, account);
  const subaccount = state.accounts.subaccount[account]! >>> 0;
  return subaccount === 0 ? address : `${address}/${subaccount}`;
}
