import { existsSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { type Format, formats } from "../product/report/formats.ts";
import type { BacktestReport } from "../product/report/model.ts";
import { usageError } from "./fail.ts";
import type { WholeFile } from "./writeFile.ts";

/** A report to write. */
export interface Output {
  readonly path: string;
  readonly format: Format;
}

const FOLDER_FORMATS = ["html", "json", "markdown"] as const;

/**
 * Reads what `--out` names: files, whose endings choose the format, and folders (there already, or written with a slash
 * at the end), which get one report of each format.
 *
 * @throws {CliError} REPORT_FORMAT
 */
export function planOutputs(paths: readonly string[]): Output[] {
  return paths.flatMap((path) => {
    if (/[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory())) {
      return FOLDER_FORMATS.map((name) => ({
        path: join(path, `report${formats[name].extension}`),
        format: formats[name],
      }));
    }
    const format = Object.values<Format>(formats).find(({ extension }) => extension === extname(path).toLowerCase());
    if (format !== undefined) return [{ path, format }];
    const endings = Object.values<Format>(formats).map(({ extension }) => extension);
    throw usageError("REPORT_FORMAT", "the ending names no format", {
      place: path,
      hint: `use ${endings.join(", ")}, or a folder, written with a slash at the end`,
    });
  });
}

/** The texts of a report. */
export function renderOutputs(report: BacktestReport, outputs: readonly Output[]): WholeFile[] {
  return outputs.map(({ path, format }) => ({ path, text: format.render(report) }));
}
