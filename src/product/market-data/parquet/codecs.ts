/** Decompression of Parquet pages, by Node itself and by hyparquet. */
import * as zlib from "node:zlib";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { snappyUncompress } from "hyparquet";
import { PageFault } from "./pageFault.ts";

/** A page that states a larger size is refused. Writers make pages of about 1 MB. */
export const PAGE_BYTES_MAX = 1 << 27;

type Unpack = (packed: Uint8Array, bytes: number) => Uint8Array;

const bounded =
  (unpack: Unpack): Unpack =>
  (packed, bytes) => {
    if (!(bytes >= 0 && bytes <= PAGE_BYTES_MAX)) throw new PageFault(`a page states a size of ${bytes} bytes`);
    const content = unpack(packed, bytes);
    if (content.length !== bytes) throw new PageFault(`a page has ${content.length} bytes, not ${bytes}`);
    return content;
  };

const CODECS: Readonly<Record<string, Unpack>> = {
  UNCOMPRESSED: bounded((packed) => packed),
  SNAPPY: bounded((packed, bytes) => {
    const content = new Uint8Array(bytes);
    snappyUncompress(packed, content);
    return content;
  }),
  GZIP: bounded((packed, bytes) => gunzipSync(packed, { maxOutputLength: Math.max(1, bytes) })),
  BROTLI: bounded((packed, bytes) => brotliDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) })),
  ZSTD: bounded((packed, bytes) => {
    // Node has Zstandard since 22.15 and 23.8.
    const unpackZstd = (zlib as Partial<typeof zlib>).zstdDecompressSync;
    if (unpackZstd === undefined) throw new PageFault("unsupported compression codec: ZSTD");
    return unpackZstd(packed, { maxOutputLength: Math.max(1, bytes) });
  }),
};

/**
 * The content of a page.
 *
 * @param bytes its size, as the page states it
 * @throws {PageFault} for a page of another size, and a codec that is not read
 */
export function unpack(codec: string, packed: Uint8Array, bytes: number): Uint8Array {
  const known = CODECS[codec];
  if (known === undefined) throw new PageFault(`unsupported compression codec: ${codec}`);
  return known(packed, bytes);
}
