import { readFile } from "node:fs/promises";
import type { BacktestReport } from "../product/report/model.ts";
import { failure } from "./fail.ts";

/**
 * Reads a report that a backtest wrote as JSON.
 *
 * @throws {CliError} the code of the reader, with the file as place: it knows the place in the document, not its name
 */
export async function readReportFile(path: string): Promise<BacktestReport> {
  const { readReport } = await import("../product/report/readReport.ts");
  const text = await readFile(path, "utf8");
  try {
    return readReport(text);
  } catch (error) {
    const { code, place = "" } = error as { code?: string; place?: string };
    if (code === undefined) throw error;
    throw failure(code, `${path}: ${(error as Error).message}`, {
      place: place === "" ? path : `${path}${place}`,
      hint: "give a report.json as `perplab backtest` writes it",
      cause: error,
    });
  }
}
