import { expect, test } from "vitest";
import { compareModel } from "../../../../src/proof/fuzz/differential/compareModel.ts";
import { LockStep } from "../../../../src/proof/fuzz/differential/lockStep.ts";
import { Flow } from "../../../../src/proof/fuzz/flow/flow.ts";
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

/** Links between rows: the comparison follows them. */
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

/** Columns outside of the comparison: derived ones, and those that only invariants read. */
const OTHERS: readonly string[] = [
  // Derived; `indexes`, `reserves`, `openInterest` and `triggerCorner` check them against their sources.
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
  // Used within a block only: triggers compare with them; 0 between blocks.
  "markets.indexBefore",
  "markets.lastBefore",
  "markets.markBefore",
  "markets.settleReported",
  // A receipt, or `nonceOnce`, shows a wrong nonce.
  "accounts.nonceAdmin",
  "accounts.nonceFunds",
  "accounts.nonceRisk",
  "accounts.nonceTrading",
  // `fundingRates`.
  "markets.fundingRate",
];

// Goal: every value that the model computes is compared. Method: in venues filled by flows, one number at a time is
// increased by one. The comparison must report it in some row of some venue, or the column is in the list of those that
// the model does not have.
test("a changed number in any column of the state is reported", () => {
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
      if (count % 8 === 0) for (const place of notEmitted) if (isReported(both, place)) notEmitted.delete(place);
    }
  }
  expect([...notEmitted].sort()).toEqual([...OTHERS].sort());
});

function isReported({ venue, model }: LockStep, place: string): boolean {
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
      // The change broke a link: it was not a number but a row of another table.
      return false;
    } finally {
      values[row] = before;
    }
  }
  return false;
}
