import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { PAGE_DEFAULT, type Page } from "../../../client/api/schemas/common.ts";
import { invalidField, ProblemError } from "../problems/problems.ts";

/** Place of an item in its list; lists are ordered by it. */
export type ListKey = readonly number[];

/** A list whose pages are requested. */
export interface ListRequest {
  /** The requested path with its query. */
  readonly path: string;
  readonly query: { readonly limit?: number; readonly cursor?: string };
  readonly secret: string;
  readonly epoch: number;
  /** Height of the answer. */
  readonly height: number;
  /** Lowest height from which the history is complete. */
  readonly oldest: number;
  /** Keys fall from item to item, unless this is set. */
  readonly rises?: boolean;
}

/** A page to fill. */
export interface OpenPage {
  /** Height that decides which items the list holds. */
  readonly pin: number;
  readonly after: ListKey | undefined;
  readonly limit: number;
  readonly request: ListRequest;
}

/** Content of a cursor: version, epoch, filter, height, key. */
type Content = readonly [version: number, epoch: number, filter: string, pin: number, ...key: number[]];

const VERSION = 1;
const MARK_BYTES = 12;

/**
 * Reads the cursor of a request. A cursor belongs to one list with one filter, to an epoch, and to the height of the
 * list's first page. That height decides which items the list holds, so pages have no gaps and no duplicates, however
 * many blocks come in between.
 *
 * @throws {ProblemError} VALIDATION_ERROR for a cursor that is not this venue's, CURSOR_INVALIDATED for an outdated one
 */
export function openPage(request: ListRequest): OpenPage {
  const { cursor, limit = PAGE_DEFAULT } = request.query;
  if (cursor === undefined) return { pin: request.height, after: undefined, limit, request };
  const [version, epoch, filter, pin, ...key] = readCursor(cursor, request.secret);
  if (version !== VERSION) throw invalidated(request, "CURSOR_RETIRED", "its format is outdated");
  if (epoch !== request.epoch) throw invalidated(request, "EPOCH_CHANGED", "the chain was replaced");
  if (filter !== hashFilter(request.path)) throw invalidated(request, "FILTER_CHANGED", "it belongs to another list");
  if (pin < request.oldest) throw invalidated(request, "PRUNED", "its height is no longer kept");
  return { pin, after: key, limit, request };
}

/** Fills a page from the items of the list, in their order, and writes the cursor of the next. */
export function closePage<T, View>(
  { pin, after, limit, request }: OpenPage,
  items: Iterable<T>,
  keyOf: (item: T) => ListKey,
  view: (item: T) => View,
): { data: View[]; page: Page; headers: Record<string, string> } {
  const data: View[] = [];
  let last: ListKey = [];
  let next: string | null = null;
  for (const item of items) {
    const key = keyOf(item);
    if (after !== undefined && !isAfter(key, after, request.rises ?? false)) continue;
    if (data.length === limit) {
      next = writeCursor([VERSION, request.epoch, hashFilter(request.path), pin, ...last], request.secret);
      break;
    }
    data.push(view(item));
    last = key;
  }
  const headers: Record<string, string> =
    next === null ? {} : { link: `<${pathOfNext(request.path, next)}>; rel="next"` };
  return { data, page: { next, hasMore: next !== null, limit }, headers };
}

/** Compares keys: negative if `a` comes first in rising order. */
function compareKeys(a: ListKey, b: ListKey): number {
  for (let at = 0; at < a.length; at++) {
    const difference = a[at]! - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isAfter(key: ListKey, after: ListKey, rises: boolean): boolean {
  const order = compareKeys(key, after);
  return rises ? order > 0 : order < 0;
}

function readCursor(text: string, secret: string): Content {
  const body = text.slice(0, Math.max(0, text.indexOf(".")));
  const given = Buffer.from(text);
  const wanted = Buffer.from(seal(body, secret));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw notOurs();
  }
  const content = parse(Buffer.from(body, "base64url").toString());
  // The secret may have leaked: sealed content is checked like any other input.
  if (!isContent(content)) throw notOurs();
  return content;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isContent(value: unknown): value is Content {
  if (!Array.isArray(value) || value.length < 5 || typeof value[2] !== "string") return false;
  return value.every((item, place) => place === 2 || Number.isSafeInteger(item));
}

function notOurs(): ProblemError {
  return invalidField("query.cursor", "cursor", "this venue did not give it out; ask for the first page without it");
}

function writeCursor(content: Content, secret: string): string {
  return seal(Buffer.from(JSON.stringify(content)).toString("base64url"), secret);
}

/** A text with a keyed hash, which only a holder of the secret can make. */
function seal(body: string, secret: string): string {
  const mark = createHmac("sha256", secret).update(body).digest().subarray(0, MARK_BYTES);
  return `${body}.${mark.toString("base64url")}`;
}

/** Path and query without the parts that differ between pages. */
function hashFilter(path: string): string {
  const { name, members } = splitPath(path);
  members.delete("cursor");
  members.delete("limit");
  members.sort();
  return createHash("sha256").update(`${name.toLowerCase()}?${members}`).digest("base64url").slice(0, 12);
}

function pathOfNext(path: string, cursor: string): string {
  const { name, members } = splitPath(path);
  members.set("cursor", cursor);
  return `${name}?${members}`;
}

function splitPath(path: string): { name: string; members: URLSearchParams } {
  const at = path.indexOf("?");
  return at < 0
    ? { name: path, members: new URLSearchParams() }
    : { name: path.slice(0, at), members: new URLSearchParams(path.slice(at + 1)) };
}

function invalidated({ path }: ListRequest, reason: string, why: string): ProblemError {
  const { name, members } = splitPath(path);
  members.delete("cursor");
  const again = members.size === 0 ? name : `${name}?${members}`;
  const detail = `The cursor can no longer be used: ${why}. Begin again at ${again}.`;
  return new ProblemError("CURSOR_INVALIDATED", detail, { reason });
}
