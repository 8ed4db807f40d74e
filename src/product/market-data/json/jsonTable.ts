import type { Sample } from "../draft/sample.ts";
import { DataError } from "../errors.ts";
import { parsePath } from "./path.ts";
import type { JsonSample } from "./sampleJson.ts";

/** Fields of a value that a draft takes for columns. */
const COLUMNS_MAX = 1000;

/**
 * The values as the rows of a table, for a draft. The names of fields are those of columns, and elements of an array
 * count as columns without names.
 *
 * @throws {DataError} DATA_LAYOUT if a value has fewer than two fields
 */
export function toTable({ spec, names, rows }: JsonSample, file: string): Sample {
  const columns = Math.min(names.length, COLUMNS_MAX);
  if (columns < 2 || rows.length === 0) {
    throw new DataError("DATA_LAYOUT", "the values have no fields that could be columns", {
      file,
      line: 1,
      hint: "write a mapping file with json: { in, array, rows }",
    });
  }
  const refs = names.slice(0, columns);
  const isNamed = !refs.every((name) => /^\[\d+\]$/.test(name));
  return {
    separator: ",",
    skipLines: 0,
    names: isNamed ? shortenNames(refs) : undefined,
    hasHeader: isNamed,
    columns,
    rows: rows.map((row) => row.slice(0, columns).map((cell) => cell.trim())),
    json: spec,
    refs,
  };
}

/** The last key of each path, by which a column is known; the whole path where two have the same. */
function shortenNames(paths: readonly string[]): string[] {
  const last = paths.map((path) => String(parsePath(path.replace(/^\$\./, ""))?.at(-1) ?? path));
  return last.map((name, index) => (last.indexOf(name) === last.lastIndexOf(name) ? name : paths[index]!));
}
