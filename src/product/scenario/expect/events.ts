import { EVENT_KINDS, type EventKind } from "../../../protocol/events.ts";
import { type Cell, entriesOf, itemsOf, textOf } from "../parse/cell.ts";
import { count, either, key, list, map, type Shape, text } from "../shape/shape.ts";
import { differs, valueShape } from "./compare.ts";
import { type EventText, unitsOf } from "./eventText.ts";
import { defineExpectation, type Moment } from "./expectation.ts";

const fieldsShape = (kind: EventKind): Shape =>
  map(
    Object.fromEntries(Object.entries(unitsOf(kind)).map(([name, unit]) => [name, key(valueShape, `Unit: ${unit}.`)])),
  );

/** Fields of one kind that may be expected. */
function kindShape(kind: EventKind): Shape {
  const fields = fieldsShape(kind);
  return either(count, noneOrAny, fields, list(fields));
}

const noneOrAny = text("none or any", /^(none|any)$/);

export const events = defineExpectation({
  shape: either(
    map(
      Object.fromEntries(EVENT_KINDS.map((kind) => [kind, key(kindShape(kind), "A number, a list, `none` or `any`.")])),
    ),
    text("any", /^any$/),
  ),
  doc: "`any` to accept all events, also fills and liquidations. Otherwise events by kind: their number, all of them in order, `none`, or `any`. A kind that is named has no other events.",
  check(moment, cell) {
    for (const { key: kind, value } of entriesOf(cell)) checkKind(moment, kind, value);
  },
});

/** Kinds that never happen unnoticed: a block with one that its `expect` does not name fails. */
export const NOTICED: readonly EventKind[] = [
  "liquidationStarted",
  "liquidationContinued",
  "deleveraged",
  "lossSocialized",
  "badDebtChanged",
];

function checkKind(moment: Moment, kind: string, cell: Cell): void {
  const found = moment.events.filter((event) => event.kind === kind);
  if (textOf(cell) === "any") return;
  if (cell.kind !== "map" && cell.kind !== "list") {
    const wanted = cell.kind === "number" ? Number(cell.source) : 0;
    if (found.length === wanted) return;
    moment.fail({ place: cell.place, what: `${kind} events`, expected: String(wanted), observed: describe(found) });
    return;
  }
  const items = cell.kind === "map" ? [cell] : itemsOf(cell);
  items.forEach((item, at) => {
    const event = found[at];
    if (event === undefined) {
      moment.fail({ place: item.place, what: `${kind} ${at + 1}`, expected: "an event", observed: describe(found) });
    } else checkFields(moment, event, at, item);
  });
  for (const event of found.slice(items.length)) {
    moment.fail({
      place: cell.place,
      what: `${kind} events`,
      expected: String(items.length),
      observed: `also ${eventWords(event)}`,
    });
  }
}

function checkFields(moment: Moment, { kind, fields }: EventText, at: number, cell: Cell): void {
  const units = unitsOf(kind);
  for (const { key: name, value } of entriesOf(cell)) {
    const observed = fields[name];
    if (observed === undefined) continue;
    const expected = differs(moment, value, observed, units[name]);
    if (expected !== undefined)
      moment.fail({ place: value.place, what: `${name} of ${kind} ${at + 1}`, expected, observed });
  }
}

const describe = (found: readonly EventText[]) =>
  found.length === 0 ? "none" : `${found.length}: ${found.slice(0, 4).map(eventWords).join("; ")}`;

/** An event in one line; of a text of several lines the first. */
export function eventWords({ kind, fields }: EventText): string {
  return `${kind} {${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value.replace(/\n.*/s, " …")}`)
    .join(", ")}}`;
}
