import { extname } from "node:path";
import type { WalkForwardReport } from "../../../product/research/walk-forward/model.ts";
import { writeWholeFiles } from "../../writeFile.ts";

/** Writes a walk-forward in the format of each path: every file whole, or not at all. */
export async function writeWalkForward(
  report: WalkForwardReport,
  command: string,
  paths: readonly string[],
): Promise<void> {
  const { renderWalkForwardHtml } = await import("../../../product/research/walk-forward/html.ts");
  const texts = paths.flatMap((path) => {
    const ending = extname(path).toLowerCase();
    if (ending === ".html") return [{ path, text: renderWalkForwardHtml(report, command) }];
    return ending === ".json" ? [{ path, text: `${JSON.stringify(report, null, 1)}\n` }] : [];
  });
  await writeWholeFiles(texts);
  for (const path of paths) if (/\.(csv|parquet)$/i.test(path)) await writeTable(report, path);
}

async function writeTable(report: WalkForwardReport, path: string): Promise<void> {
  const { openTable } = await import("../../../product/tables/openTable.ts");
  const { listWindowRows, windowTable } = await import("../../../product/research/walk-forward/windowTable.ts");
  const writer = await openTable(path, windowTable);
  try {
    for (const row of listWindowRows(report)) writer.write(row);
    writer.close();
    writer.publish();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
