import type { AccountRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { formatDecimal } from "../../math/decimal.ts";
import { AMOUNT_DECIMALS, PRICE_DECIMALS, SIZE_DECIMALS } from "../../math/fixed.ts";
import { addressOfWords } from "../../protocol/accountKey.ts";
import { AUTHORITIES } from "../../protocol/action.ts";
import { type EventKind, type EventUnit, events, type VenueEvent } from "../../protocol/events.ts";
import { EVENT_WORDS } from "../../protocol/eventWords.ts";
import { nameLiquidation } from "../../protocol/liquidationId.ts";

const PPB_DECIMALS = 9;

/** An event in words: every field as text, in the units of traders. */
export interface EventText {
  readonly kind: EventKind;
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads an event of a block that was just applied. `none` stands for no account, no market, no text. */
export function readEventText(state: State, texts: readonly string[], event: VenueEvent): EventText {
  const values = event as unknown as Readonly<Record<string, number>>;
  const fields: Record<string, string> = {};
  for (const [name, unit] of Object.entries(events[event.kind].fields)) {
    fields[name] = fieldText(state, texts, event, name, unit, values[name]!);
  }
  return { kind: event.kind, fields };
}

function fieldText(
  state: State,
  texts: readonly string[],
  event: VenueEvent,
  name: string,
  unit: EventUnit,
  value: number,
): string {
  const market = (event as { readonly market?: number }).market ?? -1;
  const rules = market < 0 ? undefined : state.parameters[market];
  switch (unit) {
    case "account":
      if (value >= 0) return nameAccount(state, value as AccountRow);
      return event.kind === "nonceAdvanced" ? AUTHORITIES[-1 - value]! : "none";
    case "market":
      return value < 0 ? "none" : state.marketNames[value]!;
    case "ticks":
      return rules === undefined ? `${value}` : formatDecimal(BigInt(value) * BigInt(rules.tickSize), PRICE_DECIMALS);
    case "lots":
      return rules === undefined ? `${value}` : formatDecimal(BigInt(value) * BigInt(rules.lotSize), SIZE_DECIMALS);
    case "amount":
      return formatDecimal(value, AMOUNT_DECIMALS);
    case "priceE8":
      return formatDecimal(value, PRICE_DECIMALS);
    case "ppb":
      return formatDecimal(value, PPB_DECIMALS);
    case "word":
      return EVENT_WORDS[`${event.kind}.${name}`]?.[value] ?? `${value}`;
    case "flag":
      return value === 0 ? "false" : "true";
    case "text":
      return value < 0 ? "none" : texts[value]!;
    case "word32":
      return `0x${(value >>> 0).toString(16).padStart(8, "0")}`;
    case "liquidation":
      return value === 0 ? "none" : nameLiquidation(value);
    default:
      return `${value}`;
  }
}

/** An account as people write it: the address, with the subaccount where it is not 0. */
export function nameAccount({ accounts, owners }: State, account: AccountRow): string {
  const owner = accounts.owner[account]!;
  const address = addressOfWords(
    owners.w0[owner]!,
    owners.w1[owner]!,
    owners.w2[owner]!,
    owners.w3[owner]!,
    owners.w4[owner]!,
  );
  const subaccount = accounts.subaccount[account]!;
  return subaccount === 0 ? address : `${address}/${subaccount}`;
}
