import { zstdCompressSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test, vi } from "vitest";
import { readSources } from "../../../../src/product/market-data/index.ts";
import { createFolder, expectError } from "../helpers.ts";

// As in Node 23.6 and 23.7.
vi.mock("node:zlib", async (load) => ({
  ...(await load<typeof import("node:zlib")>()),
  createZstdDecompress: undefined,
  zstdDecompressSync: undefined,
}));

const folder = createFolder();

test("a Node without Zstandard names itself, for text and for Parquet, and the way around", async () => {
  const text = folder.write("bars.csv.zst", zstdCompressSync(Buffer.from("1704067200000,1,1,1,1,1\n")));
  const read = (path: string) => readSources({ sources: [{ path, market: "M" }] });
  const error = await expectError(read(text), { code: "FORMAT_UNSUPPORTED", file: "bars.csv.zst" });
  expect(error.message).toContain("this version of Node does not unpack it");
  expect(error.hint).toContain("zstd --decompress");
  const table = parquetWriteBuffer({
    columnData: [{ name: "time", data: [1n], type: "INT64" }],
    codec: "ZSTD",
    compressors: { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) },
  });
  const packed = await expectError(read(folder.write("bars.parquet", new Uint8Array(table))), {
    code: "FORMAT_UNSUPPORTED",
    file: "bars.parquet",
  });
  expect(packed.message).toContain("packed with ZSTD");
});
