import { expect, test } from "vitest";
import { type FindingKind, readSources } from "../../src/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "./helpers.ts";

const folder = createFolder();
let files = 0;

const HOUR = 3_600_000;
const START = 1_704_067_200_000;

/** A bar of the hour `hour` with open and close 100, in the klines layout. */
function bar(hour: number, prices = "100,101,99,100", volume = "1"): string {
  const open = START + hour * HOUR;
  return `${open},${prices},${volume},${open + HOUR - 1},0,0,0,0,0`;
}

const trade = (id: number, ms: number, price = "100", size = "1"): string =>
  `${id},${price},${size},1,1,${START + ms},true`;

async function read(
  rows: readonly string[],
  policy: { allow?: readonly FindingKind[]; deny?: readonly FindingKind[] } = {},
  layout = rows[0]!.split(",").length === 7 ? "aggTrades" : "klines",
) {
  files++;
  const path = folder.write(`F${files}.csv`, lines(...rows));
  const source = await readSources({ sources: [{ path, layout, market: "M" }], ...policy });
  return { events: await collect(source), findings: source.manifest.quality.findings, source };
}

interface Case {
  kind: FindingKind;
  code: string;
  rows: string[];
  line: number;
  column: string;
  treatment: string;
  /** Events left when it is allowed. */
  left: number;
}

const cases: Case[] = [
  {
    kind: "malformed",
    code: "DATA_MALFORMED",
    rows: [bar(0), bar(1, "100,1e2,99,100"), bar(2)],
    line: 2,
    column: "high",
    treatment: "skipped",
    left: 2,
  },
  {
    kind: "malformed",
    code: "DATA_MALFORMED",
    rows: [bar(0), "1,2,3", bar(1)],
    line: 2,
    column: "",
    treatment: "skipped",
    left: 2,
  },
  {
    kind: "malformed",
    code: "DATA_MALFORMED",
    rows: [trade(1, 0), trade(2, 1, "100", "0")],
    line: 2,
    column: "quantity",
    treatment: "skipped",
    left: 1,
  },
  {
    kind: "malformed",
    code: "DATA_MALFORMED",
    rows: [trade(1, 0), trade(2, 1, "0")],
    line: 2,
    column: "price",
    treatment: "skipped",
    left: 1,
  },
  {
    kind: "precision",
    code: "DATA_PRECISION",
    rows: [trade(1, 0), trade(2, 1, "100.123456789")],
    line: 2,
    column: "price",
    treatment: "truncated toward zero",
    left: 2,
  },
  {
    kind: "unsorted",
    code: "DATA_UNSORTED",
    rows: [bar(1), bar(0), bar(2)],
    line: 2,
    column: "open_time",
    treatment: "sorted by time, equal times in file order",
    left: 3,
  },
  {
    kind: "duplicate",
    code: "DATA_DUPLICATE",
    rows: [bar(0), bar(1), bar(1, "100,105,99,100"), bar(2)],
    line: 3,
    column: "",
    treatment: "kept the first",
    left: 3,
  },
  {
    kind: "duplicate",
    code: "DATA_DUPLICATE",
    rows: [trade(7, 0), trade(8, 1), trade(8, 1), trade(9, 2)],
    line: 3,
    column: "id",
    treatment: "kept the first",
    left: 3,
  },
  {
    kind: "badOhlc",
    code: "DATA_BAD_OHLC",
    rows: [bar(0), bar(1, "100,101,99,102"), bar(2)],
    line: 2,
    column: "open",
    treatment: "skipped",
    left: 2,
  },
  {
    kind: "badOhlc",
    code: "DATA_BAD_OHLC",
    rows: [bar(0), bar(1, "100,99,101,100")],
    line: 2,
    column: "low",
    treatment: "skipped",
    left: 1,
  },
];

test.each(cases)(
  "$kind in $column at line $line is an error, and when allowed a finding: $treatment",
  async (wanted) => {
    const { kind, code, rows, line, column, treatment, left } = wanted;
    const error = await expectError(read(rows), { code, line, column, file: `F${files}.csv` });
    expect(error.hint).toBeTruthy();
    const { events, findings, source } = await read(rows, { allow: [kind] });
    expect(events).toHaveLength(left);
    expect(findings.find((finding) => finding.kind === kind)).toMatchObject({
      kind,
      source: 0,
      count: 1,
      treatment,
      samples: [{ line, column }],
    });
    expect(source.manifest.quality.allow).toEqual([kind]);
    expect(source.manifest.sources[0]!.rows).toBe(rows.length);
  },
);

