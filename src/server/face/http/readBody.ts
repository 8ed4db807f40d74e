import type { IncomingMessage } from "node:http";

/**
 * Reads a body. Resolves with `undefined` for one longer than `most` bytes: at once if its announced length is too
 * large, otherwise at the first byte beyond, and the rest is discarded. If the connection breaks, the promise stays
 * pending, since no client waits for an answer.
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
