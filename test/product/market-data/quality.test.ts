import { expect, test } from "vitest";
import { type FindingKind, readSources } from "../../../src/product/market-data/index.ts";
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
    rows: [bar(0), bar(1), bar(1), bar(2)],
    line: 3,
    column: "",
    treatment: "kept the first",
    left: 3,
  },
  {
    kind: "conflict",
    code: "DATA_CONFLICT",
    rows: [bar(0), bar(1), bar(1, "98,105,97,100"), bar(2)],
    line: 3,
    column: "",
    treatment: "kept the first",
    left: 3,
  },
  {
    kind: "conflict",
    code: "DATA_CONFLICT",
    rows: [bar(0), bar(1), bar(1, "100,105,99,104", "3"), bar(2)],
    line: 3,
    column: "",
    treatment: "kept the finished bar",
    left: 3,
  },
  {
    kind: "conflict",
    code: "DATA_CONFLICT",
    rows: [bar(0), bar(1.5, "100,105,99,100"), bar(2)],
    line: 3,
    column: "",
    treatment: "kept the first",
    left: 2,
  },
  {
    kind: "conflict",
    code: "DATA_CONFLICT",
    rows: [trade(7, 0), trade(8, 1), trade(8, 1, "101"), trade(9, 2)],
    line: 3,
    column: "id",
    treatment: "kept the first",
    left: 3,
  },
  {
    kind: "idOrder",
    code: "DATA_ID_ORDER",
    rows: [trade(7, 0), trade(9, 1), trade(8, 2), trade(10, 3)],
    line: 3,
    column: "id",
    treatment: "kept",
    left: 4,
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

test("of an unfinished bar and the finished one the finished is kept, in either order and across files", async () => {
  const unfinished = bar(0, "100,101,99.5,100.5", "1");
  const finished = bar(0, "100,105,99,100", "3");
  for (const rows of [
    [unfinished, finished],
    [finished, unfinished],
  ]) {
    const { events } = await read([...rows, bar(1)], { allow: ["conflict"] });
    expect(events.map(({ high, price, size }) => [high, price, size])[0]).toEqual([10_500_000_000, 1e10, 3e8]);
    expect(events).toHaveLength(2);
  }
  const sources = [unfinished, finished].map((row, index) => {
    return { path: folder.write(`U${index}.csv`, lines(row)), layout: "klines", market: "M" };
  });
  const merged = await collect(await readSources({ sources, allow: ["conflict"] }));
  expect(merged.map(({ high }) => high)).toEqual([10_500_000_000]);
  expect((await expectError(readSources({ sources }), { code: "DATA_CONFLICT" })).hint).toContain("finished");
});

// A chunk has 65,536 rows: the bar that is replaced is the last of the first chunk.
test("a bar is replaced where a chunk ends, too", async () => {
  const rows = Array.from({ length: 65_536 }, (_, hour) => bar(hour - 65_536));
  const { events } = await read([...rows, bar(-1, "100,105,99,104", "3"), bar(0)], { allow: ["conflict"] });
  expect(events).toHaveLength(65_537);
  expect(events[65_535]).toMatchObject({ high: 10_500_000_000, size: 3e8 });
});

const IDS = `
mapping: ids
header: false
columns: 7
time: { column: 6, unit: ms }
streams:
  - { kind: trades, price: 2, size: 3, id: { column: 1, rule: unique } }
`;

test("ids that are unique but in no order are read whole, and only proven duplicates are called so", async () => {
  const layout = folder.write("ids.yaml", IDS);
  const rows = Array.from({ length: 10_000 }, (_, index) => trade((index * 7919) % 10_007, index));
  const { events, findings } = await read(rows, {}, layout);
  expect(events).toHaveLength(10_000);
  expect(findings).toEqual([]);
  // As ids that rise they are no duplicates either: the error says what to do, and allowing it keeps every row.
  const error = await expectError(read(rows), { code: "DATA_ID_ORDER", line: 3 });
  expect(error.hint).toContain("rule: unique");
  const kept = await read(rows, { allow: ["idOrder"], deny: [] });
  expect(kept.events).toHaveLength(10_000);
  // A second row of the same trade is one, at its own place; the id with another price is a conflict.
  const repeated = [...rows.slice(0, 5000), rows[4999]!, ...rows.slice(5000)];
  expect((await expectError(read(repeated, {}, layout), { code: "DATA_DUPLICATE", line: 5001 })).hint).toContain(
    "equal",
  );
  expect((await read(repeated, { allow: ["duplicate"] }, layout)).events).toHaveLength(10_000);
  const [id] = rows[17]!.split(",");
  const conflict = [...rows.slice(0, 5000), trade(Number(id), 4999), ...rows.slice(5000)];
  await expectError(read(conflict, { allow: ["duplicate"] }, layout), { code: "DATA_CONFLICT", line: 5001 });
});

test("no hint proposes to leave out rows that are not proven duplicates", async () => {
  const dropping: readonly FindingKind[] = ["malformed", "badOhlc", "conflict", "idOrder", "nullRow"];
  for (const { rows, kind, code } of cases) {
    if (!dropping.includes(kind)) continue;
    const { hint } = await expectError(read(rows), { code });
    if (!hint!.includes("finished")) expect(hint).not.toContain(`allow ${kind}`);
  }
});

test("volumes of any size are taken: exactly, or rounded toward zero and counted", async () => {
  const rows = [
    bar(0, "0.00001,0.00002,0.00001,0.00001", "13000000000000"),
    bar(1, "0.00001,0.00002,0.00001,0.00001", "13000123456789.12"),
    bar(2, "0.00001,0.00002,0.00001,0.00001", "123456789.12345679"),
  ];
  const { events, findings } = await read(rows);
  expect(events[0]!.size).toBe(13e20);
  expect(events[2]!.size).toBe(12_345_678_912_345_678);
  const lost = 1_300_012_345_678_912_000_000n - BigInt(events[1]!.size);
  expect(lost >= 0n && lost < 2n ** 18n).toBe(true);
  expect(findings).toMatchObject([{ kind: "rounded", count: 2, treatment: "rounded toward zero" }]);
  await expectError(read(rows, { deny: ["rounded"] }), { code: "DATA_ROUNDED", line: 2, column: "volume" });
  await expectError(read([bar(0, "1,1,1,1", "1e22".replace("e22", "0".repeat(23)))]), { code: "DATA_MALFORMED" });
});

test("volumes in quote and in contracts are taken beyond 9e7, and so are trades", async () => {
  const mapping = (volume: string): string =>
    IDS.replace(
      /\{ kind: trades.*\}/,
      `{ kind: bars, label: open, interval: 1h, open: 2, high: 2, low: 2, close: 2, volume: ${volume} }`,
    );
  const row = (price: string, volume: string) => `1,${price},${volume},0,0,${START},true`;
  const quote = folder.write("quote.yaml", mapping("{ column: 3, unit: quote }"));
  expect((await read([row("50000", "100000000000")], {}, quote)).events[0]!.size).toBe(2_000_000 * 1e8);
  expect((await read([row("0.00001", "100000000000")], {}, quote)).events[0]!.size).toBe(1e16 * 1e8);
  const noisy = await read([row("50000", "123456789012.12345678")], {}, quote);
  expect(noisy.findings).toMatchObject([{ kind: "rounded", count: 1 }]);
  expect(noisy.events[0]!.size).toBe(246_913_578_024_246);
  const contracts = folder.write("contracts.yaml", mapping('{ column: 3, unit: contracts, multiplier: "1000" }'));
  expect((await read([row("0.01", "90000001")], {}, contracts)).events[0]!.size).toBe(90_000_001_000 * 1e8);
  expect((await read([trade(1, 0, "0.00001", "5000000000")])).events[0]!.size).toBe(5e17);
});

test("funding rates of ten digits are cut toward zero and counted once a source", async () => {
  const rows = [0, 1, 2].map((hour) => `${START + hour * HOUR},1,-0.000212345${hour}`);
  const { events, findings } = await read(rows, {}, "fundingRate");
  expect(events.map(({ rate }) => rate)).toEqual([-212_345, -212_345, -212_345]);
  expect(findings).toMatchObject([{ kind: "rounded", count: 2, samples: [{ column: "last_funding_rate" }, {}] }]);
});

test("funding times off their schedule are a finding, and the venue's offset is a schedule too", async () => {
  const rows = [4, 12, 20, 28].map((hour) => `${START + hour * HOUR + 900},8,0.0001`);
  const { events, findings } = await read(rows, {}, "fundingRate");
  expect(events).toHaveLength(4);
  expect(findings).toMatchObject([{ kind: "offSchedule", count: 4, treatment: "kept as recorded" }]);
  expect(findings[0]!.samples[0]!.reason).toContain("4 h after");
  await expectError(read(rows, { deny: ["offSchedule"] }, "fundingRate"), { code: "DATA_OFF_SCHEDULE", line: 1 });
  const mapping = folder.write(
    "funding.yaml",
    `
mapping: funding
header: false
columns: 3
time: { column: 1, unit: ms }
streams: [{ kind: funding, rate: { column: 3, unit: fraction }, interval: 8h, offset: 4h }]
`,
  );
  expect((await read(rows, {}, mapping)).findings).toEqual([]);
  expect((await read([...rows, `${START + 37 * HOUR},8,0.0001`], {}, mapping)).findings).toMatchObject([
    { kind: "offSchedule", count: 1, samples: [{ line: 5 }] },
  ]);
});

test("gaps are counted and never filled, and an error when denied", async () => {
  const rows = [bar(0), bar(3), bar(4)];
  const { events, findings } = await read(rows);
  expect(events).toHaveLength(3);
  expect(findings).toMatchObject([{ kind: "gap", count: 1, treatment: "not filled", samples: [{ line: 2 }] }]);
  expect(findings[0]!.samples[0]!.reason).toContain("2 rows are missing after 2024-01-01T01:00:00.000Z, one every 1h");
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
  const error = await expectError(readSources({ sources }), { code: "DATA_DUPLICATE", file: "X2.csv", line: 1 });
  expect(error.message).toContain("another file has an equal row");
  expect(error.hint).toContain("leave out the file that is named twice");
  expect((await readSources({ sources, allow: ["duplicate"] })).manifest.events).toBe(3);
});

test("a trade that ends one file and begins the next is a proven duplicate, with another price a conflict", async () => {
  const layout = folder.write("two.yaml", IDS);
  const readBoth = (second: string, allow: readonly FindingKind[] = []) => {
    const files = [lines(trade(1, 0), trade(2, 1)), lines(second, trade(3, 2))];
    const paths = files.map((text, index) => folder.write(`T${index}.csv`, text));
    return readSources({ sources: paths.map((path) => ({ path, layout, market: "M" })), allow });
  };
  const [time, , ...rest] = trade(2, 1).split(",");
  await expectError(readBoth(trade(2, 1)), { code: "DATA_DUPLICATE", file: "T1.csv", line: 1 });
  expect((await readBoth(trade(2, 1), ["duplicate"])).manifest.events).toBe(3);
  const other = [time, "7", ...rest].join(",");
  await expectError(readBoth(other, ["duplicate"]), { code: "DATA_CONFLICT", file: "T1.csv", line: 1 });
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
