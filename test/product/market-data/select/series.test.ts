import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFiles, openTape, readSources, type SourceFile } from "../../../../src/product/market-data/index.ts";
import type { Derived } from "../../../../src/product/market-data/select/derived.ts";
import { readEventRow } from "../../../../src/product/market-data/select/eventTable.ts";
import { mergeData } from "../../../../src/product/market-data/select/mergeData.ts";
import { sliceData } from "../../../../src/product/market-data/select/sliceData.ts";
import { readTapeHash } from "../../../../src/product/market-data/tape/tapeHash.ts";
import { writeTape } from "../../../../src/product/market-data/tape/writeTape.ts";
import { openTradable } from "../../../../src/product/replay/tradable.ts";
import { projectRoot } from "../../../helpers/project.ts";
import { createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const START = 1_704_067_200_000;
const MINUTE = 60_000;
let files = 0;

function klines(market: string, minutes: readonly number[]): SourceFile {
  files++;
  const rows = minutes.map((minute) => {
    const open = START + minute * MINUTE;
    return `${open},100,101,99,100.5,3,${open + MINUTE - 1},0,0,0,0,0`;
  });
  return { path: folder.write(`K${files}.csv`, lines(...rows)), layout: "klines", market };
}

/** A series whose values are known a minute after their own. */
function series(market: string, names: readonly string[], rows: readonly (readonly [minute: number, value: string])[]) {
  files++;
  const values = names.map((name) => `${name}: ${name}`).join(", ");
  const yaml = [
    "mapping: series",
    "header: true",
    "time: { column: t, unit: ms }",
    `streams: [{ kind: series, values: { ${values} }, delay: 1m }]`,
  ];
  const text = rows.map(([minute, value]) => [START + minute * MINUTE, ...names.map(() => value)].join(","));
  return {
    path: folder.write(`S${files}.csv`, lines(["t", ...names].join(","), ...text)),
    layout: folder.write(`S${files}.yaml`, lines(...yaml)),
    market,
  };
}

/** Writes what is derived to a tape, and reads its series: name, value, own and known minute. */
async function take({ chunks, manifest }: Pick<Derived, "chunks" | "manifest">) {
  files++;
  const path = folder.path(`T${files}.tape`);
  await writeTape(path, chunks(), manifest);
  const tape = await openTape(path);
  const { manifest: read } = tape;
  const found: (string | number | null)[][] = [];
  for await (const chunk of tape.chunks()) {
    for (let row = 0; row < chunk.count; row++) {
      const markets = read.markets.map(({ name }) => name);
      const event = readEventRow(chunk, row, markets, (id) => read.series![id]!.name);
      if (event.kind !== "series") continue;
      const known = event.time - START;
      found.push([event.market, event.series, event.value, (known - event.intervalMs!) / MINUTE, known / MINUTE]);
    }
  }
  await tape.close();
  return { path, found, manifest: read };
}

const open = (...sources: SourceFile[]) => readSources({ sources });
const BEYOND = "-123456789012345.000000000000007";

test("a tape keeps series with their names, beyond 2^53, and does not lengthen its market by them", async () => {
  const source = await open(
    klines("A", [5, 6]),
    series(
      "A",
      ["oi", "ratio"],
      [
        [0, BEYOND],
        [90, "2"],
      ],
    ),
  );
  const { found, manifest } = await take({ chunks: () => source.chunks() as never, manifest: () => source.manifest });
  expect(found).toEqual([
    ["A", "oi", BEYOND, 0, 1],
    ["A", "ratio", BEYOND, 0, 1],
    ["A", "oi", "2", 90, 91],
    ["A", "ratio", "2", 90, 91],
  ]);
  const span = { fromMs: START + 6 * MINUTE, toMs: START + 7 * MINUTE };
  expect(manifest).toMatchObject({ version: 4, events: 6, counts: { series: 4, bar: 2 }, ...span });
  expect(manifest.markets).toMatchObject([{ events: { series: 4 }, ...span }]);
  const known = { events: 2, fromMs: START + MINUTE, toMs: START + 91 * MINUTE };
  expect(manifest.series).toEqual([
    { market: "A", name: "oi", ...known },
    { market: "A", name: "ratio", ...known },
  ]);
});

// The hash is that of the version before there were series.
test("a tape without series has the bytes that it had before there were any", async () => {
  const sample = (name: string): SourceFile => ({ path: join(projectRoot, "data", name) });
  const sources = [sample("BTC-PERP-fundingRate-2024.csv"), sample("BTC-PERP-klines-1m-2024-07-19.csv.gz")];
  await importFiles({ sources, out: folder.path("sample.tape") });
  expect(await readTapeHash(folder.path("sample.tape"))).toBe(
    "ed9e020160e2e626abdaea5e06fb434fa57979bf466f6352d378db1de5080c37",
  );
  const out = folder.path("old.tape");
  const manifest = await importFiles({ sources: [klines("A", [0, 1])], out });
  expect(manifest.version).toBe(3);
  const bytes = readFileSync(out);
  expect(bytes.readUInt32LE(8)).toBe(3);
  expect(bytes.includes("series")).toBe(false);
  const tape = await openTape(out);
  expect(tape.manifest).toEqual(manifest);
  await tape.close();
});

test("a slice begins with the last value that was known before it, at its own time", async () => {
  const source = await open(
    klines("A", [0, 5, 9]),
    series(
      "A",
      ["oi"],
      [
        [0, "1"],
        [2, "2"],
        [5, "3"],
        [8, "4"],
      ],
    ),
  );
  const { found, manifest } = await take(sliceData(source, { fromMs: START + 5 * MINUTE, toMs: START + 9 * MINUTE }));
  // The value of minute 8 is known in minute 9.
  expect(found).toEqual([
    ["A", "oi", "2", 2, 5],
    ["A", "oi", "3", 5, 6],
  ]);
  expect(manifest.series).toMatchObject([{ name: "oi", events: 2 }]);
});

test("a slice has the series of its markets alone, and without the kind none", async () => {
  const source = await open(
    klines("A", [0]),
    klines("B", [0]),
    series("A", ["oi"], [[0, "1"]]),
    series("B", ["oi", "ratio"], [[0, "2"]]),
  );
  const one = await take(sliceData(source, { markets: ["B"] }));
  expect(one.found).toEqual([
    ["B", "oi", "2", 0, 1],
    ["B", "ratio", "2", 0, 1],
  ]);
  expect(one.manifest.series!.map(({ market, name }) => `${market} ${name}`)).toEqual(["B oi", "B ratio"]);
  const without = await take(sliceData(source, { kinds: ["bar"] }));
  expect(without.manifest).toMatchObject({ version: 3, counts: { series: 0, bar: 2 } });
  expect(without.manifest.series).toBeUndefined();
});

test("recordings with other series of one market are merged, each series with its own values", async () => {
  const first = await open(
    klines("A", [0, 5]),
    series(
      "A",
      ["oi"],
      [
        [0, "1"],
        [3, "3"],
      ],
    ),
  );
  const second = await open(series("A", ["premium", "oi2"], [[1, "2"]]), series("B", ["oi"], [[1, "5"]]));
  const { found, manifest } = await take(mergeData([first, second]));
  expect(found).toEqual([
    ["A", "oi", "1", 0, 1],
    ["A", "premium", "2", 1, 2],
    ["A", "oi2", "2", 1, 2],
    ["B", "oi", "5", 1, 2],
    ["A", "oi", "3", 3, 4],
  ]);
  expect(manifest).toMatchObject({ version: 4, counts: { series: 5 } });
});

test("two recordings with values of one series at the same times are not merged", async () => {
  const first = await open(
    klines("A", [0]),
    series(
      "A",
      ["oi"],
      [
        [0, "1"],
        [3, "3"],
      ],
    ),
  );
  const inside = await open(series("A", ["oi"], [[1, "2"]]));
  const merge = async (second: typeof first) => take(mergeData([first, second]));
  const error = await expectError(merge(inside), { code: "SOURCE_INVALID" });
  expect(error.message).toContain("series oi of A");
  const after = await open(series("A", ["oi"], [[4, "2"]]));
  expect((await merge(after)).found).toHaveLength(3);
  // One ends when the other begins.
  const seam = await open(series("A", ["oi"], [[3, "2"]]));
  await expectError(merge(seam), { code: "SOURCE_INVALID" });
});

test("where nothing reads series, data with them is refused by the name of one", async () => {
  const source = await open(klines("A", [0]), series("A", ["oi"], [[0, "1"]]));
  const error: unknown = await openTradable(source).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "DATA_UNUSABLE", place: "A" });
  expect((error as Error).message).toContain("the series oi, and nothing reads it here");
});
