import { createHash } from "node:crypto";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openBytes } from "../../../../src/product/market-data/files/readBytes.ts";
import { readSources } from "../../../../src/product/market-data/index.ts";
import { createFolder, expectError } from "../helpers.ts";
import { packLz4, u32, xxHash32 } from "./packLz4.ts";

const folder = createFolder();
const text = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `${index},${(index * 7919) % 1000}\n`).join(""));
const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

async function read(name: string, content: Uint8Array): Promise<Buffer> {
  const source = await openBytes(folder.write(name, content));
  const parts: Uint8Array[] = [];
  for await (const chunk of source.chunks()) parts.push(Uint8Array.from(chunk));
  expect(source.sha256()).toBe(createHash("sha256").update(content).digest("hex"));
  return Buffer.concat(parts);
}

/** "perplab perplab perplab\n" by the tool `lz4` 1.9.4, with linked blocks and its content's size. */
const OF_THE_TOOL = Buffer.from("BCJNGGxAGAAAAAAAAAA1EQAAAIdwZXJwbGFiIAgAUHBsYWIKAAAAAJznmbI=", "base64");
const summed = zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
/** A frame that readers pass over. */
const skipped = (content: Uint8Array): Uint8Array => join(u32(0x184d2a57), u32(content.length), content);

const forms: readonly (readonly [string, Uint8Array])[] = [
  ["blocks of 64 KB.lz4", packLz4(text)],
  ["linked blocks of 64 KB.lz4", packLz4(text, { isIndependent: false, hasSize: true })],
  ["one block.lz4", packLz4(text, { blockCode: 7 })],
  ["two frames.lz4", join(packLz4(text.subarray(0, 1000)), packLz4(text.subarray(1000)))],
  ["a frame and one to pass over.lz4", join(packLz4(text), skipped(Buffer.alloc(70_000)))],
  ["one frame.zst", zstdCompressSync(text)],
  ["a checksum.zst", summed],
  ["two frames.zst", join(zstdCompressSync(text.subarray(0, 1000)), zstdCompressSync(text.subarray(1000)))],
  ["a frame to pass over first.zst", join(skipped(Buffer.from("abcd")), summed, skipped(Buffer.alloc(0)))],
];

test.each(forms)("%s is read whole, and hashed as it is stored", async (name, content) => {
  expect((await read(name, content)).equals(text)).toBe(true);
});

test("frames of the lz4 tool, of random bytes and of one byte are read", async () => {
  expect((await read("tool.lz4", OF_THE_TOOL)).toString()).toBe("perplab perplab perplab\n");
  const noise = Buffer.from(Array.from({ length: 100_000 }, (_, at) => Math.imul(at + 1, 0x9e3779b1) >>> 24));
  expect((await read("noise.lz4", packLz4(noise))).equals(noise)).toBe(true);
  const zeros = Buffer.alloc(300_000);
  expect((await read("zeros.lz4", packLz4(zeros, { isIndependent: false }))).equals(zeros)).toBe(true);
  expect((await read("zeros.zst", zstdCompressSync(zeros))).equals(zeros)).toBe(true);
});

test("any bytes are read back from frames of any options", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 9000 })), {
        maxLength: 6,
      }),
      fc.boolean(),
      fc.boolean(),
      async (runs, isIndependent, hasSize) => {
        const content = Buffer.concat(runs.flatMap(([bytes, times]) => Array<Uint8Array>(times).fill(bytes)));
        const back = await read("any.lz4", packLz4(content, { isIndependent, hasSize }));
        expect(back.equals(content)).toBe(true);
      },
    ),
    { numRuns: 30 },
  );
});

test("a file that is cut off anywhere, also at the end of a block, is an error with the byte", async () => {
  for (const [name, content, code] of [
    ["cut.lz4", packLz4(text), "LZ4_TRUNCATED"],
    ["cut.zst", summed, "ZSTD_TRUNCATED"],
  ] as const) {
    for (const length of [5, 20, content.length >> 1, content.length - 9, content.length - 4, content.length - 1]) {
      await expectError(read(name, content.subarray(0, length)), { code, file: name, offset: length });
    }
  }
});

