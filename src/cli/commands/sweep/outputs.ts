import { basename, dirname, extname, join } from "node:path";
import type { Sweep } from "../../../product/research/sweep/sweepDocument.ts";
import { usageError } from "../../fail.ts";
import { requireDistinct, writeWholeFiles } from "../../writeFile.ts";

const ENDINGS = [".html", ".json", ".csv", ".parquet"];

/** @throws {CliError} REPORT_FORMAT, OUTPUT_REPEATED */
export function checkOutputs(paths: readonly string[]): void {
  const odd = paths.find((path) => !ENDINGS.includes(extname(path).toLowerCase()));
  if (odd !== undefined) {
    throw usageError("REPORT_FORMAT", "the ending names no format", { place: odd, hint: `use ${ENDINGS.join(", ")}` });
  }
  requireDistinct(paths);
}

/** The page that reports are written next to, if there is one. */
export function findPage(paths: readonly string[]): string | undefined {
  return paths.find((path) => extname(path).toLowerCase() === ".html");
}

/** Folder of the reports of a page's runs, next to it. */
export function reportFolderOf(page: string): string {
  return join(dirname(page), `${basename(page, extname(page))}-runs`);
}

/** Writes a sweep in the format of each path: every file whole, or not at all. */
export async function writeOutputs(sweep: Sweep, paths: readonly string[]): Promise<void> {
  const { renderSweepHtml } = await import("../../../product/research/sweep/html.ts");
  const { toSweepJson } = await import("../../../product/research/sweep/sweepDocument.ts");
  const texts = paths.flatMap((path) => {
    const ending = extname(path).toLowerCase();
    if (ending === ".html") return [{ path, text: renderSweepHtml(sweep) }];
    return ending === ".json" ? [{ path, text: `${JSON.stringify(toSweepJson(sweep), null, 1)}\n` }] : [];
  });
  await writeWholeFiles(texts);
  for (const path of paths) if (/\.(csv|parquet)$/i.test(path)) await writeTable(sweep, path);
}

async function writeTable(sweep: Sweep, path: string): Promise<void> {
  const { openTable } = await import("../../../product/tables/openTable.ts");
  const { defineSweepTable, listSweepRows } = await import("../../../product/research/sweep/sweepTable.ts");
  const names = sweep.strategies.map(({ name }) => name);
  const writer = await openTable(path, defineSweepTable(sweep.axes, names));
  try {
    for (const row of listSweepRows(sweep)) writer.write(row);
    writer.close();
    writer.publish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