test("precision that is allowed cuts digits toward zero", async () => {
  const { events } = await read([trade(1, 0, "100.123456789")], { allow: ["precision"] });
  expect(events[0]!.price).toBe(10_012_345_678);
});

test("a price that truncation would make zero stays an error", async () => {
  await expectError(read([trade(1, 0, "0.000000001")], { allow: ["precision"] }), { code: "DATA_MALFORMED" });
});

test("surplus zeros are no loss", async () => {
  expect((await read([trade(1, 0, "100.1000000000000")])).events[0]!.price).toBe(10_010_000_000);
});

test("a duplicate keeps the first row, not the last", async () => {
  const { events } = await read([bar(0), bar(0, "100,105,99,100")], { allow: ["duplicate"] });
  expect(events.map(({ high }) => high)).toEqual([10_100_000_000]);
});

test("gaps are counted and never filled, and an error when denied", async () => {
  const rows = [bar(0), bar(3), bar(4)];
  const { events, findings } = await read(rows);
  expect(events).toHaveLength(3);
  expect(findings).toMatchObject([{ kind: "gap", count: 1, treatment: "not filled", samples: [{ line: 2 }] }]);
  expect(findings[0]!.samples[0]!.reason).toContain("2 of 3600000 ms");
  await expectError(read(rows, { deny: ["gap"] }), { code: "DATA_GAP", line: 2 });
});

test("missing trade ids are a gap", async () => {
  const { findings } = await read([trade(7, 0), trade(10, 1)]);
  expect(findings[0]).toMatchObject({ kind: "gap", samples: [{ line: 2, column: "id" }] });
  expect(findings[0]!.samples[0]!.reason).toContain("2 trade ids");
});

test("a row without values is left out and counted", async () => {
  const rows = [bar(0), bar(1, ",,,", ""), bar(2)];
  const { events, findings } = await read(rows);
  expect(events).toHaveLength(2);
  expect(findings.map(({ kind, count }) => [kind, count])).toEqual([
    ["nullRow", 1],
    ["gap", 1],
  ]);
  await expectError(read(rows, { deny: ["nullRow"] }), { code: "DATA_NULL_ROW", line: 2 });
});

test("a time in another unit than the file began with is an error that cannot be allowed", async () => {
  const rows = [trade(1, 0), `2,100,1,1,1,${START}000,true`];
  await expectError(read(rows), { code: "DATA_UNIT_SWITCH", line: 2, column: "transact_time" });
  await expectError(read(rows, { allow: ["malformed"] }), { code: "DATA_UNIT_SWITCH" });
  await expectError(read(rows, { allow: ["unitSwitch"] }), { code: "SOURCE_INVALID" });
});

test("a policy that contradicts itself or names no finding is an error", async () => {
  await expectError(read([bar(0)], { allow: ["gap"], deny: ["gap"] }), { code: "SOURCE_INVALID" });
  await expectError(read([bar(0)], { allow: ["gaps" as FindingKind] }), { code: "SOURCE_INVALID" });
});

test("bars of two lengths in one market are an error", async () => {
  const minute = `${START + 2 * HOUR},100,101,99,100,1,${START + 2 * HOUR + 59_999},0,0,0,0,0`;
  await expectError(read([bar(0), bar(1), minute]), { code: "DATA_LAYOUT", line: 3 });
});

test("duplicates are found across files", async () => {
  const first = folder.write("X1.csv", lines(bar(0), bar(1)));
  const second = folder.write("X2.csv", lines(bar(1), bar(2)));
  const sources = [first, second].map((path) => ({ path, layout: "klines", market: "M" }));
  await expectError(readSources({ sources }), { code: "DATA_DUPLICATE", file: "X2.csv", line: 1 });
  expect((await readSources({ sources, allow: ["duplicate"] })).manifest.events).toBe(3);
});

test("many findings are counted in full and shown in part", async () => {
  const rows = [bar(0), ...Array.from({ length: 40 }, (_, index) => bar(index + 1, "bad,101,99,100"))];
  const { findings } = await read(rows, { allow: ["malformed"] });
  expect(findings[0]).toMatchObject({ count: 40 });
  expect(findings[0]!.samples.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
});

test("a file that changes between survey and use is an error", async () => {
  const path = folder.write("C.csv", lines(bar(0), bar(1)));
  const source = await readSources({ sources: [{ path, layout: "klines", market: "M" }] });
  folder.write("C.csv", lines(bar(0), bar(1, "100,105,99,100")));
  await expectError(collect(source), { code: "DATA_CHANGED", file: "C.csv" });
});
