import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RecordedBook } from "../../../../src/product/market-data/book/recordedBook.ts";
import {
  BookFlag,
  checkData,
  importFiles,
  openTape,
  readSources,
  type SourceFile,
} from "../../../../src/product/market-data/index.ts";
import type { Derived } from "../../../../src/product/market-data/select/derived.ts";
import { mergeData } from "../../../../src/product/market-data/select/mergeData.ts";
import { type Slice, sliceData } from "../../../../src/product/market-data/select/sliceData.ts";
import { writeTape } from "../../../../src/product/market-data/tape/writeTape.ts";
import { collect, createFolder, expectError, lines, mapBook, QUOTES } from "../helpers.ts";

const folder = createFolder();
const START = 1_704_067_200_000;
const MINUTE = 60_000;
let files = 0;
const BOOK = mapBook("startsEmpty: true", "id: { column: u, rule: rising }");

function write(market: string, layout: string, ...rows: string[]): SourceFile {
  files++;
  return { path: folder.write(`P${files}-${layout}.csv`, lines(...rows)), layout, market };
}

function writeBook(market: string, rows: readonly string[]): SourceFile {
  files++;
  const path = folder.write(`P${files}.csv`, lines("t,u,s,p,q", ...rows));
  return { path, layout: folder.write(`P${files}.yaml`, BOOK), market };
}

const klines = (market: string, minutes: readonly number[]) =>
  write(
    market,
    "klines",
    ...minutes.map((minute) => {
      const open = START + minute * MINUTE;
      return `${open},100,101,99,100.5,3,${open + MINUTE - 1},0,0,0,0,0`;
    }),
  );
const trades = (market: string, times: readonly number[]) =>
  write(market, "aggTrades", ...times.map((time, id) => `${id + 1},100,0.5,1,1,${START + time},true`));

/** Writes what is derived to a tape, and reads that. */
async function take(derived: Derived) {
  files++;
  const path = folder.path(`T${files}.tape`);
  await writeTape(path, derived.chunks(), derived.manifest);
  const tape = await openTape(path);
  const events = await collect(tape);
  await tape.close();
  return { path, events, manifest: tape.manifest };
}

const slice = async (sources: SourceFile[], part: Slice) => take(sliceData(await readSources({ sources }), part));

test("a slice has the bars that open in it, and its manifest says so", async () => {
  const sources = [klines("A", [0, 1, 2, 3]), trades("B", [10, MINUTE + 10])];
  const { events, manifest } = await slice(sources, { fromMs: START + MINUTE, toMs: START + 3 * MINUTE });
  expect(events.map(({ market, timeMs }) => [market, timeMs - START])).toEqual([
    ["B", MINUTE + 10],
    ["A", 2 * MINUTE],
    ["A", 3 * MINUTE],
  ]);
  expect(manifest).toMatchObject({
    events: 3,
    counts: { bar: 2, trade: 1 },
    markets: [
      { name: "A", priceStep: 50_000_000, start: { driver: "bar", fromMs: START + MINUTE + 1 } },
      { name: "B", priceStep: 10_000_000_000, start: { driver: "trade", fromMs: START + MINUTE + 10 } },
    ],
  });
});

test("some markets or kinds are taken without the others, with the findings of their files", async () => {
  const sources = [klines("A", [0, 1, 5]), trades("B", [10]), klines("B", [0])];
  const { events, manifest } = await slice(sources, { markets: ["B"], kinds: ["trade"] });
  expect(events.map(({ market, kind }) => [market, kind])).toEqual([["B", 4]]);
  expect(manifest.sources.map(({ market }) => market)).toEqual(["B", "B"]);
  expect(manifest.quality.findings).toEqual([]);
  const first = await slice(sources, { markets: ["A"] });
  expect(first.manifest.quality.findings).toMatchObject([{ kind: "gap", source: 0 }]);
  await expectError(slice(sources, { markets: ["C"] }), { code: "SOURCE_INVALID" });
  await expectError(slice(sources, { fromMs: START + MINUTE * 60 }), { code: "DATA_EMPTY" });
});

const change = fc.record({
  wait: fc.integer({ min: 0, max: 3 }),
  side: fc.constantFrom("b", "a"),
  price: fc.integer({ min: 1, max: 6 }),
  size: fc.integer({ min: 0, max: 3 }),
});

// Goal: a slice is as good as the whole. Method: the book at the end of a slice is the book of the whole, wherever it
// is cut.
test("the book of a slice is that of the whole recording", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 30 }), fc.nat(60), async (changes, cut) => {
      let time = START;
      const rows = changes.map(({ wait, side, price, size }, id) => {
        time += wait;
        return `${time},${id + 1},${side},${side === "b" ? price : price + 10},${size}`;
      });
      const source = await readSources({
        sources: [writeBook("M", [`${START},0,b,1,9`, ...rows, `${time + 99},99,a,50,1`])],
      });
      const books = await Promise.all(
        [{}, { fromMs: START + cut }].map(async (part) => {
          const book = new RecordedBook();
          for await (const chunk of sliceData(source, part).chunks()) {
            for (let row = 0; row < chunk.count; row++) {
              book.apply(chunk.side[row]!, chunk.price[row]!, chunk.size[row]!, chunk.flags[row]!);
            }
          }
          return [...book.listLevels()];
        }),
      );
      expect(books[1]).toEqual(books[0]);
    }),
    { numRuns: 20 },
  );
});

