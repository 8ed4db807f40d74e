import type { Place } from "../parse/cell.ts";

/** A line of a file by its number from 1; undefined where there is none. */
export type ReadLine = (file: string, line: number) => string | undefined;

/** The line of a place, and a line of carets under the part at fault. */
export function excerpt({ file, line, column, length }: Place, readLine: ReadLine): string[] {
  const text = readLine(file, line);
  if (text === undefined) return [];
  const indent = text.length - text.trimStart().length;
  const shown = text.slice(indent);
  const from = Math.max(column - 1 - indent, 0);
  const width = Math.max(1, Math.min(length, shown.length - from));
  return [shown, `${" ".repeat(from)}${"^".repeat(width)}`];
}

/** Lines of texts that are read once. */
export function createReadLine(readText: (file: string) => string): ReadLine {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    let lines = files.get(file);
    if (lines === undefined) {
      try {
        lines = readText(file).split("\n");
      } catch {
        lines = [];
      }
      files.set(file, lines);
    }
    return lines[line - 1]?.replace(/\r$/, "");
  };
}
