import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { importFiles } from "../../../../src/product/market-data/importFiles.ts";
import { openData } from "../../../../src/product/market-data/readSources.ts";
import { parseSource } from "../../../../src/product/market-data/stream/marketName.ts";
import { type EventChunk, EventKind, type EventSource } from "../../../../src/product/market-data/types.ts";
import { changeSource } from "../../../../src/product/research/lookahead/changedSource.ts";
import { createDataCopies } from "../../../../src/product/research/lookahead/dataCopies.ts";
import type { Future, FutureKind } from "../../../../src/product/research/lookahead/future.ts";
import { surveyPrices } from "../../../../src/product/research/lookahead/survey.ts";
import { createFolder, projectRoot } from "../../../helpers/project.ts";

const COLUMNS = [
  "kind",
  "market",
  "side",
  "timeMs",
  "price",
  "size",
  "open",
  "high",
  "low",
  "rate",
  "intervalMs",
] as const;

async function readRows(chunks: AsyncIterable<EventChunk>): Promise<Record<(typeof COLUMNS)[number], number>[]> {
  const rows: Record<(typeof COLUMNS)[number], number>[] = [];
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.count; at++) {
      rows.push(Object.fromEntries(COLUMNS.map((name) => [name, chunk[name][at]!])) as never);
    }
  }
  return rows;
}

async function futureOf(source: EventSource, kind: FutureKind, seed: number, share: number): Promise<Future> {
  const { fromMs, toMs } = source.manifest;
  const cutMs = Math.floor(fromMs + (toMs - fromMs) * share);
  const { marketsAt, valuesAt } = await surveyPrices(source, [cutMs]);
  return { kind, seed, cutMs, markets: marketsAt[0]!, series: valuesAt[0]! };
}

const sample = (name: string) => join(projectRoot, "data", name);
const HOURLY = [
  sample("BTC-PERP-klines-1h-2024.csv.gz"),
  sample("BTC-PERP-markPriceKlines-1h-2024.csv.gz"),
  sample("BTC-PERP-fundingRate-2024.csv"),
];
const DAY = [sample("BTC-PERP-klines-1m-2024-07-19.csv.gz")];
const TRADES = [sample("BTC-PERP-aggTrades-2024-03-05.csv.gz")];

describe.each(["mirrored", "otherPath"] as const)("data with a future that is %s", (kind) => {
  test.each([
    ["hourly bars, marks and funding", HOURLY, 0.3],
    ["bars of a minute", DAY, 0.7],
    ["trades", TRADES, 0.5],
  ])("%s: what was known stays, and what comes is whole", async (_name, paths, share) => {
    const source = await openData(paths);
    const future = await futureOf(source, kind, 3, share);
    const before = await readRows(source.chunks());
    const after = await readRows(changeSource(source, future).chunks());
    expect(after.length).toBe(before.length);
    const { priceStep, sizeStep } = source.manifest.markets[0]!;
    let changed = 0;
    for (const [at, row] of after.entries()) {
      const old = before[at]!;
      const { timeMs, kind: code, open, high, low, price, size, intervalMs } = row;
      expect([row.kind, row.market, timeMs, intervalMs, row.side]).toEqual([
        old.kind,
        old.market,
        old.timeMs,
        old.intervalMs,
        old.side,
      ]);
      if (timeMs <= future.cutMs) expect(row).toEqual(old);
      else if (JSON.stringify(row) !== JSON.stringify(old)) changed++;
      if (code === EventKind.funding) continue;
      expect(price).toBeGreaterThan(0);
      if (code === EventKind.bar || code === EventKind.trade) {
        expect(price % priceStep).toBe(0);
        expect(size % sizeStep).toBe(0);
        expect(size > 0).toBe(old.size > 0);
      }
      if (high === 0) continue;
      expect(low).toBeGreaterThan(0);
      expect(Math.min(open, price)).toBeGreaterThanOrEqual(low);
      expect(Math.max(open, price)).toBeLessThanOrEqual(high);
    }
    const later = after.filter(({ timeMs }) => timeMs > future.cutMs).length;
    expect(changed / later).toBeGreaterThan(0.99);
  });

  test("a bar that is under way keeps its open and volume, and loses what was not seen", async () => {
    const source = await openData(DAY);
    const [first] = await readRows(source.chunks());
    const openMs = first!.timeMs - first!.intervalMs;
    const { marketsAt } = await surveyPrices(source, [openMs + 1]);
    for (const [cutMs, keeps] of [
      [openMs + 1, []],
      [openMs + 20_000, ["high", "low"]],
      [openMs + 45_000, ["high", "low"]],
    ] as const) {
      const [changed] = await readRows(changeSource(source, { kind, seed: 1, cutMs, markets: marketsAt[0]! }).chunks());
      expect(changed).toMatchObject({ open: first!.open, size: first!.size });
      expect(changed!.price).not.toBe(first!.price);
      for (const name of keeps) expect(changed![name]).toBe(first![name]);
    }
  });

  test("is the same in chunks of any length, and from any time", async () => {
    const source = await openData(DAY);
    const future = await futureOf(source, kind, 5, 0.4);
    const whole = await readRows(changeSource(source, future).chunks());
    const fromMs = whole[700]!.timeMs;
    expect(await readRows(changeSource(source, future).chunks({ fromMs }))).toEqual(whole.slice(700));
    const untilMs = whole[800]!.timeMs;
    expect(await readRows(changeSource(source, future, untilMs).chunks())).toEqual(whole.slice(0, 801));
  });
});

