import { type Cell, entriesOf, itemsOf } from "../parse/cell.ts";
import { either, key, list, map, text } from "../shape/shape.ts";
import { differs, valueShape } from "./compare.ts";
import type { EventText } from "./eventText.ts";
import { defineExpectation, type Moment } from "./expectation.ts";

/** Keys of an expected fill, and the fields of the event that they read. */
export const FILL_KEYS: Readonly<
  Record<string, { readonly field: string; readonly unit: string; readonly doc: string }>
> = {
  maker: { field: "makerAccount", unit: "", doc: "Account of the resting order." },
  taker: { field: "takerAccount", unit: "", doc: "Account of the incoming order." },
  side: { field: "takerSide", unit: "", doc: "Side of the taker." },
  size: { field: "size", unit: "", doc: "In base units." },
  price: { field: "price", unit: "", doc: "The maker's price." },
  value: { field: "value", unit: "", doc: "Size times price in USD." },
  makerFee: { field: "makerFee", unit: "", doc: "Paid by the maker; negative for a rebate." },
  takerFee: { field: "takerFee", unit: "", doc: "Paid by the taker." },
  makerOrder: { field: "makerOrder", unit: "order", doc: "The resting order: $label." },
  takerOrder: { field: "takerOrder", unit: "order", doc: "The incoming order: $label." },
  makerRemaining: { field: "makerRemaining", unit: "", doc: "What is left of the resting order." },
  market: { field: "market", unit: "", doc: "Name of the market." },
  liquidation: { field: "liquidation", unit: "liquidation", doc: 'Record of the liquidation; "0" for none.' },
};

export const fills = defineExpectation({
  shape: either(
    list(map(Object.fromEntries(Object.entries(FILL_KEYS).map(([name, { doc }]) => [name, key(valueShape, doc)])))),
    text("none or any", /^(none|any)$/),
  ),
  doc: "All fills of the block, in order; each names the values to compare. `none`, or `any` to accept every fill.",
  check(moment, cell) {
    if (cell.kind === "text" && cell.source === "any") return;
    const found = moment.events.filter(({ kind }) => kind === "fill");
    const wanted = itemsOf(cell);
    wanted.forEach((item, at) => {
      const fill = found[at];
      if (fill === undefined) {
        moment.fail({ place: item.place, what: `fill ${at + 1}`, expected: "a fill", observed: countOf(found) });
      } else checkFill(moment, fill, at, item);
    });
    for (const fill of found.slice(wanted.length)) {
      moment.fail({
        place: cell.place,
        what: "fills",
        expected: `${wanted.length || "no"} fills`,
        observed: `also ${fillWords(fill)}`,
      });
    }
  },
});

function checkFill(moment: Moment, { fields }: EventText, at: number, item: Cell): void {
  for (const { key: name, value } of entriesOf(item)) {
    const known = FILL_KEYS[name];
    if (known === undefined) continue;
    const observed = fields[known.field]!;
    const expected = differs(moment, value, observed, known.unit);
    if (expected !== undefined)
      moment.fail({ place: value.place, what: `${name} of fill ${at + 1}`, expected, observed });
  }
}

const countOf = (found: readonly unknown[]) => (found.length === 0 ? "no fill" : `${found.length} fills`);

/** A fill as a sentence: `bob sells 0.5 BTC-PERP to alice @ 1000`. */
export function fillWords({ fields }: EventText): string {
  const { takerAccount, takerSide, size, market, makerAccount, price } = fields;
  const [verb, way] = takerSide === "buy" ? ["buys", "from"] : ["sells", "to"];
  return `${takerAccount} ${verb} ${size} ${market} ${way} ${makerAccount} @ ${price}`;
}