test("a book that begins before a slice is a snapshot at its start, with the id of its last update", async () => {
  const book = writeBook("M", [`${START},1,b,100,1`, `${START + 5},2,a,101,2`, `${START + 10},3,b,100,3`]);
  const { events } = await slice([book], { fromMs: START + 7 });
  expect(events.map(({ timeMs, side, price, id, flags }) => [timeMs - START, side, price / 1e8, id, flags])).toEqual([
    [7, 1, 100, 2, BookFlag.snapshot | BookFlag.first],
    [7, -1, 101, 2, BookFlag.snapshot],
    [10, 1, 100, 3, 0],
  ]);
});

test("a book that lacks updates is flagged at the start of a slice", async () => {
  const layout = folder.write("gaps.yaml", mapBook("startsEmpty: true", "id: { column: u, rule: contiguous }"));
  const path = folder.write(
    "gaps.csv",
    lines("t,u,s,p,q", `${START},1,b,100,1`, `${START},3,b,99,1`, `${START + 9},4,a,101,1`),
  );
  const { events } = await slice([{ path, layout, market: "M" }], { fromMs: START + 5 });
  expect(events.map(({ flags }) => flags)).toEqual([
    BookFlag.snapshot | BookFlag.first | BookFlag.gap,
    BookFlag.snapshot,
    0,
  ]);
});

test("a book cut in two and joined again agrees with its quotes as often as whole", async () => {
  const quotes = folder.write("quotes.yaml", QUOTES);
  const sources = [
    writeBook("M", [`${START},1,b,100,1`, `${START},2,a,102,1`, `${START + 9},3,b,101,1`]),
    {
      path: folder.write(
        "quotes.csv",
        lines("t,u,bp,bq,ap,aq", `${START},2,100,1,102,1`, `${START + 9},3,101,1,102,1`),
      ),
      layout: quotes,
      market: "M",
    },
  ];
  const whole = await readSources({ sources });
  const parts = [{ toMs: START + 5 }, { fromMs: START + 5 }].map((part) => take(sliceData(whole, part)));
  const tapes = await Promise.all((await Promise.all(parts)).map(({ path }) => openTape(path)));
  const joined = await openTape((await take(mergeData(tapes))).path);
  const [check] = await checkData(joined);
  expect(check!.book!.quotes).toEqual((await checkData(whole))[0]!.book!.quotes);
  expect(check!.book!.quotes).toMatchObject({ compared: 2, equal: 2 });
  for (const tape of [joined, ...tapes]) await tape.close();
});

test("slices of a tape, joined again, are the events of the tape", async () => {
  const path = folder.path("whole.tape");
  await importFiles({ sources: [klines("A", [0, 1, 2, 3]), trades("B", [10, MINUTE, 2 * MINUTE])], out: path });
  const whole = await openTape(path);
  const cut = START + 2 * MINUTE;
  const parts = await Promise.all(
    [{ toMs: cut }, { fromMs: cut }].map(async (part) => openTape((await take(sliceData(whole, part))).path)),
  );
  const joined = await take(mergeData(parts));
  expect(joined.events).toEqual(await collect(whole));
  const { sources: _, ...manifest } = joined.manifest;
  const { sources: __, ...wanted } = whole.manifest;
  expect(manifest).toEqual(wanted);
  await Promise.all([whole, ...parts].map((tape) => tape.close()));
});

test("markets of several recordings are merged in the order of time, then kind", async () => {
  const [a, b] = await Promise.all(
    [[klines("A", [0, 1])], [trades("B", [5, MINUTE]), klines("C", [0])]].map((sources) => readSources({ sources })),
  );
  const { events } = await take(mergeData([a!, b!]));
  expect(events.map(({ market, timeMs }) => `${market}${timeMs - START}`)).toEqual([
    "B5",
    "B60000",
    "A60000",
    "C60000",
    "A120000",
  ]);
});

test.each([
  ["the same bars", [0, 1], [1, 2]],
  ["a bar at the seam", [0, 1], [1]],
  ["bars of one time, none of them the same", [0, 2], [1, 3]],
])("two recordings that have %s are refused", async (_, first, second) => {
  const [a, b] = await Promise.all([first, second].map((minutes) => readSources({ sources: [klines("A", minutes)] })));
  await expectError((async () => take(mergeData([a!, b!])))(), { code: "SOURCE_INVALID" });
});

test("equal parts give equal bytes", async () => {
  const source = await readSources({ sources: [klines("A", [0, 1, 2])] });
  const hashes = await Promise.all(
    [0, 1].map(async () => {
      const { path } = await take(sliceData(source, { fromMs: START + MINUTE }));
      return createHash("sha256").update(readFileSync(path)).digest("hex");
    }),
  );
  expect(hashes[1]).toBe(hashes[0]);
});
