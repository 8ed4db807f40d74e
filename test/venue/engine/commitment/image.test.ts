/** What an image leaves out, and that nothing is missing when it is read. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader } from "../../../../src/ground/collections/byteReader.ts";
import { ByteWriter } from "../../../../src/ground/collections/byteWriter.ts";
import {
  columnsOf,
  createTable,
  defineTable,
  f64,
  i32,
  i64,
  NONE,
  Rows,
  u8,
} from "../../../../src/ground/collections/table.ts";
import type { Amount } from "../../../../src/ground/math/fixed.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import {
  type ImageTable,
  listTables,
  planTable,
  readTable,
  writeTable,
} from "../../../../src/venue/engine/commitment/imageTables.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { runFlow } from "../../../helpers/flows.ts";
import { TestVenue } from "../../../helpers/venue.ts";

declare const mark: unique symbol;
type ThingRow = number & { readonly [mark]: "thing" };
const thingTable = defineTable<ThingRow>()("thing", { size: f64(), link: i32(NONE), flag: u8(), wide: i64(7n) });

function createThings() {
  const table = createTable(thingTable, 1);
  const image: ImageTable = {
    rows: table.rows as ImageTable["rows"],
    columns: () => columnsOf(thingTable, table).map(([, column]) => column),
  };
  return { table, image };
}

const toBytes = (image: ImageTable) => {
  const out = new ByteWriter();
  writeTable(out, planTable(image));
  return out.view8().slice();
};

/** Rows, and what is in them up to the last one ever handed out. */
const contentOf = ({ rows, columns }: ImageTable) => [
  rows.high,
  rows.count,
  rows.freeHead,
  ...[rows.link, ...columns()].map((column) => Array.from(column.subarray(0, rows.high) as Float64Array)),
];

// Method: a few values, so that columns with one and with several of them come, of every length about a turn of the
// loop that compares them; some rows are given back.
test("a table is read as it was written, whatever its columns have in common", () => {
  const row = fc.record({
    size: fc.constantFrom(0, 0, 0, 5, 9e15),
    link: fc.constantFrom(NONE, NONE, NONE, 3),
    flag: fc.constantFrom(0, 0, 1),
    wide: fc.constantFrom(7n, 7n, -1n),
    gone: fc.constantFrom(false, false, false, true),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12, size: "max" }), (rows) => {
      const { table, image } = createThings();
      const made = rows.map(({ size, link, flag, wide }) => {
        const at = table.rows.allocate();
        table.size[at] = size;
        table.link[at] = link;
        table.flag[at] = flag;
        table.wide[at] = wide;
        return at;
      });
      made.forEach((at, place) => {
        if (rows[place]!.gone) table.rows.release(at);
      });
      const bytes = toBytes(image);
      const read = createThings();
      const input = new ByteReader(bytes);
      readTable(input, read.image);
      expect(input.left()).toBe(0);
      expect(contentOf(read.image)).toEqual(contentOf(image));
      expect(bytes.length).toBeLessThanOrEqual(planTable(image).bytes);
      // And both hand out the same row next.
      expect(read.table.rows.allocate()).toBe(table.rows.allocate());
    }),
    { numRuns: 300 },
  );
});

test("a column is written row by row as soon as one row differs, wherever it is", () => {
  for (let high = 1; high <= 11; high++) {
    for (let odd = 0; odd < high; odd++) {
      const { table, image } = createThings();
      for (let made = 0; made < high; made++) table.rows.allocate();
      const same = toBytes(image).length;
      table.size[odd as ThingRow] = 4;
      const saved = high === 1 ? 0 : (high - 1) * 8;
      expect([high, odd, toBytes(image).length - same]).toEqual([high, odd, saved]);
    }
  }
});

test("a column that is the same everywhere, but not what new rows have, is read everywhere", () => {
  const { table, image } = createThings();
  for (let made = 0; made < 9; made++) table.rows.allocate();
  (table.link as unknown as Int32Array).fill(6, 0, 9);
  const read = createThings();
  readTable(new ByteReader(toBytes(image)), read.image);
  expect(Array.from(read.table.link as unknown as Int32Array).slice(0, 9)).toEqual(Array(9).fill(6));
  // What grows later has the initial value again.
  const next = read.table.rows.allocate();
  expect([next, read.table.link[next]]).toEqual([9, NONE]);
});

describe("a column that is malformed is refused", () => {
  const write = (spoil: (bytes: Uint8Array, first: number) => void) => () => {
    const { table, image } = createThings();
    for (let made = 0; made < 3; made++) table.rows.allocate();
    table.size[2 as ThingRow] = 5;
    const bytes = toBytes(image);
    spoil(bytes, 16);
    readTable(new ByteReader(bytes), createThings().image);
  };
  test("with a kind that is none", () => {
    expect(write((bytes, first) => void (bytes[first] = 2))).toThrow("kind 2");
  });
  test("with a value for all where each should have one", () => {
    expect(write((bytes, first) => void (bytes[first] = 1))).toThrow("4 bytes for 3 rows");
  });
  test("with a length that is not its rows'", () => {
    expect(write((bytes, first) => void (bytes[first + 1] = 8))).toThrow("8 bytes for 3 rows");
  });
});

