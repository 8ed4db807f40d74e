/** Reads a mapping file and checks it against its schema. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { TSchema } from "typebox";
import Value from "typebox/value";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { findNearest } from "../../../ground/collections/nearest.ts";
import { DataError, quote } from "../errors.ts";
import { openFile } from "../files/readBytes.ts";
import { parsePath } from "../json/path.ts";
import type { JsonSpec } from "../readers/layout.ts";
import { parseIsoTime } from "../scan/isoTime.ts";
import { compileTimeFormat, splitTimeFormat } from "../scan/textTime.ts";
import { MAPPING_PAGE, type Mapping, mappingSchema, streamSchema } from "./schema.ts";
import { FILE_NAME } from "./since.ts";

/** A mapping with the hash of its file. */
export interface LoadedMapping {
  readonly mapping: Mapping;
  readonly file: string;
  readonly sha256: string;
}

/** @throws {DataError} FILE_MISSING, FILE_UNREADABLE, MAPPING_INVALID */
export async function loadMapping(path: string): Promise<LoadedMapping> {
  const handle = await openFile(path);
  let text: string;
  try {
    text = await readFile(handle, "utf8");
  } catch (cause) {
    throw new DataError("FILE_UNREADABLE", "the mapping file cannot be read", { file: path, cause });
  } finally {
    await handle.close();
  }
  const file = basename(path);
  return { mapping: parseMapping(text, file), file, sha256: createHash("sha256").update(text).digest("hex") };
}

/** @throws {DataError} MAPPING_INVALID, with the line and the key */
export function parseMapping(text: string, file: string): Mapping {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new DataError("MAPPING_INVALID", error.message, { file, line: lines.linePos(error.pos[0]).line });
  }
  const page: unknown = document.toJS({ maxAliasCount: 0 });
  const refuse: Refuse = (pointer, reason) =>
    new DataError("MAPPING_INVALID", `${pointer === "" ? "" : `${keyOf(pointer)}: `}${reason}`, {
      file,
      line: lineOf(document, lines, pointer),
      hint: "data/README.md explains the keys of a mapping file",
    });
  // The streams are open here: each is checked by its kind below, which gives one clear fault in place of many.
  check(MAPPING_PAGE, page, "", refuse);
  const mapping = page as Mapping;
  for (const [index, stream] of mapping.streams.entries()) {
    const pointer = `/streams/${index}`;
    const schema = streamSchema(stream);
    if (schema === undefined) {
      throw refuse(
        `${pointer}/kind`,
        `there is no kind "${stream.kind}"; use bars, trades, mark, index, funding, depth, quotes or series`,
      );
    }
    check(schema, stream, pointer, refuse);
  }
  if (mapping.json === undefined) checkTable(mapping, refuse);
  else checkJson(mapping, mapping.json as JsonSpec, refuse);
  checkTime(mapping, refuse);
  if (mapping.order === "newestFirst" && mapping.streams.some(({ kind }) => kind === "depth")) {
    throw refuse("/order", "an order book is built from its oldest row on: turn the file over first");
  }
  return mapping;
}

/** What a table of text or Parquet must state. */
function checkTable(mapping: Mapping, refuse: Refuse): void {
  if (mapping.header === undefined) throw refuse("", "state whether the first row names the columns (header: true)");
  if (!mapping.header && mapping.columns === undefined) {
    throw refuse("/header", "without a header the number of columns has to be stated (columns: 7)");
  }
  if (mapping.header && mapping.columns !== undefined) {
    throw refuse("/columns", "the header says how many columns there are; leave it out");
  }
  if (mapping.decimal === "," && (mapping.separator ?? ",") === ",") {
    throw refuse("/decimal", "numbers with a comma need another separator than the comma");
  }
}

/** What has a meaning in JSON. */
function checkJson(mapping: Mapping, json: JsonSpec, refuse: Refuse): void {
  for (const key of ["header", "columns", "skipLines", "separator"] as const) {
    if (mapping[key] !== undefined) throw refuse(`/${key}`, "JSON has no such thing; leave it out");
  }
  if (json.array !== undefined && json.in !== "array") {
    throw refuse("/json/array", "a file with a value on each line has no array around them; leave it out");
  }
  for (const [place, path] of [
    ["/json/array", json.array],
    ...(json.rows ?? []).map((row, at) => [`/json/rows/${at}`, row]),
  ]) {
    if (path !== undefined && parsePath(path) === undefined)
      throw refuse(place!, `${quote(path)} is no path of fields`);
  }
  const isKeys = json.array === undefined || parsePath(json.array)!.every((step) => typeof step === "string");
  if (!isKeys) throw refuse("/json/array", "the path of the array has keys only");
}

