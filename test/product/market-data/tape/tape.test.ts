import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import {
  EVENT_KINDS,
  EventKind,
  type ImportProgress,
  importFiles,
  openData,
  openTape,
  readSources,
  type SourceFile,
} from "../../../../src/product/market-data/index.ts";
import { TRAILER_BYTES } from "../../../../src/product/market-data/tape/format.ts";
import { catchError, collect, createFolder, type EventRow, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const START = 1_704_067_200_000;
const MINUTE = 60_000;

/** Trades in the aggTrades layout. */
const trades = (from: number, times: readonly number[]): string =>
  lines(
    ...times.map(
      (time, index) =>
        `${from + index},${100 + (index % 7)}.5,0.${1 + (index % 9)},1,1,${START + time},${index % 2 === 0}`,
    ),
  );

const klines = (minutes: readonly number[]): string =>
  lines(
    ...minutes.map((minute) => {
      const open = START + minute * MINUTE;
      return `${open},100,101,99,100.5,3,${open + MINUTE - 1},0,0,0,0,0`;
    }),
  );

let sources: SourceFile[];
let bytes: Buffer;

beforeAll(async () => {
  // More rows than a chunk holds, so that the tape has several.
  const times = Array.from({ length: 70_000 }, (_, index) => Math.floor(index / 3));
  sources = [
    { path: folder.write("A-aggTrades.csv", trades(1, times)), market: "A" },
    { path: folder.write("A-klines.csv", klines([0, 1, 2])), market: "A", layout: "klines" },
    { path: folder.write("A-mark.csv", klines([0, 1, 2])), market: "A", layout: "markPriceKlines" },
    { path: folder.write("B-funding.csv", lines(`${START + MINUTE},8,0.0001`)), market: "B", layout: "fundingRate" },
  ];
  await importFiles({ sources, out: folder.path("all.tape") });
  bytes = readFileSync(folder.path("all.tape"));
});

test("a tape gives the events that its sources give", async () => {
  const tape = await openTape(folder.path("all.tape"));
  const direct = await readSources({ sources });
  const events = await collect(tape);
  expect(events).toHaveLength(70_007);
  expect(events).toEqual(await collect(direct));
  expect(tape.manifest).toEqual(direct.manifest);
  expect(tape.manifest).toMatchObject({
    events: 70_007,
    counts: { index: 0, mark: 3, funding: 1, trade: 70_000, depth: 0, quote: 0, bar: 3 },
    fromMs: START,
    toMs: START + 3 * MINUTE,
    markets: [{ name: "A", priceStep: 50_000_000 }, { name: "B" }],
  });
  await tape.close();
});

type Counts = Readonly<Record<string, number>>;

/** The tape as version 1 had it: without order books, the starts of the markets and the checksums of the chunks. */
function toVersion1(tape: Buffer): Buffer {
  const trailer = Buffer.from(tape.subarray(-TRAILER_BYTES));
  const at = Number(trailer.readBigUInt64LE(0));
  const footer = JSON.parse(tape.toString("utf8", at, tape.length - TRAILER_BYTES)) as {
    manifest: { version: number; counts: Counts; markets: { start?: unknown; events: Counts }[] };
    chunks: { crc32?: number; constants: { flags?: number } }[];
  };
  const { manifest, chunks } = footer;
  manifest.version = 1;
  const { depth: _, quote: __, ...counts } = manifest.counts;
  manifest.counts = counts;
  for (const market of manifest.markets) {
    delete market.start;
    const { depth: _, quote: __, ...events } = market.events;
    market.events = events;
  }
  for (const chunk of chunks) {
    delete chunk.crc32;
    delete chunk.constants.flags;
  }
  const text = Buffer.from(JSON.stringify(footer));
  const head = Buffer.from(tape.subarray(0, at));
  head.writeUInt32LE(1, 8);
  trailer.writeBigUInt64LE(BigInt(text.length), 8);
  createHash("sha256").update(text).digest().copy(trailer, 16);
  trailer.writeUInt32LE(1, 48);
  return Buffer.concat([head, text, trailer]);
}

test("a tape of version 1 gives the same events, and its damage is found", async () => {
  const old = toVersion1(bytes);
  const path = folder.write("old.tape", old);
  const tape = await openTape(path);
  expect(tape.manifest.version).toBe(1);
  const now = await openTape(folder.path("all.tape"));
  expect(await collect(tape)).toEqual(await collect(now));
  await tape.close();
  await now.close();
  old[1_000]! ^= 1;
  const damaged = await openTape(folder.write("old.tape", old));
  await expectError(collect(damaged), { code: "TAPE_CORRUPT" });
  await damaged.close();
});

test("the manifest has the first event that drives each market", async () => {
  const tape = await openTape(folder.path("all.tape"));
  const [a, b] = tape.manifest.markets;
  expect(a!.start).toEqual({ driver: "trade", intervalMs: 0, firstPrice: 100_5000_0000, fromMs: START });
  // Funding alone drives nothing.
  expect(b!.start).toBeUndefined();
  const bars = [{ path: folder.write("C.csv", klines([5, 6])), market: "C", layout: "klines" }];
  const [c] = (await readSources({ sources: bars })).manifest.markets;
  const openMs = START + 5 * MINUTE;
  expect(c!.start).toEqual({ driver: "bar", intervalMs: MINUTE, firstPrice: 100_0000_0000, fromMs: openMs + 1 });
  await tape.close();
});

test("equal sources give equal bytes", async () => {
  await importFiles({ sources, out: folder.path("again.tape") });
  expect(readFileSync(folder.path("again.tape")).equals(bytes)).toBe(true);
});

test("a range of time gives the events within it", async () => {
  const range = { fromMs: START + 21_000, toMs: START + 2 * MINUTE };
  const inside = ({ timeMs }: EventRow): boolean => timeMs >= range.fromMs && timeMs < range.toMs;
  const tape = await openTape(folder.path("all.tape"));
  const wanted = (await collect(tape)).filter(inside);
  expect(wanted.length).toBeGreaterThan(100);
  expect(await collect(tape, range)).toEqual(wanted);
  expect(await collect(await readSources({ sources }), range)).toEqual(wanted);
  expect(await collect(tape, { fromMs: START + 9 * MINUTE })).toEqual([]);
  await tape.close();
});

// Goal: the total order of types.ts, whatever the files.
// Method: files with few distinct times, so that nearly all events tie; the oracle sorts all rows by the written order.
test("events are in the order of time, then kind, then source and row", async () => {
  const rising = fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }).map((times) => [...times].sort((a, b) => a - b));
  const distinct = fc
    .uniqueArray(fc.nat(6), { minLength: 1, maxLength: 7 })
    .map((times) => [...times].sort((a, b) => a - b));
  const source = fc.oneof(
    rising.map((minutes) => ({ kind: "trade" as const, minutes })),
    distinct.map((minutes) => ({ kind: "bar" as const, minutes })),
    distinct.map((minutes) => ({ kind: "mark" as const, minutes })),
    distinct.map((minutes) => ({ kind: "index" as const, minutes })),
    distinct.map((minutes) => ({ kind: "funding" as const, minutes })),
  );
  const layouts = {
    trade: "aggTrades",
    bar: "klines",
    mark: "markPriceKlines",
    index: "indexPriceKlines",
    funding: "fundingRate",
  };
  await fc.assert(
    fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 5 }), async (parts) => {
      const given = parts.map(({ kind, minutes }, index): SourceFile => {
        const text =
          kind === "trade"
            ? trades(
                1,
                minutes.map((minute) => (minute + 1) * MINUTE),
              )
            : kind === "funding"
              ? lines(...minutes.map((minute) => `${START + (minute + 1) * MINUTE},8,0.0001`))
              : klines(minutes);
        return { path: folder.write(`P${index}.csv`, text), market: `M${index}`, layout: layouts[kind] };
      });
      const wanted = parts
        .flatMap(({ kind, minutes }, source) =>
          minutes.map((minute, row) => ({
            time: START + (minute + 1) * MINUTE,
            kind,
            rank: EVENT_KINDS.indexOf(kind),
            source,
            row,
          })),
        )
        .sort((a, b) => a.time - b.time || a.rank - b.rank || a.source - b.source || a.row - b.row)
        .map(({ time, kind, source }) => [time, EventKind[kind], `M${source}`]);
      const read = await readSources({ sources: given });
      // Eight hours between settlements make every shorter distance a duplicate only at the same instant.
      expect((await collect(read)).map(({ timeMs, kind, market }) => [timeMs, kind, market])).toEqual(wanted);
    }),
    { numRuns: 60 },
  );
});

