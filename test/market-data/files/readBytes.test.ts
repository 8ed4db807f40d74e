import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { openBytes } from "../../../src/market-data/files/readBytes.ts";
import { readSources } from "../../../src/market-data/index.ts";
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
  expect(error.message).toContain("2 members");
});

test("a zip that is cut off, or whose checksum does not hold, is an error", async () => {
  await expectError(read(folder.write("cut.zip", zipped.subarray(0, zipped.length - 30))), { code: "ZIP_CORRUPT" });
  const stored = zipSync({ "t.csv": [strToU8("1,2\n3,4\n"), { level: 0 }] });
  const at = Buffer.from(stored).indexOf("1,2");
  stored[at] = 57;
  await expectError(read(folder.write("bad.zip", stored)), { code: "ZIP_CORRUPT" });
});

test("a path that is missing or a folder is an error with the path", async () => {
  const error = await expectError(read(folder.path("missing.csv")), { code: "FILE_MISSING" });
  expect(error.message).toContain("missing.csv");
  mkdirSync(folder.path("folder"));
  await expectError(read(folder.path("folder")), { code: "FILE_UNREADABLE" });
});
