import { expect, test } from "vitest";
import { checkData, EventKind, importFiles, readSources } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines, mapBook, SNAPSHOT_ROWS } from "../helpers.ts";

const folder = createFolder();
const T = 1_704_067_200_000;
const HOUR = 3_600_000;
let files = 0;

async function read(mapping: string, rows: readonly string[], policy = {}) {
  files++;
  const path = folder.write(`M${files}.csv`, lines(...rows));
  const layout = folder.write(`M${files}.yaml`, mapping);
  return readSources({ ...policy, sources: [{ path, layout, market: "M" }] });
}

const TRADES = (time: string, more = "") => `
mapping: trades
header: true
time: ${time}
streams: [{ kind: trades, price: p, size: q${more} }]
`;
const RECEIVED = "{ column: t, unit: ms, received: { column: r, unit: us } }";

test("a row that is received before it is sent, or before the row above it, is counted and kept", async () => {
  const rows = [
    "t,r,p,q",
    `${T},${T + 5}000,1,1`,
    `${T + 1},${T}999,1,1`,
    `${T + 2},${T + 9}000,1,1`,
    `${T + 3},${T + 8}000,1,1`,
  ];
  const source = await read(TRADES(RECEIVED), rows);
  expect(source.manifest.counts.trade).toBe(4);
  expect(source.manifest.quality.findings).toMatchObject([
    {
      kind: "clock",
      count: 2,
      treatment: "kept as recorded",
      samples: [
        { line: 3, column: "r", reason: expect.stringContaining("received 1 ms before the venue sent it") },
        { line: 5, column: "r", reason: expect.stringContaining("received 1 ms before the row above") },
      ],
    },
  ]);
  await expectError(read(TRADES(RECEIVED), rows, { deny: ["clock"] }), { code: "DATA_CLOCK", line: 3, column: "r" });
  await expectError(read(TRADES(RECEIVED), ["t,r,p,q", `${T},x,1,1`]), { code: "DATA_MALFORMED", column: "r" });
  await expectError(read(TRADES(RECEIVED.replace("column: r", "column: t")), rows), { code: "MAPPING_INVALID" });
});

const SIDE = ", side: { column: s, buy: [b], sell: [s] }";
const sided = (count: number, other: number) =>
  Array.from({ length: count }, (_, at) => `${T + at},1,1,${at === other ? "b" : "s"}`);

test("a hundred trades with one taker side are a finding; with fewer, or with one of the other side, they are none", async () => {
  const time = "{ column: t, unit: ms }";
  const findings = async (rows: string[], more = SIDE) =>
    (await read(TRADES(time, more), ["t,p,q,s", ...rows])).manifest.quality.findings;
  expect(await findings(sided(100, -1))).toMatchObject([
    { kind: "oneSided", count: 1, samples: [{ line: 2, reason: "all 100 trades have the taker side sell" }] },
  ]);
  expect(await findings(sided(99, -1))).toEqual([]);
  expect(await findings(sided(40_000, 39_999))).toEqual([]);
  expect(await findings(sided(200, -1), "")).toEqual([]);
  const path = folder.write("one.csv", lines("t,p,q,s", ...sided(100, -1)));
  const layout = folder.write("one.yaml", TRADES(time, SIDE));
  const out = folder.path("one.tape");
  const refused = importFiles({ sources: [{ path, layout, market: "M" }], out, deny: ["oneSided"] });
  const error = await expectError(refused, { code: "DATA_ONE_SIDED", line: 2 });
  expect(error.hint).toContain("denies oneSided");
});

test("quotes of which a row has one side keep the other as it was, and know none at first", async () => {
  const mapping = `
mapping: quotes
header: true
time: { column: t, unit: ms }
streams: [{ kind: quotes, price: p, size: q, side: { column: s, bid: [bid], ask: [ask] } }]
`;
  const rows = ["t,p,q,s", `${T},99,1,bid`, `${T},101,2,ask`, `${T + 1},100,3,bid`, `${T + 2},,,ask`];
  const events = await collect(await read(mapping, rows));
  expect(
    events.map(({ kind, timeMs, side, price, size }) => [kind, timeMs - T, side, price / 1e8, size / 1e8]),
  ).toEqual(
    [
      [0, 1, 99, 1],
      [0, -1, 0, 0],
      [0, 1, 99, 1],
      [0, -1, 101, 2],
      [1, 1, 100, 3],
      [1, -1, 101, 2],
      [2, 1, 100, 3],
      [2, -1, 0, 0],
    ].map((row) => [EventKind.quote, ...row]),
  );
  await expectError(read(mapping, ["t,p,q,s", `${T},99,1,buy`]), { code: "DATA_MALFORMED", column: "s" });
  const both = mapping.replace("price: p, size: q", "bid: { price: p, size: q }, ask: { price: p, size: q }");
  await expectError(read(both, rows), { code: "MAPPING_INVALID" });
});

test("changes of a book without its snapshot are an empty file, which says to name the snapshot", async () => {
  const error = await expectError(read(mapBook(SNAPSHOT_ROWS), ["t,p,q,s,whole", `${T},1,1,b,n`, `${T + 1},1,2,b,n`]), {
    code: "DATA_EMPTY",
  });
  expect(error.hint).toContain("all 2 changes of the order book come before a snapshot");
});

const CLOCKS = (label: string) => `
mapping: clocks
header: true
time: { column: t, unit: ms }
streams: [{ kind: bars, label: ${label}, interval: 1h, open: c, high: c, low: c, close: c, volume: { constant: "1" } }]
`;

/** A price that goes up and down without a rhythm. */
const priceAt = (hour: number): number => 1000 + ((hour * hour * 7919) % 101);

async function clock(shiftHours: number, label: "open" | "close", hours = 400) {
  const all = Array.from({ length: hours }, (_, hour) => hour);
  const bars = folder.write(
    "bars.csv",
    lines("t,c", ...all.map((hour) => `${T + (hour - (label === "open" ? 1 : 0)) * HOUR},${priceAt(hour)}`)),
  );
  const index = folder.write(
    "index.csv",
    lines("t,p", ...all.map((hour) => `${T + (hour + shiftHours) * HOUR + 250},${priceAt(hour) + 3}`)),
  );
  const points = folder.write(
    "index.yaml",
    "mapping: i\nheader: true\ntime: { column: t, unit: ms }\nstreams: [{ kind: index, price: p }]\n",
  );
  const source = await readSources({
    sources: [
      { path: bars, market: "M", layout: folder.write("bars.yaml", CLOCKS(label)) },
      { path: index, market: "M", layout: points },
    ],
  });
  return (await checkData(source))[0]!.clock;
}

test("reference prices that are late or early against the bars are found, and by how much", async () => {
  for (const shift of [0, 1, -1, 3, -8, 128]) {
    expect(await clock(shift, "open"), String(shift)).toMatchObject({ lateMs: shift === 0 ? 0 : shift * HOUR });
  }
  expect(await clock(0, "close")).toMatchObject({ lateMs: 0, compared: 400 });
  // A day of hours says nothing.
  expect(await clock(3, "open", 24)).toBeUndefined();
});
