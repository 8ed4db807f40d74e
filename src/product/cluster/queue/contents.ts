import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Connection } from "./connection.ts";
import { KEPT_S, keysOf } from "./keys.ts";

/** A text that jobs refer to by its hash. */
export interface Content {
  readonly sha256: string;
  readonly text: string;
}

export function createContent(text: string): Content {
  return { sha256: hashText(text), text };
}

/** Stores contents, or keeps those that are stored for longer. Equal contents are stored once. */
export async function putContents({ redis, prefix }: Connection, contents: readonly Content[]): Promise<void> {
  const { content } = keysOf(prefix);
  for (const { sha256, text } of contents) {
    if ((await redis.expire(content(sha256), KEPT_S)) === 1) continue;
    await redis.set(content(sha256), gzipSync(text), "EX", KEPT_S);
  }
}

/** A content by its hash; undefined if Redis does not have it, or has another text under its name. */
export async function getContent({ redis, prefix }: Connection, sha256: string): Promise<string | undefined> {
  const bytes = await redis.getBuffer(keysOf(prefix).content(sha256));
  if (bytes === null) return undefined;
  const text = gunzipSync(bytes).toString("utf8");
  return hashText(text) === sha256 ? text : undefined;
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
