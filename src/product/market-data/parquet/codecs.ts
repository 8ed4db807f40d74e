/** Decompression of Parquet pages, by Node itself and by hyparquet. A page that states a larger size than this is refused. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Compressors, snappyUncompress } from "hyparquet";

/** Writers make pages of about 1 MB. */
const PAGE_BYTES_MAX = 1 << 27;

/** A page that cannot be unpacked. */
export class PageFault extends Error {}

type Unpack = (packed: Uint8Array, bytes: number) => Uint8Array;

const bounded =
  (unpack: Unpack): Unpack =>
  (packed, bytes) => {
    if (!(bytes >= 0 && bytes <= PAGE_BYTES_MAX)) throw new PageFault(`a page states a size of ${bytes} bytes`);
    const content = unpack(packed, bytes);
    if (content.length !== bytes) throw new PageFault(`a page has ${content.length} bytes, not ${bytes}`);
    return content;
  };

export const CODECS: Compressors = {
  UNCOMPRESSED: (packed) => packed,
  SNAPPY: bounded((packed, bytes) => {
    const content = new Uint8Array(bytes);
    snappyUncompress(packed, content);
    return content;
  }),
  GZIP: bounded((packed, bytes) => gunzipSync(packed, { maxOutputLength: Math.max(1, bytes) })),
  BROTLI: bounded((packed, bytes) => brotliDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) })),
  ZSTD: bounded((packed, bytes) => zstdDecompressSync(packed, { maxOutputLength: Math.max(1, bytes) })),
};
