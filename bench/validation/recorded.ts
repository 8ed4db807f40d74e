/**
 * Recorded data of real venues, which is not part of the repository. Its README lists each folder with its source and
 * its defects.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** Where the folders are. */
export const RECORDED: string = fileURLToPath(new URL("../../../shared/data/real/", import.meta.url));

/** The folder of that name; undefined where the data is absent. */
export function findRecorded(name: string): string | undefined {
  const folder = join(RECORDED, name);
  return existsSync(folder) ? folder : undefined;
}

/** Prints that a folder is absent, for a check that is skipped then. */
export function explainAbsent(name: string): undefined {
  console.log(`skipped: there is no ${name} in ../shared/data/real`);
  return undefined;
}

/** One record of a file, by the names of its columns. */
export type Row<Column extends string> = Readonly<Record<Column, string>>;

/**
 * The records of gzipped CSV files, in the order of the files' names.
 *
 * @param columns to read; a file without one of them is refused
 */
export function* readRows<Column extends string>(
  folder: string,
  pattern: string,
  columns: readonly Column[],
): Generator<Row<Column>> {
  const files = globSync(pattern, { cwd: folder }).sort();
  if (files.length === 0) throw new Error(`${folder} has no file ${pattern}`);
  for (const file of files) yield* parseRows(gunzipSync(readFileSync(join(folder, file))).toString(), file, columns);
}

/** The records of the text of a file. */
export function* parseRows<Column extends string>(
  text: string,
  file: string,
  columns: readonly Column[],
): Generator<Row<Column>> {
  const headEnd = text.indexOf("\n");
  const head = text.slice(0, headEnd).trimEnd().split(",");
  const places = columns.map((column) => {
    const place = head.indexOf(column);
    if (place < 0) throw new Error(`${file} has no column ${column}`);
    return place;
  });
  let from = headEnd + 1;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end).trimEnd();
    from = end < 0 ? text.length : end + 1;
    if (line === "") continue;
    const cells = line.includes('"') ? splitQuoted(line) : line.split(",");
    if (cells.length !== head.length) {
      throw new Error(`${file}: ${cells.length} cells for ${head.length} columns: ${line}`);
    }
    const row = {} as Record<Column, string>;
    for (let at = 0; at < columns.length; at++) row[columns[at]!] = cells[places[at]!]!;
    yield row;
  }
}

/** Cells of a line in which some are quoted: a comma in quotes separates nothing, two quotes are one. */
function splitQuoted(line: string): string[] {
  const cells = line.match(/("([^"]|"")*"|[^,"]*)(,|$)/g)!.map((cell) => cell.replace(/,$/, ""));
  // A match at the end of a line whose last cell ended there is empty.
  if (!line.endsWith(",")) cells.pop();
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
