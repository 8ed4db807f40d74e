import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { readSources } from "../../../../src/product/market-data/index.ts";
import { createFolder, expectError } from "../helpers.ts";

const folder = createFolder();
const ROW = "1704067200000,1,1,1,1,1,1704067259999,0,0,0,0,0\n";

/** The header of a file in a tar archive, in the form of 1988 or the one before it. */
function tar(isPosix: boolean): Uint8Array {
  const block = Buffer.alloc(1024);
  block.write("bars.csv");
  block.write("0000644\0", 100);
  block.write("00000000060\0", 124);
  if (isPosix) block.write("ustar\0", 257);
  block.fill(32, 148, 156);
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  block.write(ROW, 512);
  return block;
}

const cases: [name: string, content: Uint8Array | string, message: string, hint: string][] = [
  ["bars.parquet.gz", gzipSync(Buffer.concat([Buffer.from("PAR1"), Buffer.alloc(100, 7)])), "Parquet", "unpack it"],
  ["bars.csv.bz2", "BZh91AY&SY....", "bzip2", "bunzip2"],
  ["bars.csv.xz", Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4), "xz", "xz --decompress"],
  ["bars.7z", Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4), "7z", "7z x"],
  ["old.csv.lz4", Uint8Array.of(0x02, 0x21, 0x4c, 0x18, 4, 0, 0, 0), "lz4 of before 2013", "lz4 --decompress"],
  ["bars.tar", tar(true), "tar", "tar --extract"],
  ["old.tar", tar(false), "tar", "tar --extract"],
  ["bars.tar.gz", gzipSync(tar(true)), "tar", "tar --extract"],
  ["twice.csv.gz", gzipSync(gzipSync(ROW)), "packed twice", "gunzip"],
  ["page.csv", "<!DOCTYPE html>\n<html><body>404</body></html>", "web page", "download"],
  ["page2.csv", "\n<html lang=en>", "web page", "download"],
  ["error.csv", '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', "web page", "download"],
  ["bars.xlsx", zipSync({ "[Content_Types].xml": strToU8("x"), "xl/workbook.xml": strToU8("x") }), "Excel", "CSV"],
  ["pointer.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "Git LFS", "git lfs pull"],
  ["wide.csv", Buffer.from(`\uFEFF${ROW}`, "utf16le"), "UTF-16", "iconv"],
  ["wide-without-mark.csv", Buffer.from(ROW, "utf16le"), "UTF-16", "iconv"],
  ["bars.db", "SQLite format 3\0....", "SQLite", "sqlite3"],
  ["noise.bin", Uint8Array.of(9, 0, 9, 9, 0, 0, 1, 2), "binary", "CSV"],
];

test.each(cases)("%s is refused by its kind, with a way to convert it", async (name, content, message, hint) => {
  const reading = readSources({ sources: [{ path: folder.write(name, content), market: "M", layout: "klines" }] });
  const error = await expectError(reading, { code: "FORMAT_UNSUPPORTED", file: name });
  expect(error.message).toContain(message);
  expect(error.hint).toContain(hint);
});

test.each(["", "\n\n", "  \r\n", "\uFEFF"])("a file of nothing but %j is empty", async (content) => {
  const path = folder.write("empty.csv", content);
  await expectError(readSources({ sources: [{ path, market: "M" }] }), { code: "DATA_EMPTY", file: "empty.csv" });
});

const CHINESE = `
mapping: chinese
header: true
time: { column: 时间, unit: ms }
streams:
  - { kind: trades, price: 价格, size: 数量, side: { column: 方向, buy: [买入], sell: [卖出] } }
`;

test("a header and words are UTF-8, with and without a byte order mark, plain and quoted", async () => {
  const layout = folder.write("chinese.yaml", CHINESE);
  const plain = "时间,价格,数量,方向\n1704067200000,10,2,买入\n1704067200001,10,1e0,卖出\n".replace("1e0", "1");
  const quoted = plain.replace("时间", '"时间"');
  for (const content of [plain, `\uFEFF${plain}`, quoted, `\uFEFF${quoted}`]) {
    const source = await readSources({ sources: [{ path: folder.write("c.csv", content), market: "M", layout }] });
    expect(source.manifest.counts.trade).toBe(2);
  }
  // An error in such a row shows the word as it is in the file.
  const path = folder.write("d.csv", plain.replace("卖出", "卖"));
  const error = await expectError(readSources({ sources: [{ path, market: "M", layout }] }), {
    code: "DATA_MALFORMED",
    line: 3,
    column: "方向",
  });
  expect(error.message).toContain('"卖"');
});

test("a header in another encoding names the way to convert it", async () => {
  const layout = folder.write("chinese2.yaml", CHINESE);
  const gb = Buffer.concat([Buffer.from([0xca, 0xb1, 0xbc, 0xe4]), Buffer.from(",p,q,s\n1704067200000,10,2,b\n")]);
  const reading = readSources({ sources: [{ path: folder.write("gb.csv", gb), market: "M", layout }] });
  const error = await expectError(reading, { code: "DATA_LAYOUT", file: "gb.csv", line: 1 });
  expect(error.hint).toContain("iconv");
});