/** All columns of all tables of a venue, except derived ones. */
function columnsOfVenue(state: State): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  for (const [name, table] of Object.entries(state)) {
    if (!(table?.rows instanceof Rows)) continue;
    for (const [column, values] of Object.entries({ ...table, link: table.rows.link })) {
      if (column !== "rows")
        found[`${name}.${column}`] = Array.from((values as Float64Array).subarray(0, table.rows.high));
    }
    found[`${name}.rows`] = [table.rows.high, table.rows.count, table.rows.freeHead];
  }
  for (const derived of ["accounts.dirty", "positions.trigger", "positions.heapPlace"]) {
    expect(found[derived]).toBeDefined();
    delete found[derived];
  }
  return found;
}

// Method: seeded flows, which come to orders with and without extras, intents, isolated positions, records; every
// column of every table is compared, up to the last row ever handed out. Six flows, and further ones until they used
// the columns that are seldom used.
test("a venue in the middle of a flow is read with every column as it was", () => {
  const used = new Set<string>();
  let venues = 0;
  const seldom = ["extras.client", "extras.goodTilTime", "intents.trigger", "positions.cooldown", "lanes.agent"];
  for (let seed = 1; seed <= 6 || (seed <= 30 && seldom.some((name) => !used.has(name))); seed++) {
    runFlow(seed, 120, (state, block) => {
      if (block.height % 20 !== 0) return;
      const read = readImage(writeImage(state));
      const columns = columnsOfVenue(state);
      expect(columnsOfVenue(read)).toEqual(columns);
      expect(read.books.map(({ keys }) => keys)).toEqual(state.books.map(({ keys }) => keys));
      for (const [name, values] of Object.entries(columns)) if (new Set(values).size > 1) used.add(name);
      venues++;
    });
  }
  expect(venues).toBeGreaterThanOrEqual(36);
  // Otherwise it would prove little.
  for (const name of seldom) expect([...used]).toContain(name);
});

test("unused columns take one value, not one a row", () => {
  const venueOf = (accounts: number) => {
    const names = Array.from({ length: accounts }, (_, index) => [`n${index}`, "1000"] as const);
    return new TestVenue({ accounts: Object.fromEntries(names), prices: { TEST: "100" } });
  };
  const [few, many] = [venueOf(8), venueOf(72)];
  const tablesOf = ({ state }: TestVenue) => listTables(state).reduce((sum, table) => sum + planTable(table).bytes, 0);
  // Accounts differ in address, owner and collateral: far less than the 150 bytes of all their columns.
  for (const v of [few, many])
    expect(readImage(writeImage(v.state)).accounts.rows.count).toBe(v.state.accounts.rows.count);
  expect((tablesOf(many) - tablesOf(few)) / 64).toBeLessThan(50);
  many.state.accounts.liquidation[3 as never] = 1;
  const read = readImage(writeImage(many.state));
  expect(Array.from(read.accounts.liquidation as unknown as Float64Array).filter((at) => at !== 0)).toEqual([1]);
});

describe("the first text names the layout of the image", () => {
  const v = new TestVenue({ accounts: { alice: "100" }, prices: { TEST: "100" } });
  const renamed = (name: string) => {
    const bytes = writeImage(v.state).slice();
    const end = 4 + new DataView(bytes.buffer).getUint32(0, true);
    const out = new ByteWriter();
    out.text(name);
    out.raw(bytes.subarray(end));
    return out.view8();
  };
  const refusal = (message: string) =>
    expect.objectContaining({ code: "INVALID_SNAPSHOT", message: expect.stringContaining(message) });

  test("and one of another number is refused by it", () => {
    expect(readImage(renamed("perplab image 2")).height).toBe(v.state.height);
    expect(() => readImage(renamed("perplab image 1"))).toThrow(refusal('is "perplab image" 1, this reads 2'));
    expect(() => readImage(renamed("perplab image 3"))).toThrow(refusal('is "perplab image" 3, this reads 2'));
  });

  test("and anything else is no image", () => {
    for (const name of ["perplab image", "perplab image x", "perplab images 2", "perplab state 1", ""]) {
      expect(() => readImage(renamed(name))).toThrow(refusal('does not start with "perplab image 2"'));
    }
  });
});

test("a venue from its image checks every account, and triggers are rebuilt", () => {
  const v = new TestVenue({ accounts: { alice: "1000", bob: "1000" }, prices: { TEST: "100" } });
  v.do(v.sell("bob", "1", "100"));
  v.do(v.buy("alice", "1", "100"));
  v.run();
  const armed = (state: typeof v.state) =>
    Array.from({ length: state.positions.rows.high }, (_, row) => state.positions.heapPlace[row as never]);
  expect(armed(v.state).every((place) => place !== NONE)).toBe(true);
  const read = readImage(writeImage(v.state));
  expect(armed(read).every((place) => place === NONE)).toBe(true);
  expect(read.risk.dirty.length).toBe(2);
  const other = new TestVenue({ accounts: {} });
  other.state = read;
  for (const venue of [v, other]) venue.run(venue.price("99"));
  expect(armed(read).every((place) => place !== NONE)).toBe(true);
  expect(other.root()).toBe(v.root());
  expect(read.accounts.collateral[0 as never] as Amount).toBe(v.state.accounts.collateral[0 as never]);
});