async function readAll(content: Uint8Array): Promise<void> {
  const tape = await openTape(folder.write("broken.tape", content));
  try {
    for await (const _ of tape.chunks());
  } finally {
    await tape.close();
  }
}

// Goal: no damage goes unnoticed. Method: any byte but those that mean nothing (padding) is changed, or the end is cut.
test("a tape with any byte changed is corrupt, and says where", async () => {
  await readAll(bytes); // the frame of the test itself
  const meaningless = (at: number): boolean =>
    (at >= 12 && at < 16) || (at >= bytes.length - TRAILER_BYTES + 52 && at < bytes.length - 8);
  const anywhere = fc.nat(bytes.length - 1);
  const footer = fc.nat(3000).map((back) => bytes.length - 1 - back);
  await fc.assert(
    fc.asyncProperty(fc.oneof(anywhere, footer, fc.nat(15)), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      fc.pre(!meaningless(at));
      const broken = Uint8Array.from(bytes);
      broken[at]! ^= mask;
      const error = await catchError(readAll(broken));
      expect(["TAPE_CORRUPT", "TAPE_VERSION"]).toContain(error.code);
      if (error.code === "TAPE_CORRUPT") expect(error.offset).toBeTypeOf("number");
    }),
    { numRuns: 60 },
  );
});

