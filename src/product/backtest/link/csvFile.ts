import { parseIsoTime } from "../../market-data/scan/isoTime.ts";

/** Values of each line of a CSV file that a user wrote; its end may have empty lines. */
export function splitCsv(text: string): string[][] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines.map((line) => line.split(",").map((value) => value.trim()));
}

/** A time as ms since 1970, or as ISO text; undefined for a text of another form. */
export function readTime(text: string): number | undefined {
  const trimmed = text.trim();
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : parseIsoTime(trimmed, 0);
}
