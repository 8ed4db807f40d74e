import fc from "fast-check";
import { expect, test } from "vitest";
import type { Layout } from "../../../../src/product/market-data/readers/layout.ts";
import { type RowFault, TIME_WINDOWS } from "../../../../src/product/market-data/scan/cells.ts";
import { readCsvRows } from "../../../../src/product/market-data/scan/csvRows.ts";
import { createRowBatch, type RowBatch } from "../../../../src/product/market-data/scan/rowBatch.ts";
import { ByteScanner } from "../../../../src/product/market-data/scan/scanner.ts";

const layout: Layout = {
  name: "test",
  columns: [
    { name: "id", cell: { type: "decimal", decimals: 0, sign: "nonNegative" } },
    { name: "price", cell: { type: "decimal", decimals: 8, sign: "positive" } },
    { name: "volume", cell: { type: "decimal", decimals: 8, sign: "nonNegative", wide: true, exponents: true } },
    { name: "rate", cell: { type: "decimal", decimals: 9, sign: "any" } },
    { name: "seen", cell: { type: "presence" } },
    { name: "time", cell: { type: "time", unit: "us" } },
    { name: "at", cell: { type: "isoTime", offsetMinutes: 60 } },
    {
      name: "side",
      cell: {
        type: "word",
        words: [
          ["buy", 1],
          ["sell", -1],
          ["buyer", 2],
        ],
      },
    },
    { name: "note", cell: { type: "skip" } },
  ],
  header: false,
  separator: 44,
  streams: [],
  allow: [],
  notes: [],
};
const READ = [0, 1, 2, 3, 5, 6, 7];

/** The same columns with what only mappings have: rows chosen by a cell, counts of a day, signs around numbers. */
const mapped: Layout = {
  ...layout,
  columns: layout.columns.map((column) => {
    const { name, cell } = column;
    if (name === "note") return { name, cell: { type: "where", take: ["x", "1.5"] } };
    if (name === "time") return { name, cell: { type: "time", unit: "ms", sinceMs: 1_700_000_000_000 } };
    if (cell.type !== "decimal") return column;
    return { name, cell: { ...cell, plusSign: true, ...(name === "rate" ? { percentSign: true } : {}) } };
  }),
  where: [8],
};

interface Outcome {
  rows: number[][];
  faults: { line: number; faults: readonly RowFault[] }[];
  passed: number;
}

function addRows(outcome: Outcome, batch: RowBatch): void {
  outcome.passed += batch.passed;
  for (let row = 0; row < batch.count; row++) {
    outcome.rows.push([batch.line[row]!, ...READ.map((column) => batch.values[column]![row]!)]);
  }
}

function sink(outcome: Outcome): (line: number, faults: readonly RowFault[]) => boolean {
  return (line, faults) => {
    outcome.faults.push({ line, faults });
    return faults.every((fault) => fault.truncated === true);
  };
}

/** Feeds the scanner in pieces that end anywhere, with batches that fill up anywhere. */
function scan(text: string, pieces: readonly number[], capacity: number, columns = layout): Outcome {
  const outcome: Outcome = { rows: [], faults: [], passed: 0 };
  const bytes = new TextEncoder().encode(text);
  const scanner = new ByteScanner(columns, 1, sink(outcome));
  let batch = createRowBatch(columns, capacity);
  const drain = (): void => {
    for (let more = true; more; ) {
      more = scanner.take(batch);
      addRows(outcome, batch);
      batch = createRowBatch(columns, capacity);
    }
  };
  let at = 0;
  for (let piece = 0; at < bytes.length; piece++) {
    const size = pieces[piece % pieces.length]!;
    scanner.feed(bytes.subarray(at, at + size));
    at += size;
    drain();
  }
  scanner.finish();
  drain();
  return outcome;
}

async function readWithCsvParse(text: string, columns: Layout): Promise<Outcome> {
  const outcome: Outcome = { rows: [], faults: [], passed: 0 };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
  }
  for await (const batch of readCsvRows(columns, chunks(), 1, sink(outcome))) addRows(outcome, batch);
  return outcome;
}