test("a changed byte is an error: in the head, a block, a checksum, and after the last frame", async () => {
  const packed = packLz4(text, { hasSize: true });
  const [, linked] = forms[1]!;
  for (const [at, reason] of [
    [4, "unknown version"],
    [5, "unknown block size"],
    [7, "head of the frame differs"],
    [40, "a block differs from its checksum"],
    [packed.length - 1, "the content differs from its checksum"],
  ] as const) {
    const bad = Uint8Array.from(packed);
    bad[at]! ^= 0x80;
    const error = await expectError(read("bad.lz4", bad), { code: "LZ4_CORRUPT", file: "bad.lz4" });
    expect(error.message).toContain(reason);
  }
  const noSum = Uint8Array.from(summed);
  noSum[noSum.length - 1]! ^= 1;
  await expectError(read("sum.zst", noSum), { code: "ZSTD_CORRUPT" });
  for (const [name, content, code] of [
    ["more.lz4", linked, "LZ4_CORRUPT"],
    ["more.zst", summed, "ZSTD_CORRUPT"],
  ] as const) {
    const error = await expectError(read(name, join(content, Buffer.from("more"))), {
      code,
      offset: content.length + 4,
    });
    expect(error.message).toContain("what follows a frame is none");
  }
});

/** A frame of one block, without checksums. */
const frameOf = (block: Uint8Array): Uint8Array => {
  const head = Uint8Array.of(0b0110_0000, 0x40);
  return join(u32(0x184d2204), head, Uint8Array.of((xxHash32(head) >>> 8) & 0xff), u32(block.length), block, u32(0));
};

test.each([
  ["a match before the beginning", Uint8Array.of(0x10, 65, 2, 0, 0x10, 65)],
  ["a match at no distance", Uint8Array.of(0x10, 65, 0, 0, 0x10, 65)],
  ["literals beyond the block", Uint8Array.of(0x50, 65)],
  ["a length without an end", Uint8Array.of(0xf0, 255, 255)],
  [
    "a match that is longer than a block",
    join(Uint8Array.of(0x1f, 65, 1, 0), new Uint8Array(300).fill(255), Uint8Array.of(0, 0)),
  ],
  ["a block that ends with a match", Uint8Array.of(0x10, 65, 1, 0)],
])("%s is an error and not read beyond", async (_, block) => {
  await expectError(read("hostile.lz4", frameOf(block)), { code: "LZ4_CORRUPT", file: "hostile.lz4" });
});

test("a block larger than its frame allows, a dictionary and a window of 1 GB are refused", async () => {
  const large = Uint8Array.from(frameOf(new Uint8Array(70_000)));
  await expectError(read("large.lz4", large), { code: "LZ4_CORRUPT" });
  const head = Uint8Array.of(0b0110_0001, 0x40, 1, 0, 0, 0);
  await expectError(read("dictionary.lz4", join(u32(0x184d2204), head, Uint8Array.of(0))), {
    code: "FORMAT_UNSUPPORTED",
  });
  await expectError(read("dictionary.zst", join(u32(0xfd2fb528), Uint8Array.of(1, 0x58, 7, 1, 0, 0))), {
    code: "FORMAT_UNSUPPORTED",
  });
  const error = await expectError(read("window.zst", join(u32(0xfd2fb528), Uint8Array.of(0, 20 << 3, 1, 0, 0))), {
    code: "FORMAT_UNSUPPORTED",
  });
  expect(error.hint).toBe("unpack it: zstd --decompress --long=31 FILE");
});

test("an archive of Hyperliquid's books is imported as it is downloaded, and what is packed twice is refused", async () => {
  const row = JSON.stringify({
    time: "2023-04-15T00:00:00.1",
    ver_num: 1,
    raw: {
      channel: "l2Book",
      data: {
        coin: "SOL",
        time: 1_681_516_800_000,
        levels: [[{ px: "20", sz: "1", n: 1 }], [{ px: "21", sz: "2", n: 1 }]],
      },
    },
  });
  for (const [name, content] of [
    ["SOL.lz4", packLz4(Buffer.from(`${row}\n`))],
    ["SOL.zst", zstdCompressSync(Buffer.from(`${row}\n`))],
  ] as const) {
    const source = await readSources({ sources: [{ path: folder.write(name, content) }] });
    expect(source.manifest.markets).toMatchObject([{ name: "SOL", events: { depth: 2 } }]);
  }
  for (const inner of [packLz4(text), summed]) {
    const path = folder.write("twice.csv.gz", gzipSync(inner));
    await expectError(readSources({ sources: [{ path, market: "M" }] }), { code: "FORMAT_UNSUPPORTED" });
  }
});
