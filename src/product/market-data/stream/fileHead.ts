/** The beginning of a source file: enough to find its layout. */
import { refuseFormat } from "../files/formats.ts";

export const HEAD_BYTES = 1 << 16;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Enough of the content to see its header and first rows, without the byte order mark.
 *
 * @throws {DataError} FORMAT_UNSUPPORTED, DATA_EMPTY, and what reading the file finds
 */
export async function readHead(chunks: AsyncGenerator<Uint8Array>, file: string): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < HEAD_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  if (BYTE_ORDER_MARK.every((byte, index) => head[index] === byte)) head = head.subarray(3);
  refuseFormat(head, file);
  return head;
}

/** The whole rows of a head. */
export function sampleText(head: Uint8Array): string {
  const text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES));
  return head.length < HEAD_BYTES ? text : text.slice(0, text.lastIndexOf("\n") + 1);
}