const digits = fc.stringMatching(/^[0-9]{1,17}$/);
const number = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(999_999), fc.stringMatching(/^[0-9]{0,4}$/))
      .map(([whole, part]) => (part === "" ? `${whole}` : `${whole}.${part}`)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(digits, fc.stringMatching(/^[0-9]{1,12}$/)).map(([whole, part]) => `${whole}.${part}`),
  },
  fc.tuple(digits, fc.nat(6)).map(([whole, zeros]) => `${whole}.5${"0".repeat(zeros * 2)}`),
  fc.constantFrom(
    "",
    "0",
    "0.0",
    "-0.0",
    "-1.5",
    "+1.5",
    "++1",
    "0.5%",
    "0.5 %",
    "+0.5%%",
    "+1",
    "1.",
    ".5",
    "-",
    // The bytes before and after those of digits.
    "1234:678",
    "12;4",
    "1/345",
    "<=>?",
    "1e-05",
    "2.5E+3",
    "1e",
    "0x10",
    " 1",
    "1 ",
    "1\r",
    "007.50",
    "1_0",
    "NaN",
    "null",
    "٣",
    "9000000000000000",
    "90000000",
    "90000000.00000001",
    "200000000.00000000",
    "999999999.9",
    "0.000000001",
    "0.123456789012",
  ),
);
const time = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1_500_000_000_000_000, max: 1_900_000_000_000_000 }).map(String) },
  { weight: 2, arbitrary: fc.nat(86_400_000).map(String) },
  fc.constantFrom(
    "1700000000000",
    "1700000000",
    "0",
    "00",
    "1.5",
    "+5",
    "1700000000000000000",
    "",
    "-5",
    "17e14",
    "1700000000000000.9",
  ),
);
const iso = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString()),
  },
  fc.constantFrom(
    "2024-02-29T00:00:00.000Z",
    "2023-02-29T00:00:00.000Z",
    "2024-01-31 10:00:00",
    "2024-01-31T10:00:00+02:00",
    "2024-13-01T00:00:00.000Z",
    "2024-01-01T24:00:00.000Z",
    "2024-01-01T00:00:60.000Z",
    "2024-01-01T00:00:00.00AZ",
    "2024-01-01",
    "",
    "1969-12-31T23:59:59.999Z",
    "2024-01-01T00:00:00,000Z",
  ),
);
const side = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("buy", "sell", "buyer") },
  fc.constantFrom("", "BUY", "bu", "buys", "buy "),
);
const note = fc.constantFrom("", "x", "a b", "é", "1.5", "xx", " x", "x ");
const seen = fc.oneof({ weight: 8, arbitrary: fc.constant("y") }, fc.constant(""));
const row = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(
        fc.oneof({ weight: 5, arbitrary: fc.nat(1e9).map(String) }, number),
        number,
        number,
        number,
        seen,
        time,
        iso,
        side,
        note,
      )
      .map((cells) => cells.join(",")),
  },
  // Rows that are fine, so that one odd cell in a row gets seen.
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.nat(1e9), number)
      .map(([id, price]) => `${id},${price},5,-0.0001,y,1700000000000000,2024-01-01T00:00:00.000Z,buy,`),
  },
  fc.constantFrom("", ",", "1,2,3", "1,2,3,4,5,6,7,8,9,10"),
);
const file = fc
  .tuple(
    fc.array(fc.tuple(row, fc.constantFrom("\n", "\n", "\n", "\r\n")), { minLength: 1, maxLength: 12 }),
    fc.boolean(),
  )
  .map(([rows, isEnded]) => {
    const text = rows.map(([cells, end]) => cells + end).join("");
    return isEnded ? text : text.replace(/\r?\n$/, "");
  })
  .filter((text) => text !== "");

// Goal: the scanner reads what the slow path reads, and refuses what it refuses, for the same reason at the same place.
// Method: files of odd cells and broken rows, fed in pieces of any size; csv-parse with text cells is the oracle.
test("the scanner and csv-parse give the same rows and the same refusals", async () => {
  let good = 0;
  let refused = 0;
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.constantFrom(layout, mapped),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (text, columns, pieces, capacity) => {
        const scanned = scan(text, pieces, capacity, columns);
        expect(scanned).toEqual(await readWithCsvParse(text, columns));
        passed += scanned.passed;
        good += scanned.rows.length;
        refused += scanned.faults.length;
      },
    ),
    { numRuns: 800 },
  );
  expect(passed).toBeGreaterThan(300);
  expect(good).toBeGreaterThan(300);
  expect(refused).toBeGreaterThan(300);
});

test("numbers become exact integers of their scale", () => {
  const text = "7,60000.1,0.00000001,-0.000000001,y,1700000000123456,2024-01-01T00:00:00.000Z,sell,\n";
  expect(scan(text, [1000], 10)).toEqual({
    rows: [[1, 7, 6_000_010_000_000, 1, -1, 1_700_000_000_123, 1_704_067_200_000, -1]],
    faults: [],
    passed: 0,
  });
});

test("an ISO time without a designator is in the zone of the layout", () => {
  const text = "7,1,1,0,y,1700000000123456,2024-01-01 01:30:00,buy,\n";
  expect(scan(text, [1000], 10).rows[0]![6]).toBe(Date.UTC(2024, 0, 1, 0, 30));
});

test("a volume beyond the limit is read exactly, or rounded toward zero when a double does not hold it", () => {
  const read = (volume: string): Outcome =>
    scan(`7,1,${volume},0,y,1700000000123456,2024-01-01T00:00:00.000Z,buy,\n`, [1000], 10);
  expect(read("500000000.1").rows[0]![3]).toBe(50_000_000_010_000_000);
  const rounded = read("900000000.00000001");
  expect(rounded.faults[0]!.faults[0]).toMatchObject({ kind: "rounded", column: "volume" });
  expect(rounded.rows[0]![3]).toBe(90_000_000_000_000_000);
});

test("the windows of the time units do not overlap", () => {
  const bounds = [TIME_WINDOWS.s, TIME_WINDOWS.ms, TIME_WINDOWS.us, TIME_WINDOWS.ns].flat();
  expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
});
