import type { IncomingMessage } from "node:http";

/**
 * Reads a body. One that is longer than `most` bytes gives `undefined`, before it is sent if it announces its
 * length; its rest is discarded. One that breaks off gives nothing: no client is left to answer.
 */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    if (Number(request.headers["content-length"]) > most) {
      resolve(undefined);
      return;
    }
    const parts: Buffer[] = [];
    let length = 0;
    const collect = (part: Buffer): void => {
      length += part.length;
      if (length <= most) {
        parts.push(part);
        return;
      }
      request.off("data", collect).resume();
      resolve(undefined);
    };
    request.on("data", collect);
    request.once("end", () => resolve(Buffer.concat(parts)));
  });
}
