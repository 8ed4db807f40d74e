import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { describe, expect, test } from "vitest";
import { decimal, flag, nullable, ratio, text, time, whole } from "../../../src/product/tables/columns.ts";
import { openTable } from "../../../src/product/tables/openTable.ts";
import { ROW_GROUP } from "../../../src/product/tables/parquet.ts";
import { defineTable, type Row } from "../../../src/product/tables/table.ts";
import { createFolder } from "../../helpers/project.ts";
import { readTable, toReadRow } from "../../helpers/readTable.ts";

const kinds = defineTable("kinds", "One row has a value of each kind.", {
  time: time("Moment"),
  name: text("Name"),
  amount: decimal(6, "USD", "Amount"),
  size: nullable(decimal(8, "base", "Size")),
  count: whole("Count"),
  ratio: nullable(ratio("Ratio")),
  held: flag("Held"),
  note: nullable(text("Note")),
});
type Kinds = Row<typeof kinds>;

const plain: Kinds = { time: 0, name: "a", amount: 1, size: null, count: 3, ratio: 0.1, held: true, note: null };
const formats = [".csv", ".parquet"];

async function write(path: string, rows: readonly Kinds[]): Promise<void> {
  const writer = await openTable(path, kinds);
  for (const row of rows) writer.write(row);
  writer.close();
  writer.publish();
}

const words = fc.string({
  unit: fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(",", '"', "\n", "\r", " ")),
});
const unscaled = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }),
  fc.integer({ min: -1000, max: 1000 }),
);
const anyRow: fc.Arbitrary<Kinds> = fc.record({
  time: fc.integer({ min: -62_000_000_000_000, max: 250_000_000_000_000 }),
  name: words,
  amount: unscaled,
  size: fc.option(unscaled),
  count: fc.maxSafeInteger(),
  ratio: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  held: fc.boolean(),
  note: fc.option(words),
});

describe.each(formats)("%s", (ending) => {
  test("rows of every kind read back as they were, to the last digit", async () => {
    const folder = createFolder();
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 30 }), async (rows) => {
        const path = join(folder, `kinds${ending}`);
        await write(path, rows);
        expect(await readTable(path, kinds)).toEqual(rows.map((row) => toReadRow(kinds, row)));
      }),
      { numRuns: 150 },
    );
  });

  test("a table of more rows than are held at once has all of them, in order", async () => {
    const path = join(createFolder(), `kinds${ending}`);
    const rows = Array.from(
      { length: ROW_GROUP * 2 + 1 },
      (_, count): Kinds => ({ ...plain, count, amount: count * 7 }),
    );
    await write(path, rows);
    const read = await readTable(path, kinds);
    expect(read).toHaveLength(rows.length);
    expect(read.every(({ count, amount }, at) => count === at && amount === BigInt(at * 7))).toBe(true);
  });

  test("equal rows give equal bytes", async () => {
    const folder = createFolder();
    const rows = Array.from({ length: 100 }, (_, count): Kinds => ({ ...plain, count }));
    await write(join(folder, `a${ending}`), rows);
    await write(join(folder, `b${ending}`), rows);
    expect(readFileSync(join(folder, `a${ending}`)).equals(readFileSync(join(folder, `b${ending}`)))).toBe(true);
  });

  test("an empty table has its columns", async () => {
    const path = join(createFolder(), `kinds${ending}`);
    await write(path, []);
    expect(await readTable(path, kinds)).toEqual([]);
    if (ending === ".csv") {
      expect(readFileSync(path, "utf8")).toBe(`${Object.keys(kinds.columns).join(",")}\n`);
    } else {
      const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(path));
      expect(schema.slice(1).map(({ name }) => name)).toEqual(Object.keys(kinds.columns));
    }
  });

  test("a file appears under its name only when it is published, and an old one stays until then", async () => {
    const folder = createFolder();
    const path = join(folder, `kinds${ending}`);
    writeFileSync(path, "old");
    const writer = await openTable(path, kinds);
    for (let count = 0; count < 40_000; count++) writer.write({ ...plain, count });
    writer.close();
    expect(readFileSync(path, "utf8")).toBe("old");
    writer.publish();
    expect(await readTable(path, kinds)).toHaveLength(40_000);
    expect(readdirSync(folder)).toEqual([`kinds${ending}`]);
  });

  test("an abandoned table leaves nothing", async () => {
    const folder = createFolder();
    const path = join(folder, `kinds${ending}`);
    const writer = await openTable(path, kinds);
    writer.write(plain);
    writer.abandon();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each<[keyof Kinds, unknown]>([
    ["time", 0.5],
    ["time", 8.64e15 + 2],
    ["name", 1],
    ["name", null],
    ["amount", 0.5],
    ["amount", 2 ** 53],
    ["amount", 10n ** 18n],
    ["amount", null],
    ["count", 2 ** 53],
    ["count", undefined],
    ["ratio", Number.NaN],
    ["ratio", Number.POSITIVE_INFINITY],
    ["held", "true"],
  ])("%s refuses %s", async (name, value) => {
    const writer = await openTable(join(createFolder(), `kinds${ending}`), kinds);
    writer.write(plain);
    expect(() => writer.write({ ...plain, [name]: value })).toThrow(
      expect.objectContaining({ code: "TABLE_VALUE", place: `kinds row 2, ${name}` }),
    );
    writer.abandon();
  });
});