describe("a copy of a file has the future that the run is shown", () => {
  /** Reads a changed copy with the readers of market data, and compares it with the changed stream. */
  async function expectAlike(path: string, given = path): Promise<void> {
    const folder = createFolder();
    const source = await openData([given]);
    const policy = {};
    const copies = createDataCopies(folder, [parseSource(given)], policy, source.manifest);
    expect(await copies.recognise([{ path, caller: undefined }])).toEqual([path]);
    for (const kind of ["mirrored", "otherPath"] as const) {
      const future = await futureOf(source, kind, 9, 0.6);
      const { [path]: copy } = await copies.write([path], future);
      const read = await openData([`${source.manifest.markets[0]!.name}=${copy}`]);
      expect(await readRows(read.chunks())).toEqual(await readRows(changeSource(source, future).chunks()));
      await read.close();
      await copies.clear();
    }
    await source.close();
  }

  test.each([...DAY, HOURLY[2]!])("%s, compressed or not", async (path) => {
    await expectAlike(path);
  });

  test("plain text, under another name", async () => {
    const folder = createFolder();
    const original = join(folder, "BTC-PERP-klines-1m.csv");
    const copy = join(folder, "mine.txt");
    writeFileSync(original, gunzipSync(readFileSync(DAY[0]!)));
    copyFileSync(original, copy);
    await expectAlike(copy, original);
  });

  test("trades", async () => {
    const folder = createFolder();
    const path = join(folder, "BTC-PERP-aggTrades.csv");
    writeFileSync(path, gunzipSync(readFileSync(TRADES[0]!)).toString().split("\n").slice(0, 2_000).join("\n"));
    await expectAlike(path);
  });

  const minute = (at: number) =>
    new Date(Date.UTC(2024, 2, 5) + at * 60_000).toISOString().slice(0, 19).replace("T", " ");
  const ROWS = Array.from({ length: 80 }, (_, at) => at);

  test.each([
    [
      "BTC-PERP-metrics.csv",
      [
        "create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio",
        ...ROWS.map(
          (at) => `${minute(5 * at)},BTC,${80_000 + at}.5,${5e9 + at}.123456789012345,1.${at},,0.${at + 1},0.9`,
        ),
      ],
    ],
    [
      "BTC-PERP-bookDepth.csv",
      [
        "timestamp,percentage,depth,notional",
        ...ROWS.flatMap((at) => ["-5.00", "0.20"].map((band) => `${minute(at)},${band},${1_000 + at},${at}00.25`)),
      ],
    ],
    [
      "BTC-PERP-premiumIndexKlines-1m.csv",
      ROWS.map((at) => {
        const open = Date.UTC(2024, 2, 5) + at * 60_000;
        const value = `${at % 2 === 0 ? "-" : ""}0.000${100 + at}`;
        return `${open},${value},${value},${value},${value},0,${open + 59_999},0,12,0,0,0`;
      }),
    ],
  ])("series of %s, whose changed values are known no earlier", async (name, rows) => {
    const path = join(createFolder(), name);
    writeFileSync(path, rows.join("\n"));
    await expectAlike(path);
    const source = await openData([path]);
    for (const kind of ["mirrored", "otherPath"] as const) {
      const future = await futureOf(source, kind, 9, 0.6);
      const [before, after] = [await readRows(source.chunks()), await readRows(changeSource(source, future).chunks())];
      let changed = 0;
      for (const [at, row] of after.entries()) {
        if (row.timeMs <= future.cutMs) expect(row).toEqual(before[at]);
        else if (row.price !== before[at]!.price || row.size !== before[at]!.size) changed++;
      }
      expect(changed).toBeGreaterThan(after.length / 4);
    }
    await source.close();
  });

  test("a tape of several files", async () => {
    const out = join(createFolder(), "all.tape");
    await importFiles({ sources: HOURLY.map(parseSource), out });
    await expectAlike(out);
  });

  test("a file that the run does not read is not changed", async () => {
    const source = await openData(DAY);
    const copies = createDataCopies(createFolder(), DAY.map(parseSource), {}, source.manifest);
    expect(await copies.recognise([{ path: HOURLY[2]!, caller: undefined }])).toEqual([]);
    expect(await copies.recognise([{ path: "/nowhere/at.all", caller: undefined }])).toEqual([]);
  });
});