test("a tape cut off at any length is corrupt", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.nat(bytes.length - 1), fc.nat(100)), async (length) => {
      await expectError(readAll(bytes.subarray(0, length)), { code: "TAPE_CORRUPT" });
    }),
    { numRuns: 25 },
  );
});

test("a tape of another version is named as such", async () => {
  const other = Uint8Array.from(bytes);
  other[8] = 9;
  await expectError(readAll(other), { code: "TAPE_VERSION" });
});

test("an import that fails leaves no files, and an older tape unchanged", async () => {
  const bad = folder.write("bad.csv", `${trades(1, [0, 1])}3,x,1,1,1,${START + 2},true\n`);
  const out = folder.write("kept.tape", bytes);
  const before = readdirSync(folder.path(".")).sort();
  await expectError(importFiles({ sources: [{ path: bad, market: "A" }], out }), { code: "DATA_MALFORMED", line: 3 });
  expect(readdirSync(folder.path(".")).sort()).toEqual(before);
  expect(readFileSync(out).equals(bytes)).toBe(true);
  await expectError(importFiles({ sources, out: folder.path("no/such/folder.tape") }), { code: "FILE_UNREADABLE" });
});

test("progress rises to the end", async () => {
  const seen: ImportProgress[] = [];
  await importFiles({ sources, out: folder.path("progress.tape"), onProgress: (progress) => seen.push(progress) });
  const last = seen.at(-1)!;
  expect(last.bytesDone).toBe(last.bytesTotal);
  expect(last.rows).toBe(70_007);
  expect(seen.every(({ bytesDone }, index) => index === 0 || bytesDone >= seen[index - 1]!.bytesDone)).toBe(true);
});

test("data is a tape or source files, and a tape is read alone", async () => {
  const tape = folder.path("all.tape");
  expect((await openData([tape])).manifest.events).toBe(70_007);
  expect((await openData([`A:klines=${folder.path("A-klines.csv")}`])).manifest.events).toBe(3);
  await expectError(openData([tape, tape]), { code: "SOURCE_INVALID" });
  await expectError(openData([folder.path("nothing.csv")]), { code: "FILE_MISSING" });
});
