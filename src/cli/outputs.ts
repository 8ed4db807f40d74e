import { existsSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { Format } from "../product/report/formats.ts";
import type { BacktestReport } from "../product/report/model.ts";
import { usageError } from "./fail.ts";
import { requireDistinct, type WholeFile } from "./writeFile.ts";

/** A report to write. */
export interface Output {
  readonly path: string;
  readonly format: Format;
}

/** The outputs that `--out` names. */
export interface Outputs {
  readonly reports: readonly Output[];
  /** Paths of tables. */
  readonly tables: readonly string[];
}

const FOLDER_FORMATS = ["html", "json", "markdown"] as const;

/**
 * Reads what `--out` names: files, whose endings choose the format, and folders (there already, or written with a slash
 * at the end), which get one report of each format.
 *
 * @throws {CliError} REPORT_FORMAT, OUTPUT_REPEATED
 */
export async function planOutputs(paths: readonly string[]): Promise<Outputs> {
  if (paths.length === 0) return { reports: [], tables: [] };
  const { formats } = await import("../product/report/formats.ts");
  const [files, folders] = [paths.filter((path) => !isFolder(path)), paths.filter(isFolder)];
  const tables = files.filter((path) => TABLE_ENDINGS.includes(extname(path).toLowerCase()));
  const reports = [
    ...files
      .filter((path) => !tables.includes(path))
      .map((path) => ({ path, format: findFormat(path, Object.values(formats)) })),
    ...folders.flatMap((path) =>
      FOLDER_FORMATS.map((name) => ({ path: join(path, `report${formats[name].extension}`), format: formats[name] })),
    ),
  ];
  requireDistinct([...reports.map(({ path }) => path), ...tables]);
  return { reports, tables };
}

const TABLE_ENDINGS: readonly string[] = [".csv", ".parquet"];

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());
}

function findFormat(path: string, formats: readonly Format[]): Format {
  const format = formats.find(({ extension }) => extension === extname(path).toLowerCase());
  if (format !== undefined) return format;
  const endings = [...formats.map(({ extension }) => extension), ...TABLE_ENDINGS];
  throw usageError("REPORT_FORMAT", "the ending names no format", {
    place: path,
    hint: `use ${endings.join(", ")}, or a folder, written with a slash at the end`,
  });
}

/** The texts of a report. */
export function renderOutputs(report: BacktestReport, outputs: readonly Output[]): WholeFile[] {
  return outputs.map(({ path, format }) => ({ path, text: format.render(report) }));
}
