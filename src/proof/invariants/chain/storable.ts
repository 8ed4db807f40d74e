import { type ColumnSpecs, LIVE, type Rows } from "../../../ground/collections/table.ts";
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
import type { State } from "../../../venue/engine/state/state.ts";
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

type RowsInUse = Pick<Rows<number>, "high" | "count" | "link" | "memory" | "capacity">;

interface TableInUse {
  readonly rows: RowsInUse;
}

/** A table of the state, and those of its columns that must be storable, with the greatest magnitude of each. */
interface Checked {
  readonly name: string;
  read(state: State): TableInUse;
  readonly columns: readonly (readonly [column: string, limit: number])[];
}

// Columns of 32 bits or less hold only whole numbers.
const checked = (
  name: string,
  { columns }: { readonly columns: ColumnSpecs },
  read: (state: State) => TableInUse,
): Checked => ({
  name,
  read,
  columns: Object.entries(columns)
    .filter(([column, { storage }]) => storage === "f64" && !FREE.has(column))
    .map(([column]) => [column, TIMES.has(column) ? Number.MAX_SAFE_INTEGER : LIMIT]),
});

const TABLES: readonly Checked[] = [
  checked("owner", ownerTable, (state) => state.owners),
  checked("account", accountTable, (state) => state.accounts),
  checked("position", positionTable, (state) => state.positions),
  checked("order", orderTable, (state) => state.orders),
  checked("extra", extraTable, (state) => state.extras),
  checked("volume", volumeTable, (state) => state.volumes),
  checked("authorization", authorizationTable, (state) => state.authorizations),
  checked("lane", laneTable, (state) => state.lanes),
  checked("market", marketTable, (state) => state.markets),
];

/** The columns of a table that were found last. They are the same until the table gets other memory. */
interface Found {
  memory: Uint8Array | undefined;
  capacity: number;
  columns: Float64Array[];
}

export const storable = defineInvariant<Found[]>({
  id: "storable",
  sentence:
    "Every stored number is a whole number of magnitude at most 9e15, a time at most 2^53, and none is minus zero.",
  rules: ["NUM-1", "NUM-3"],
  catalogue: ["T10"],
  when: "block",
  slack: "units",
  start: (_state, spare) => spare ?? TABLES.map(() => ({ memory: undefined, capacity: 0, columns: [] })),
  sweep(state, step, found) {
    let largest = 0;
    for (let place = 0; place < TABLES.length; place++) {
      const { name, read, columns } = TABLES[place]!;
      const table = read(state);
      const { rows } = table;
      if (rows.count === 0) continue;
      step.met += rows.count;
      const arrays = findColumns(found[place]!, table, columns);
      for (let at = 0; at < columns.length; at++) {
        const [column, limit] = columns[at]!;
        const values = arrays[at]!;
        const most = findLargest(values, rows, limit);
        if (most < 0) {
          const value = values[-1 - most]!;
          return `${name}.${column} is ${Object.is(value, -0) ? "-0" : value}`;
        }
        if (limit === LIMIT) largest = Math.max(largest, most);
      }
    }
    near(step, LIMIT - largest);
    const nonce = state.authorityNonces.find((value) => !isStorable(value));
    return nonce === undefined ? undefined : `an authority's nonce is ${nonce}`;
  },
});

/** To find a column by a computed name costs more than to check its few values. */
function findColumns(found: Found, table: TableInUse, columns: Checked["columns"]): readonly Float64Array[] {
  const { memory, capacity } = table.rows;
  if (found.memory !== memory || found.capacity !== capacity) {
    found.memory = memory;
    found.capacity = capacity;
    found.columns = columns.map(([column]) => (table as unknown as Record<string, Float64Array>)[column]!);
  }
  return found.columns;
}

/**
 * The largest magnitude of a column in its live rows. If a number is minus zero, or not a whole number within the
 * limit: -1 less the first such row.
 */
function findLargest(column: Float64Array, { high, link }: RowsInUse, limit: number): number {
  let largest = 0;
  for (let row = 0; row < high; row++) {
    if (link[row] !== LIVE) continue;
    const value = column[row]!;
    const magnitude = Math.abs(value);
    if (!(magnitude <= limit && Math.floor(value) === value) || Object.is(value, -0)) return -1 - row;
    if (magnitude > largest) largest = magnitude;
  }
  return largest;
}
