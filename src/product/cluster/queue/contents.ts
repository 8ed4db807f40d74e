import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Connection } from "./connection.ts";
import { KEPT_S, keysOf } from "./keys.ts";

/** A text in Redis that jobs refer to by its hash. */
export interface Content {
  readonly sha256: string;
  readonly text: string;
}

export function createContent(text: string): Content {
  return { sha256: hashText(text), text };
}

/** Stores contents, and extends the lifetime of those that are stored already. Reads the text of missing ones only. */
export async function putContents({ redis, prefix }: Connection, contents: readonly Content[]): Promise<void> {
  const { content } = keysOf(prefix);
  // Commands of one turn travel together, so thousands of contents take a few milliseconds.
  const known = await Promise.all(contents.map(({ sha256 }) => redis.expire(content(sha256), KEPT_S)));
  for (const { sha256, text } of contents.filter((_, at) => known[at] !== 1)) {
    await redis.set(content(sha256), gzipSync(text), "EX", KEPT_S);
  }
}

/** Removes contents that no job needs any more. */
export async function dropContents({ redis, prefix }: Connection, contents: readonly Content[]): Promise<void> {
  const { content } = keysOf(prefix);
  await Promise.all(contents.map(({ sha256 }) => redis.unlink(content(sha256))));
}

/** Reads a content by its hash; undefined if it is missing or if the stored text has another hash. */
export async function getContent({ redis, prefix }: Connection, sha256: string): Promise<string | undefined> {
  const bytes = await redis.getBuffer(keysOf(prefix).content(sha256));
  if (bytes === null) return undefined;
  const text = gunzipSync(bytes).toString("utf8");
  return hashText(text) === sha256 ? text : undefined;
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