test("CSV is text as spreadsheets and data frames expect it", async () => {
  const path = join(createFolder(), "kinds.csv");
  await write(path, [
    {
      time: Date.UTC(2024, 1, 29, 12, 0, 0, 7),
      name: 'a,"b"\nc',
      amount: -1_500_000,
      size: 1n,
      count: -0,
      ratio: 1e-7,
      held: false,
      note: "",
    },
    plain,
  ]);
  expect(readFileSync(path, "utf8")).toBe(
    "time,name,amount,size,count,ratio,held,note\n" +
      '2024-02-29T12:00:00.007Z,"a,""b""\nc",-1.5,0.00000001,0,1e-7,false,""\n' +
      "1970-01-01T00:00:00.000Z,a,0.000001,,3,0.1,true,\n",
  );
});

test("Parquet names the types of its columns, and what they mean", async () => {
  const path = join(createFolder(), "kinds.parquet");
  await write(path, [plain]);
  const { schema, key_value_metadata: pairs } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  const logical = Object.fromEntries(schema.slice(1).map(({ name, logical_type }) => [name, logical_type]));
  expect(logical).toMatchObject({
    time: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    name: { type: "STRING" },
    amount: { type: "DECIMAL", precision: 18, scale: 6 },
  });
  const nullables = schema.filter(({ repetition_type }) => repetition_type === "OPTIONAL").map(({ name }) => name);
  expect(nullables).toEqual(["size", "ratio", "note"]);
  const columns = pairs?.find(({ key }) => key === "perplab.columns")?.value;
  expect(JSON.parse(columns ?? "")).toMatchObject({ amount: { unit: "USD", about: "Amount" } });
});

test("another ending is refused before a file is made", async () => {
  const folder = createFolder();
  const path = join(folder, "kinds.xlsx");
  await expect(openTable(path, kinds)).rejects.toMatchObject({ code: "TABLE_FORMAT", hint: "use .csv or .parquet" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a disk without space is the system's error, with the name of the file", async () => {
  if (!existsSync("/dev/full")) return;
  const { DraftFile } = await import("../../../src/product/tables/draftFile.ts");
  const folder = createFolder();
  const { symlinkSync } = await import("node:fs");
  symlinkSync("/dev/full", join(folder, `kinds.csv.${process.pid}.part`));
  const file = new DraftFile(join(folder, "kinds.csv"));
  expect(() => file.append("text")).toThrow(
    expect.objectContaining({ code: "ENOSPC", path: join(folder, "kinds.csv") }),
  );
  file.abandon();
  expect(readdirSync(folder)).toEqual([]);
});
