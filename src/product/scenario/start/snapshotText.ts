import { gunzipSync, gzipSync } from "node:zlib";

const HEAD = "perplab snapshot of a scenario 1";
const COLUMNS = 120;
/** Longest snapshot that is unpacked, bytes. */
const BYTES_MOST = 1 << 28;

/** A snapshot as the text of a file: a line with its format, then gzip in base64. */
export function encodeSnapshot(snapshot: Uint8Array): string {
  const packed = gzipSync(snapshot, { level: 9 }).toString("base64");
  const lines = packed.match(new RegExp(`.{1,${COLUMNS}}`, "g")) ?? [];
  return `${[HEAD, ...lines].join("\n")}\n`;
}

/** @throws Error if the text is not what `encodeSnapshot` wrote, or was cut or changed */
export function decodeSnapshot(text: string): Uint8Array {
  const [head, ...lines] = text.split("\n");
  if (head?.trim() !== HEAD) throw new Error(`its first line is not "${HEAD}"`);
  try {
    return new Uint8Array(gunzipSync(Buffer.from(lines.join(""), "base64"), { maxOutputLength: BYTES_MOST }));
  } catch (cause) {
    throw new Error(`its bytes are damaged (${(cause as Error).message})`, { cause });
  }
}