/** Every key of a mapping file, wherever it belongs. */
const KEYS: readonly string[] = [...new Set(keysOf(mappingSchema))];

function keysOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = schema as { readonly properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(keysOf)];
}

type Refuse = (pointer: string, reason: string) => DataError;

function checkTime({ time }: Mapping, refuse: Refuse): void {
  const isText = time.unit === "text";
  if (isText && (time.format === undefined || compileTimeFormat(time.format) === undefined)) {
    throw refuse("/time/format", "a text time needs a format of a date and a time, such as DD/MM/YYYY HH:mm:ss");
  }
  if (!isText && time.format !== undefined) throw refuse("/time/format", "only a text time has a format (unit: text)");
  if (!isText && time.timeColumn !== undefined) {
    throw refuse("/time/timeColumn", "set unit: text, and the format of both columns with a space between them");
  }
  if (time.timeColumn !== undefined && splitTimeFormat(time.format!) === undefined) {
    throw refuse("/time/format", "two columns need the format of a date, a space, and that of a time");
  }
  const isCount = time.unit !== "iso" && !isText;
  if (time.since !== undefined) {
    if (!isCount) throw refuse("/time/since", "only a count has a beginning (unit: s, ms, us or ns)");
    if (time.since !== FILE_NAME && parseIsoTime(time.since, 0) === undefined) {
      throw refuse("/time/since", "must be a date such as 2001-01-01, or fileName");
    }
  }
  if (isCount && time.since === undefined && time.zone !== undefined) {
    throw refuse("/time/zone", "a time that counts from 1970 has no zone; leave it out");
  }
  if ((!isCount || time.since !== undefined) && time.zone === undefined) {
    throw refuse("/time", "set the zone of times without a designator (zone: UTC)");
  }
}

function check(schema: TSchema, value: unknown, at: string, refuse: Refuse): void {
  if (Value.Check(schema, value)) return;
  const errors = Value.Errors(schema, value);
  // The deepest error names the place; those above it only repeat that something inside is wrong.
  const depth = (path: string): number => path.split("/").length;
  const error = [...errors].sort((a, b) => depth(b.instancePath) - depth(a.instancePath))[0];
  if (error === undefined) throw refuse(at, "does not fit the form of a mapping file");
  // A key that the schema does not have is reported at the key itself, by a schema that nothing fits.
  if (error.keyword === "boolean" || error.keyword === "additionalProperties") {
    const path =
      error.keyword === "boolean"
        ? error.instancePath
        : `${error.instancePath}/${String(error.params.additionalProperties[0])}`;
    const extra = path.slice(path.lastIndexOf("/") + 1);
    if (/^\/values\/[^/]+$/.test(path)) {
      const form = "a letter, then at most 63 letters, digits, dots, - and _";
      throw refuse(at + path, `${quote(extra)} is no name of a series: ${form}`);
    }
    const nearest = findNearest(extra, KEYS);
    const meant = nearest === undefined || nearest === extra ? "" : `; did you mean ${nearest}?`;
    throw refuse(at + path, `there is no such key here${meant}`);
  }
  const allowed = errors.flatMap((other) =>
    other.keyword === "const" && other.instancePath === error.instancePath ? [String(other.params.allowedValue)] : [],
  );
  if (allowed.length > 0) throw refuse(at + error.instancePath, `must be one of ${allowed.join(", ")}`);
  if (error.keyword === "pattern" && /\/(interval|spacing|settleEvery|offset|delay)$/.test(error.instancePath)) {
    throw refuse(at + error.instancePath, "must be a length such as 30s, 1m, 4h or 1d");
  }
  throw refuse(at + error.instancePath, error.message);
}

function keyOf(pointer: string): string {
  return pointer.slice(1).replaceAll("/", ".");
}

function lineOf(document: Document, lines: LineCounter, pointer: string): number {
  const keys = pointer.split("/").slice(1);
  for (; keys.length > 0; keys.pop()) {
    const path = keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
