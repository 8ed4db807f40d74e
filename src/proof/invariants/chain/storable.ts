import { columnsOf, type Rows } from "../../../ground/collections/table.ts";
import { isStorable, LIMIT } from "../../../ground/math/fixed.ts";
import {
  accountTable,
  authorizationTable,
  extraTable,
  laneTable,
  marketTable,
  orderTable,
  ownerTable,
  positionTable,
  volumeTable,
} from "../../../venue/engine/state/schema.ts";
import { listRows } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

/** Derived columns that hold a bound or a half instead of a quantity: any whole number, or none. */
const FREE = new Set(["trigger", "bandHigh", "lotWhole", "lotRest"]);

/** Times: whole milliseconds that a double carries exactly. They are not quantities. */
const TIMES = new Set([
  "cancelTime",
  "cooldown",
  "goodTilTime",
  "time",
  "oracleTime",
  "reportedTime",
  "sampledTime",
  "settledTime",
  "validFrom",
  "expiresAt",
]);

export const storable = defineInvariant({
  id: "storable",
  sentence:
    "Every stored number is a whole number of magnitude at most 9e15, a time at most 2^53, and none is minus zero.",
  rules: ["NUM-1", "NUM-3"],
  catalogue: ["T10"],
  when: "block",
  slack: "units",
  sweep(state, step) {
    const { owners, accounts, positions, orders, extras, markets, volumes, authorizations, lanes, authorityNonces } =
      state;
    const tables: [string, Rows<number>, [string, ArrayLike<number | bigint>][]][] = [
      ["owner", owners.rows, columnsOf(ownerTable, owners)],
      ["account", accounts.rows, columnsOf(accountTable, accounts)],
      ["position", positions.rows, columnsOf(positionTable, positions)],
      ["order", orders.rows, columnsOf(orderTable, orders)],
      ["extra", extras.rows, columnsOf(extraTable, extras)],
      ["volume", volumes.rows, columnsOf(volumeTable, volumes)],
      ["authorization", authorizations.rows, columnsOf(authorizationTable, authorizations)],
      ["lane", lanes.rows, columnsOf(laneTable, lanes)],
      ["market", markets.rows, columnsOf(marketTable, markets)],
    ];
    let largest = 0;
    for (const [table, rows, columns] of tables) {
      step.met += rows.count;
      const live = listRows(rows);
      for (const [name, column] of columns) {
        // Columns of 32 bits or less hold only whole numbers.
        if (FREE.has(name) || !(column instanceof Float64Array)) continue;
        const isMoment = TIMES.has(name);
        const row = findUnstorable(column, live, isMoment ? Number.MAX_SAFE_INTEGER : LIMIT);
        if (row !== undefined) return `${table}.${name} is ${Object.is(column[row], -0) ? "-0" : column[row]}`;
        if (!isMoment) largest = Math.max(largest, findLargest(column, live));
      }
    }
    near(step, LIMIT - largest);
    const nonce = authorityNonces.find((value) => !isStorable(value));
    return nonce === undefined ? undefined : `an authority's nonce is ${nonce}`;
  },
});

/** The first of these rows whose number is minus zero, or not a whole number within the limit. */
function findUnstorable(column: Float64Array, rows: readonly number[], limit: number): number | undefined {
  return rows.find((row) => {
    const value = column[row]!;
    return !(Math.abs(value) <= limit && Math.floor(value) === value) || (value === 0 && 1 / value < 0);
  });
}

function findLargest(column: Float64Array, rows: readonly number[]): number {
  return rows.reduce((largest, row) => Math.max(largest, Math.abs(column[row]!)), 0);
}
