/**
 * The header of every file of a store:
 *
 *     magic 8 bytes · format u32 · protocol version u32 · text length u32 · crc32 of the text u32 · text
 */
import { crc32 } from "node:zlib";
import type { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { PROTOCOL_VERSION } from "../../../protocol/transaction.ts";

export const HEADER_BYTES = 24;

/** Kind of a file in a store. */
export interface FileKind {
  /** Eight characters. */
  readonly magic: string;
  readonly version: number;
}

export function writeHeader(out: ByteWriter, { magic, version }: FileKind, text: string): void {
  const bytes = new TextEncoder().encode(text);
  out.raw(new TextEncoder().encode(magic));
  out.u32(version);
  out.u32(PROTOCOL_VERSION);
  out.u32(bytes.length);
  out.u32(crc32(bytes));
  out.raw(bytes);
}

/** A fault of a header; `short` if the file ends within it. */
export type HeaderFault =
  | { readonly fault: "short" | "format" | "corrupt" }
  | {
      readonly fault: "version";
      readonly what: "format" | "protocol";
      readonly found: number;
      readonly wanted: number;
    };

export interface Header {
  readonly text: string;
  /** Length of the header, in bytes. */
  readonly size: number;
}

/** Reads a header from the first bytes of a file. */
export function readHeader(bytes: Uint8Array, { magic, version }: FileKind): Header | HeaderFault {
  const known = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (!magic.startsWith(known)) return { fault: "format" };
  if (bytes.length < HEADER_BYTES) return { fault: "short" };
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const format = view.getUint32(8, true);
  if (format !== version) return { fault: "version", what: "format", found: format, wanted: version };
  const protocol = view.getUint32(12, true);
  if (protocol !== PROTOCOL_VERSION) {
    return { fault: "version", what: "protocol", found: protocol, wanted: PROTOCOL_VERSION };
  }
  const size = HEADER_BYTES + view.getUint32(16, true);
  if (bytes.length < size) return { fault: "short" };
  const text = bytes.subarray(HEADER_BYTES, size);
  if (crc32(text) !== view.getUint32(20, true)) return { fault: "corrupt" };
  return { text: new TextDecoder().decode(text), size };
}

export function isHeaderFault(read: Header | HeaderFault): read is HeaderFault {
  return "fault" in read;
}
