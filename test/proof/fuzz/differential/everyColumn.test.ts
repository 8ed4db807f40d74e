import { expect, test } from "vitest";
import { compareModel } from "../../../../src/proof/fuzz/differential/compareModel.ts";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { Flow } from "../../../../src/proof/generators/flow.ts";
import * as schema from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";

/** Tables of a venue by name. */
const TABLES = {
  owners: schema.ownerTable,
  accounts: schema.accountTable,
  positions: schema.positionTable,
  orders: schema.orderTable,
  extras: schema.extraTable,
  intents: schema.intentTable,
  volumes: schema.volumeTable,
  markets: schema.marketTable,
  authorizations: schema.authorizationTable,
  sources: schema.sourceTable,
} as const satisfies Partial<Record<keyof State, unknown>>;

type Columns = Record<string, Record<number, number>>;

/** Places of rows in lists: what they lead to is compared. */
const LINKS = new Set(
  [
    ["owners", "account", "volume"],
    ["accounts", "ownerNext", "position", "intents"],
    ["positions", "next", "orders", "heapPlace"],
    ["orders", "extra", "levelPrevious", "levelNext", "newer", "older", "position"],
    ["extras", "client"],
    ["intents", "newer", "older"],
    ["volumes", "older", "owner"],
    ["markets", "firstSource"],
    ["authorizations", "account", "agent"],
  ].flatMap(([table, ...columns]) => columns.map((column) => `${table}.${column}`)),
);

/** Columns that are no part of the comparison: what is derived from others, and what invariants alone look at. */
const OTHERS: readonly string[] = [
  // Derived, and held against what they are derived from by `indexes`, `reserves`, `openInterest` and `triggerCorner`.
  "accounts.dirty",
  "accounts.intentCount",
  "authorizations.openOrders",
  "markets.bandHigh",
  "markets.bandLow",
  "markets.lotRest",
  "markets.lotWhole",
  "markets.openInterest",
  "markets.validity",
  "positions.buyOrderCost",
  "positions.buys",
  "positions.orderCount",
  "positions.reduceOnly",
  "positions.sellOrderCost",
  "positions.sells",
  "positions.trigger",
  // Of the block alone: triggers compare with them, and 0 between blocks.
  "markets.indexBefore",
  "markets.lastBefore",
  "markets.markBefore",
  "markets.settleReported",
  // A nonce that is not what it should be is told by a receipt, and by `nonceOnce`.
  "accounts.nonceAdmin",
  "accounts.nonceFunds",
  "accounts.nonceRisk",
  "accounts.nonceTrading",
  // `fundingRates`.
  "markets.fundingRate",
];

// Goal: nothing that the model works out is left without a look. Method: in venues that flows have filled, one number at a
// time is made one greater; the comparison has to tell of it, in some row of some venue, or the column stands in the list
// of those of which the model knows nothing.
test("a number that is changed in any column of the state is told", () => {
  const notEmitted = new Set(
    Object.entries(TABLES).flatMap(([table, { columns }]) =>
      Object.keys(columns)
        .map((column) => `${table}.${column}`)
        .filter((place) => !LINKS.has(place)),
    ),
  );
  for (let seed = 1; seed <= 24 && notEmitted.size > OTHERS.length; seed++) {
    const flow = new Flow(seed);
    const both = new LockStep(flow.genesis);
    for (let count = 1; count <= 40; count++) {
      expect(both.apply(flow.next(both.venue)), `seed ${seed}`).toBeUndefined();
      if (count % 8 === 0) for (const place of notEmitted) if (isTold(both, place)) notEmitted.delete(place);
    }
  }
  expect([...notEmitted].sort()).toEqual([...OTHERS].sort());
});

function isTold({ venue, model }: LockStep, place: string): boolean {
  const [table, column] = place.split(".") as [keyof typeof TABLES, string];
  const { rows } = venue[table] as { readonly rows: { readonly high: number; isLive(row: never): boolean } };
  const values = (venue[table] as unknown as Columns)[column]!;
  for (let row = 0; row < rows.high; row++) {
    if (!rows.isLive(row as never)) continue;
    const before = values[row]!;
    values[row] = before + 1;
    try {
      if (compareModel(venue, model.state) !== undefined) return true;
    } catch {
      // It led into nothing: no number, but a place in another table.
      return false;
    } finally {
      values[row] = before;
    }
  }
  return false;
}
