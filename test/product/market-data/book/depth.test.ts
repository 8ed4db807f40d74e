import { expect, test } from "vitest";
import { BookFlag, EventKind, importFiles, openTape, readSources } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines, mapBook, QUOTES, SNAPSHOT_ROWS } from "../helpers.ts";

const folder = createFolder();
const T = 1_704_067_200_000;
let files = 0;

const CHANGES = mapBook(SNAPSHOT_ROWS, "id: { column: u, previous: pu }");
const HEADER = "t,u,pu,whole,s,p,q";

const LEVELS = `
mapping: levels
header: true
time: { column: t, unit: ms }
streams:
  - kind: depth
    levels: 2
    bids: { price: "b{i}", size: "bq{i}" }
    asks: { price: "a{i}", size: "aq{i}" }
`;

function write(mapping: string, ...rows: readonly string[]) {
  files++;
  const path = folder.write(`D${files}.csv`, lines(...rows));
  return { path, layout: folder.write(`D${files}.yaml`, mapping), market: "D" };
}

async function read(mapping: string, ...rows: readonly string[]) {
  const source = await readSources({ sources: [write(mapping, ...rows)] });
  return { manifest: source.manifest, events: await collect(source) };
}

const at = (events: Awaited<ReturnType<typeof collect>>) =>
  events.map(({ side, price, size, id, flags }) => [side, price / 1e8, size / 1e8, id, flags]);

test("changes of a book follow its snapshot, with the id of their update", async () => {
  const { manifest, events } = await read(
    CHANGES,
    HEADER,
    `${T},7,0,y,b,100,2`,
    `${T},7,0,y,a,101,3`,
    `${T + 1},9,7,n,b,100,0`,
    `${T + 1},9,7,n,b,99.5,1.25`,
  );
  expect(events.every(({ kind }) => kind === EventKind.depth)).toBe(true);
  expect(at(events)).toEqual([
    [1, 100, 2, 7, BookFlag.snapshot | BookFlag.first],
    [-1, 101, 3, 7, BookFlag.snapshot],
    [1, 100, 0, 9, 0],
    [1, 99.5, 1.25, 9, 0],
  ]);
  expect(manifest.counts.depth).toBe(4);
  expect(manifest.markets[0]).toMatchObject({ priceStep: 5e7, sizeStep: 25e6 });
  expect(manifest.quality.findings).toEqual([]);
});

test("changes before the first snapshot, and those that it has already, are left out and counted", async () => {
  const { manifest, events } = await read(
    CHANGES,
    HEADER,
    `${T},5,4,n,b,90,1`,
    `${T + 1},7,0,y,b,100,2`,
    `${T + 2},6,5,n,b,91,1`,
    `${T + 2},7,6,n,b,91,2`,
    // The first change after a snapshot may begin before it.
    `${T + 3},8,6,n,b,92,1`,
  );
  expect(events.map(({ id }) => id)).toEqual([7, 8]);
  expect(manifest.quality.findings).toMatchObject([{ kind: "stale", count: 3, treatment: "skipped" }]);
  const denied = readSources({ sources: [write(CHANGES, HEADER, `${T},5,4,n,b,90,1`)], deny: ["stale"] });
  await expectError(denied, { code: "DATA_STALE", line: 2 });
});

test("a missing update is a gap, and its successor is flagged until the next snapshot", async () => {
  const { manifest, events } = await read(
    CHANGES,
    HEADER,
    `${T},7,0,y,b,100,2`,
    `${T + 1},8,7,n,b,99,1`,
    `${T + 2},12,11,n,b,98,1`,
    `${T + 2},12,11,n,b,97,1`,
    `${T + 3},20,0,y,b,100,1`,
    `${T + 4},21,20,n,b,100,2`,
  );
  expect(events.map(({ flags }) => flags & BookFlag.gap)).toEqual([0, 0, BookFlag.gap, 0, 0, 0]);
  expect(events.filter(({ flags }) => (flags & BookFlag.first) !== 0).map(({ id }) => id)).toEqual([7, 20]);
  expect(manifest.quality.findings).toMatchObject([{ kind: "gap", count: 1 }]);
});

test.each([
  ["contiguous", [7, 8, 10], 1],
  ["rising", [7, 8, 10], 0],
  ["rising", [7, 9, 8], 1],
])("ids of updates by the rule %s: %j has %i gaps", async (rule, ids, gaps) => {
  const mapping = CHANGES.replace("{ column: u, previous: pu }", `{ column: u, rule: ${rule} }`);
  const rows = ids.map((id, index) => `${T + index},${id},0,${index === 0 ? "y" : "n"},b,100,${index + 1}`);
  const { manifest } = await read(mapping, HEADER, ...rows);
  expect(manifest.quality.findings.reduce((sum, { kind, count }) => sum + (kind === "gap" ? count : 0), 0)).toBe(gaps);
});

