/** The first values of a JSON file: the paths of their fields, and the cells of the first rows. */
import { DataError } from "../errors.ts";
import type { JsonSpec } from "../readers/layout.ts";
import { HEAD_BYTES } from "../stream/fileHead.ts";
import { buildFieldTree } from "./fieldTree.ts";
import { findForm } from "./findArray.ts";
import { createSplitter } from "./jsonRows.ts";
import { formatPath, parsePath, ROWS_COLUMN, type Step } from "./path.ts";
import { JsonFault, ValueReader } from "./readValue.ts";
import { VALUE_BYTES_MAX } from "./splitValues.ts";

/** Most values of a sample, most values whose fields are listed, and most fields that a message lists. */
const VALUES_MAX = 2000;
const LISTED_VALUES = 50;
const NAMES_MAX = 2000;

export interface JsonSample {
  readonly spec: JsonSpec;
  /** The first value, as JSON.parse reads it. */
  readonly first: unknown;
  /** Paths of all fields that hold no object or array. */
  readonly names: readonly string[];
  /** Cells by name. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * @param head first bytes of the file
 * @param isWhole there are no more
 * @throws {DataError} DATA_MALFORMED, DATA_LAYOUT, DATA_EMPTY
 */
export function sampleJson(spec: JsonSpec, head: Uint8Array, isWhole: boolean): JsonSample {
  const splitter = createSplitter(spec);
  const slices = [...splitter.feed(head)];
  if (isWhole) slices.push(...splitter.finish());
  const values = slices.slice(0, VALUES_MAX);
  const parsed = values
    .slice(0, LISTED_VALUES)
    .flatMap(({ bytes, from, to }) => parse(bytes.toString("utf8", from, to)));
  if (parsed.length === 0) {
    throw values.length > 0
      ? new DataError("DATA_MALFORMED", "the first value is no JSON", { line: values[0]!.line })
      : new DataError("DATA_EMPTY", "the file has no values", isWhole ? {} : { line: 1 });
  }
  const names = [...new Set(parsed.flatMap((value) => listFields(value, spec.rows)))].slice(0, NAMES_MAX);
  const reader = new ValueReader(buildFieldTree(names, spec.rows));
  const rows: string[][] = [];
  for (const { bytes, from, to } of values) {
    try {
      rows.push(...reader.read(bytes, from, to));
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
    }
    if (rows.length >= VALUES_MAX) break;
  }
  return { spec, first: parsed[0], names, rows };
}

/** The head, and more where that holds no whole value. */
export async function readSample(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array>,
): Promise<{ head: Uint8Array; isWhole: boolean }> {
  let sample = head;
  let isWhole = head.length < HEAD_BYTES;
  while (!isWhole && sample.length < VALUE_BYTES_MAX && !hasWholeValue(sample)) {
    const next = await rest.next();
    isWhole = next.done === true;
    if (next.done !== true) sample = Buffer.concat([sample, next.value]);
  }
  return { head: sample, isWhole };
}

/** True if the first value ends within the sample: at a line end, or at a bracket that closes an element. */
function hasWholeValue(sample: Uint8Array): boolean {
  try {
    return sampleJson(findForm(sample), sample, false).rows.length > 0;
  } catch {
    return false;
  }
}

function parse(text: string): unknown[] {
  try {
    return [JSON.parse(text.replace(/\b-?(NaN|Infinity)\b/g, "null"))];
  } catch {
    return [];
  }
}

/** Paths of the fields of a value: of its rows as they are, and of the value around them after `$.`. */
function listFields(value: unknown, rows: readonly string[] | undefined): string[] {
  if (rows === undefined) return listScalars(value, []).map(formatPath);
  const arrays = rows.map((path) => pick(value, parsePath(path)!));
  const own = arrays.flatMap((array) => (Array.isArray(array) ? listScalars(array[0], []).map(formatPath) : []));
  const outer = listScalars(value, [])
    .map(formatPath)
    .filter((path) => !rows.some((array) => path.startsWith(`${array}[`)));
  return [...own, ...outer.map((path) => `$.${path}`), ROWS_COLUMN];
}

function listScalars(value: unknown, at: Step[]): Step[][] {
  if (typeof value !== "object" || value === null) return at.length === 0 ? [] : [at];
  const entries: [Step, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return entries.slice(0, NAMES_MAX).flatMap(([step, inner]) => listScalars(inner, [...at, step]));
}

function pick(value: unknown, steps: readonly Step[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? (inner as Record<Step, unknown>)[step] : undefined),
    value,
  );
}
