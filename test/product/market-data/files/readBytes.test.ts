import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { openBytes } from "../../../../src/product/market-data/files/readBytes.ts";
import { readSources } from "../../../../src/product/market-data/index.ts";
import { createFolder, expectError } from "../helpers.ts";

const folder = createFolder();
const text = Array.from({ length: 50_000 }, (_, index) => `${index},${(index * 7919) % 1000}\n`).join("");

async function read(path: string): Promise<{ text: string; sha256: string }> {
  const source = await openBytes(path);
  const parts: Uint8Array[] = [];
  for await (const chunk of source.chunks()) parts.push(Uint8Array.from(chunk));
  return { text: Buffer.concat(parts).toString(), sha256: source.sha256() };
}

const gzipped = gzipSync(text);
const zipped = zipSync({ "trades.csv": strToU8(text) });
const forms: [string, Uint8Array][] = [
  ["plain.csv", strToU8(text)],
  ["packed.csv.gz", gzipped],
  ["two-members.gz", Buffer.concat([gzipSync(text.slice(0, 1000)), gzipSync(text.slice(1000))])],
  ["no-extension", gzipped],
  ["one-member.zip", zipped],
  ["stored.zip", zipSync({ "trades.csv": [strToU8(text), { level: 0 }] })],
];

test.each(forms)("the content of %s is read whole, and hashed as it is stored", async (name, bytes) => {
  const path = folder.write(name, bytes);
  const result = await read(path);
  expect(result.text === text).toBe(true);
  expect(result.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
});

test("a gzip file that is cut off anywhere is an error", async () => {
  for (const length of [11, 100, gzipped.length >> 1, gzipped.length - 9, gzipped.length - 1]) {
    const path = folder.write("cut.csv.gz", gzipped.subarray(0, length));
    await expectError(read(path), { code: "GZIP_TRUNCATED", file: "cut.csv.gz" });
  }
});

test("a quoted file in a gzip that is cut off is the same error, with nothing left hanging", async () => {
  const quoted = gzipSync(
    Array.from(
      { length: 60_000 },
      (_, index) => `"${index + 1}","1","1","1","1","${1_704_067_200_000 + index * 7}","true"\n`,
    ).join(""),
  );
  const path = folder.write("quoted.csv.gz", quoted.subarray(0, quoted.length - 500));
  const reading = readSources({ sources: [{ path, market: "M", layout: "aggTrades" }] });
  await expectError(reading, { code: "GZIP_TRUNCATED", file: "quoted.csv.gz" });
});

test("a gzip file with a changed byte is an error", async () => {
  const bytes = Uint8Array.from(gzipped);
  bytes[bytes.length - 6]! ^= 1; // in the checksum
  await expectError(read(folder.write("bad.gz", bytes)), { code: "GZIP_CORRUPT" });
});

test("a zip with two members is refused, and nothing is guessed", async () => {
  const path = folder.write("two.zip", zipSync({ a: strToU8("1\n"), b: strToU8("2\n") }));
  const error = await expectError(read(path), { code: "ZIP_UNSUPPORTED" });
  expect(error.message).toContain("2 files (a, b)");
});

test("a path that leads into an archive is one of its files", async () => {
  const archive = zipSync({ "a.csv": strToU8("1\n"), "deep/b.csv": strToU8(text) });
  folder.write("two.zip", archive);
  const chosen = await read(folder.path("two.zip/deep/b.csv"));
  expect(chosen.text === text).toBe(true);
  expect(chosen.sha256).toBe(createHash("sha256").update(archive).digest("hex"));
  const missing = await expectError(read(folder.path("two.zip/deep/c.csv")), { code: "FILE_MISSING" });
  expect(missing.hint).toContain("did you mean deep/b.csv?");
  const several = await expectError(read(folder.path("two.zip")), { code: "ZIP_UNSUPPORTED" });
  expect(several.hint).toContain("two.zip/a.csv");
  // A folder may be called like an archive.
  mkdirSync(folder.path("folder.zip"));
  folder.write("folder.zip/plain.csv", text);
  expect((await read(folder.path("folder.zip/plain.csv"))).text === text).toBe(true);
});

test("the market of a member of an archive is in its own name, and each member is a source", async () => {
  const row = (price: number): string =>
    `1704067200000,${price},${price},${price},${price},1,1704067259999,1,1,1,1,0\n`;
  const archive = zipSync({ "BTCUSDT-1m.csv": strToU8(row(5)), "ETHUSDT-1m.csv": strToU8(row(6)) });
  const path = folder.write("all.zip", archive);
  const sources = ["BTCUSDT-1m.csv", "ETHUSDT-1m.csv"].map((member) => ({ path: `${path}/${member}` }));
  const { manifest } = await readSources({ sources });
  expect(manifest.sources.map(({ file, market, events }) => [file, market, events])).toEqual([
    ["all.zip/BTCUSDT-1m.csv", "BTCUSDT", 1],
    ["all.zip/ETHUSDT-1m.csv", "ETHUSDT", 1],
  ]);
});

test("folders and the entries that macOS adds to a zip do not count as files", async () => {
  const members = { "data/": new Uint8Array(0), "data/trades.csv": strToU8(text) };
  const path = folder.write("mac.zip", zipSync({ ...members, "__MACOSX/data/._trades.csv": strToU8("x") }));
  expect((await read(path)).text === text).toBe(true);
});

test("a zip64 archive is read, wherever its sizes are stated", async () => {
  const content = strToU8(text);
  for (const wide of [true, false]) {
    const path = folder.write("wide.zip", zip64("trades.csv", content, wide));
    expect((await read(path)).text === text).toBe(true);
  }
  const archive = zip64("trades.csv", content, true);
  await expectError(read(folder.write("cut64.zip", archive.subarray(0, archive.length - 30))), { code: "ZIP_CORRUPT" });
  archive[archive.length - 98]! ^= 255; // in the directory of zip64
  await expectError(read(folder.write("bad64.zip", archive)), { code: "ZIP_CORRUPT" });
});

test("a zip that is cut off, or whose checksum does not hold, is an error", async () => {
  await expectError(read(folder.write("cut.zip", zipped.subarray(0, zipped.length - 30))), { code: "ZIP_CORRUPT" });
  const stored = zipSync({ "t.csv": [strToU8("1,2\n3,4\n"), { level: 0 }] });
  const at = Buffer.from(stored).indexOf("1,2");
  stored[at] = 57;
  await expectError(read(folder.write("bad.zip", stored)), { code: "ZIP_CORRUPT" });
});

/** A zip64 archive of one file; `wide` puts the sizes and the place of the file in the 64-bit form, too. */
function zip64(name: string, content: Uint8Array, wide: boolean): Uint8Array {
  const packed = deflateRawSync(content);
  const label = Buffer.from(name);
  const crc = crc32(content);
  const fields = (parts: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer =>
    Buffer.concat(
      parts.map(([bytes, value]) => {
        const field = Buffer.alloc(8);
        field.writeBigUInt64LE(BigInt(value));
        return field.subarray(0, bytes);
      }),
    );
  const local = fields([
    [4, 0x04034b50],
    [2, 45],
    [2, 0],
    [2, 8],
    [4, 0],
    [4, crc],
    [4, packed.length],
    [4, content.length],
    [2, label.length],
    [2, 0],
  ]);
  const extra = wide
    ? fields([
        [2, 1],
        [2, 24],
        [8, content.length],
        [8, packed.length],
        [8, 0],
      ])
    : Buffer.alloc(0);
  const short = (value: number): number => (wide ? 0xffffffff : value);
  const central = Buffer.concat([
    fields([
      [4, 0x02014b50],
      [2, 45],
      [2, 45],
      [2, 0],
      [2, 8],
      [4, 0],
      [4, crc],
      [4, short(packed.length)],
      [4, short(content.length)],
    ]),
    fields([
      [2, label.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, short(0)],
    ]),
    label,
    extra,
  ]);
  const directory = local.length + label.length + packed.length;
  const end = directory + central.length;
  return Buffer.concat([
    local,
    label,
    packed,
    central,
    fields([
      [4, 0x06064b50],
      [8, 44],
      [2, 45],
      [2, 45],
      [4, 0],
      [4, 0],
      [8, 1],
      [8, 1],
      [8, central.length],
      [8, directory],
    ]),
    fields([
      [4, 0x07064b50],
      [4, 0],
      [8, end],
      [4, 1],
    ]),
    fields([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, 0xffff],
      [2, 0xffff],
      [4, 0xffffffff],
      [4, 0xffffffff],
      [2, 0],
    ]),
  ]);
}

test("a path that is missing or a folder is an error with the path", async () => {
  const error = await expectError(read(folder.path("missing.csv")), { code: "FILE_MISSING" });
  expect(error.message).toContain("missing.csv");
  mkdirSync(folder.path("folder"));
  await expectError(read(folder.path("folder")), { code: "FILE_UNREADABLE" });
});
