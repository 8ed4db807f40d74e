/** Times that count from a date that the file's name has. */
import { basename } from "node:path";
import { parseIsoTime } from "../scan/isoTime.ts";

/** The word of a mapping for that date. */
export const FILE_NAME = "fileName";

/** Midnight UTC of the first date in a file's name, as `20240305` or `2024-03-05`; `undefined` without one. */
export function dateOfName(path: string): number | undefined {
  for (const [, year, month, day] of basename(path).matchAll(/(?<!\d)(\d{4})[-_]?(\d\d)[-_]?(\d\d)(?!\d)/g)) {
    const ms = parseIsoTime(`${year}-${month}-${day}`, 0);
    if (ms !== undefined) return ms;
  }
  return undefined;
}
