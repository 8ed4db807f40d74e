import { formatDecimal } from "../../../ground/math/decimal.ts";
import { accountName, lotsText, priceText, usd } from "../../../product/scenario/expect/units.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";

/** Tables whose rows have readable names. */
const TABLES = ["accounts", "positions", "orders", "markets", "intents"] as const;
type TableName = (typeof TABLES)[number];

/** Columns that hold only links between rows, or values derived from other columns. */
const LINKS: ReadonlySet<string> = new Set([
  "next",
  "older",
  "newer",
  "prior",
  "position",
  "orders",
  "owner",
  "account",
  "market",
  "heapPlace",
  "lotWhole",
  "lotRest",
  "bandLow",
  "bandHigh",
]);

/** Values of a venue by name: `alice collateral`. */
export type Cells = ReadonlyMap<string, string>;

/**
 * Returns the values of a venue by name.
 *
 * @param reads `table.column` of the columns to include; undefined for all
 */
export function readCells(state: State, names: Names, reads: ReadonlySet<string> | undefined): Map<string, string> {
  const cells = new Map<string, string>();
  for (const table of TABLES) {
    const columns = state[table] as unknown as Readonly<Record<string, ArrayLike<number>>>;
    const { rows } = state[table] as unknown as { rows: { high: number; isLive(row: number): boolean } };
    for (let row = 0; row < rows.high; row++) {
      if (!rows.isLive(row)) continue;
      const who = nameRow(state, names, table, row);
      for (const [column, values] of Object.entries(columns)) {
        if (column === "rows" || LINKS.has(column) || typeof values[row] !== "number") continue;
        if (reads !== undefined && !reads.has(`${table}.${column}`)) continue;
        cells.set(`${who} ${column}`, valueText(state, table, column, row, values[row]!));
      }
    }
  }
  if (reads === undefined || reads.has("totals")) {
    for (const [name, place] of Object.entries(TOTAL)) cells.set(`total ${name}`, usd(state.totals.get(place)));
  }
  return cells;
}

function nameRow(state: State, names: Names, table: TableName, row: number): string {
  const { positions, orders, intents, marketNames } = state;
  const positionName = (at: PositionRow) =>
    `${accountName(state, names, positions.account[at]!)} in ${marketNames[positions.market[at]!]}`;
  switch (table) {
    case "accounts":
      return accountName(state, names, row as AccountRow);
    case "positions":
      return positionName(row as PositionRow);
    case "orders":
      return `order ${orders.id[row as never]} of ${positionName(orders.position[row as never]!)}`;
    case "intents":
      return `intent ${intents.id[row as never]} of ${accountName(state, names, intents.account[row as never]!)}`;
    case "markets":
      return marketNames[row] ?? `market ${row}`;
  }
}

const AMOUNTS = /^(collateral|isolated|cost|dust|buyOrderCost|sellOrderCost|bookedOrderCost)$/;
const PRICES = /^(mark|index|oracle|reported|basis|rawOracle)$/;
const LOTS = /^(size|openInterest|buys|sells|remaining|filled)$/;

function valueText(state: State, table: TableName, column: string, row: number, value: number): string {
  if (AMOUNTS.test(column)) return usd(value);
  if (PRICES.test(column) && table === "markets") return priceText(value);
  const market = table === "markets" ? row : table === "positions" ? state.positions.market[row as never] : undefined;
  if (LOTS.test(column) && market !== undefined) return lotsText(state, market as MarketRow, value);
  return String(value);
}

/** Formats the change of a number; empty for a value that is not a number. */
export function moveOf(before: string, after: string): string {
  const [from, to] = [toUnits(before), toUnits(after)];
  if (from === undefined || to === undefined) return "";
  const text = formatDecimal(to - from, DIGITS);
  return to > from ? `+${text}` : text;
}

const DIGITS = 12;

function toUnits(text: string): bigint | undefined {
  const [, sign, whole, part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || part.length > DIGITS) return undefined;
  return BigInt(`${sign}${whole}${part.padEnd(DIGITS, "0")}`);
}

/** Wraps a venue so that every column read is recorded. For read access only. */
export function traced(state: State, reads: Set<string>): State {
  const tables = new Map<string, object>();
  return new Proxy(state, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== "string") return value;
      if (!(TABLES as readonly string[]).includes(name)) {
        reads.add(name);
        return value;
      }
      let table = tables.get(name);
      if (table === undefined) {
        table = new Proxy(value as object, {
          get(of, column) {
            if (typeof column === "string") reads.add(`${name}.${column}`);
            return Reflect.get(of, column) as unknown;
          },
        });
        tables.set(name, table);
      }
      return table;
    },
  });
}
