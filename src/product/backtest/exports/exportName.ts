import { basename, extname } from "node:path";
import { BacktestError } from "../errors.ts";
import { type ExportName, exportTables } from "./definitions.ts";

/**
 * The table that a file name means: the last word of its stem. Words are separated by anything but letters and digits:
 * `fills.csv`, `out/btc-2024-fills.parquet`.
 *
 * @throws {BacktestError} TABLE_UNKNOWN
 */
export function readExportName(path: string): ExportName {
  const stem = basename(path, extname(path));
  const word = /[a-z0-9]*$/i.exec(stem)![0].toLowerCase();
  if (Object.hasOwn(exportTables, word)) return word as ExportName;
  const names = Object.keys(exportTables).join(", ");
  throw new BacktestError(
    "TABLE_UNKNOWN",
    `${path}: ${word === "" ? "no word" : JSON.stringify(word)} at the end of the name is no table`,
    {
      place: path,
      hint: `end the name with one of ${names}, for example ${stem === "" ? "" : `${stem}-`}fills${extname(path)}`,
    },
  );
}
