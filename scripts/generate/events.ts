/** Renders `docs/reference/events.md` from the table of events. */
import { AUTHORITIES } from "../../src/protocol/action.ts";
import type { EventUnit } from "../../src/protocol/event.ts";
import { EVENT_KINDS, type EventKind, events } from "../../src/protocol/events.ts";
import { EVENT_WORDS } from "../../src/protocol/eventWords.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/events.md";

const UNITS: Readonly<Record<EventUnit, string>> = {
  account: "an account, numbered from 0 in the order of creation; -1 for none",
  market: "a market, numbered from 0 in the order of creation; -1 for none",
  order: "id of an order; 0 for none",
  intent: "id of an intent, and of the order that it places; 0 for none",
  code: "place of a code in the table of rejections, from 0; -1 for none",
  liquidation: "id of a liquidation record; 0 for none",
  authorization: "a grant, numbered from 0 in the order of granting",
  ticks: "price in ticks of the market",
  lots: "size in lots of the market; a position is positive when long",
  amount: "collateral in 1e-6 USD",
  priceE8: "price in 1e-8 USD per unit of base",
  ppb: "ratio in 1e-9",
  timeMs: "milliseconds since 1970, UTC",
  count: "a whole number",
  word: "a place in the list of words below",
  flag: "1 or 0",
  text: "a place in the block's list of texts; -1 for none",
  word32: "32 bits of an address or id, the most significant first",
  high: "upper half of a signed 64-bit number",
  low: "lower half of a signed 64-bit number, not negative",
};

function describeUnit(kind: EventKind, field: string, unit: EventUnit): string {
  if (unit !== "word") return UNITS[unit];
  const words = EVENT_WORDS[`${kind}.${field}`];
  if (words === undefined) throw new Error(`the words of ${kind}.${field} are missing in src/protocol/eventWords.ts`);
  return words.map((word, place) => `${place} ${word}`).join(", ");
}

function describeEvent(kind: EventKind, place: number): string {
  const fields = Object.entries(events[kind].fields as Readonly<Record<string, EventUnit>>);
  return `### ${kind}

${events[kind].doc} Code ${place}.

${table(
  ["field", "unit", ""],
  fields.map(([field, unit]) => [code(field), unit, describeUnit(kind, field, unit)]),
)}
`;
}

export function render(): string {
  return `${generatedFrom("src/protocol/events.ts")}
# Events

The effects of a block, in their order. An event is a record of doubles, all of them whole numbers: the
code of its kind, then its fields in the order below. \`readEvents\` of \`perplab/engine\` makes objects of them.

Events are complete: folded into an empty venue, the events of a chain give its state. Events carry positions, balances and orders
as they are afterwards, and totals as the added amount. The effects of a block, over which the
hash chain runs, are its height and time, its events, the codes of its receipts and its texts.

In \`nonceAdvanced\`, a negative \`account\` is an authority: ${AUTHORITIES.map((name, place) => `${-1 - place} ${name}`).join(", ")}. In \`printed\`, no orders are named: a print is a trade
of recorded history with itself.

${EVENT_KINDS.map(describeEvent).join("\n")}`;
}