test("a book that starts empty needs no snapshot", async () => {
  const mapping = CHANGES.replace(/ {4}snapshot:.*\n/, "    startsEmpty: true\n");
  const { events } = await read(mapping, HEADER, `${T},5,4,n,b,90,1`, `${T + 1},6,5,n,a,91,1`);
  expect(events.map(({ flags }) => flags)).toEqual([BookFlag.first, 0]);
});

test("two snapshots in a row are two, and a file of snapshots alone needs no column for it", async () => {
  const mapping = CHANGES.replace("{ column: whole, yes: [y], no: [n] }", "all");
  const { events } = await read(mapping, HEADER, `${T},5,0,y,b,90,1`, `${T},5,0,y,a,91,1`, `${T + 9},6,0,y,b,90,2`);
  expect(events.map(({ flags }) => flags)).toEqual([3, 1, 3]);
});

test("a file without any snapshot has no events", async () => {
  await expectError(read(CHANGES, HEADER, `${T},5,4,n,b,90,1`), { code: "DATA_EMPTY" });
});

test("a quote is the best bid and then the best ask, after the book of its instant", async () => {
  const book = write(CHANGES, HEADER, `${T},7,0,y,b,100,2`);
  const quotes = write(QUOTES, "t,u,bp,bq,ap,aq", `${T},7,100,2,,`, `${T + 1},8,100,2,101,5`, `${T + 2},9,0,0,101,5`);
  const source = await readSources({ sources: [quotes, book] });
  const events = await collect(source);
  expect(events.map(({ kind }) => kind)).toEqual([5, 7, 7, 7, 7, 7, 7]);
  expect(at(events).slice(1)).toEqual([
    [1, 100, 2, 7, 0],
    [-1, 0, 0, 7, 0],
    [1, 100, 2, 8, 0],
    [-1, 101, 5, 8, 0],
    [1, 0, 0, 9, 0],
    [-1, 101, 5, 9, 0],
  ]);
});

test("rows of whole books become the changes from one to the next", async () => {
  const { events } = await read(
    LEVELS,
    "t,b0,bq0,b1,bq1,a0,aq0,a1,aq1",
    `${T},100,1,99,2,101,3,102,4`,
    `${T + 1},100,1,99,2,101,3,102,4`,
    `${T + 2},100,1.5,98,2,101,3,,`,
  );
  expect(at(events)).toEqual([
    [1, 100, 1, 0, 3],
    [1, 99, 2, 0, 1],
    [-1, 101, 3, 0, 1],
    [-1, 102, 4, 0, 1],
    [1, 99, 0, 0, 0],
    [1, 100, 1.5, 0, 0],
    [1, 98, 2, 0, 0],
    [-1, 102, 0, 0, 0],
  ]);
});

test("sizes in contracts and in value are base units, and none is lost to rounding", async () => {
  const contracts = CHANGES.replace("size: q", 'size: { column: q, unit: contracts, multiplier: "0.01" }');
  expect((await read(contracts, HEADER, `${T},7,0,y,b,100,250`)).events[0]!.size).toBe(2.5e8);
  const value = CHANGES.replace("size: q", "size: { column: q, unit: quote }");
  const { manifest, events } = await read(
    value,
    HEADER,
    `${T},7,0,y,b,50000,100`,
    `${T},7,0,y,b,50001,0.0000001`,
    `${T + 1},8,7,n,b,50000,0`,
  );
  expect(events.map(({ size }) => size)).toEqual([200_000, 1, 0]);
  expect(manifest.quality.findings).toMatchObject([{ kind: "rounded", count: 1 }]);
});

test("a tape gives the book and the quotes that its sources give", async () => {
  const sources = [
    write(CHANGES, HEADER, `${T},7,0,y,b,100,2`, `${T + 1},9,8,n,a,101,2`),
    write(QUOTES, "t,u,bp,bq,ap,aq", `${T + 1},9,100,2,101,2`),
  ];
  await importFiles({ sources, out: folder.path("book.tape") });
  const tape = await openTape(folder.path("book.tape"));
  const direct = await readSources({ sources });
  expect(await collect(tape)).toEqual(await collect(direct));
  expect(tape.manifest).toEqual(direct.manifest);
  await tape.close();
});

test.each([
  ["a word with two meanings", CHANGES.replace("ask: [a]", "ask: [a, b]")],
  ["a size that is nowhere in the file", CHANGES.replace("size: q", 'size: { constant: "1" }')],
  ["a book that begins with its newest row", CHANGES.replace("header: true", "header: true\norder: newestFirst")],
  ["levels whose columns have no number", LEVELS.replace('"b{i}"', '"b"')],
  ["updates by an unknown rule", CHANGES.replace("previous: pu", "rule: any")],
])("a mapping is refused that has %s", async (_, mapping) => {
  await expectError(read(mapping, HEADER, `${T},7,0,y,b,100,2`), { code: "MAPPING_INVALID" });
});
