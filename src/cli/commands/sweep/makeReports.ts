import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { makeFolder } from "../../../product/files/makeFolder.ts";
import type { ReportRequest, RunRequest } from "../../../product/research/runs/record.ts";
import type { SweepCell } from "../../../product/research/sweep/sweepCell.ts";
import type { Context } from "../../command.ts";
import { startProgress } from "../../progress.ts";
import type { Runs } from "../../runs/openRuns.ts";
import { writeWholeFiles } from "../../writeFile.ts";
import { reportFolderOf } from "./outputs.ts";

/** Cells up to which all get a report by default. */
export const ALL_MOST = 25;
/** Reports of the best cells, and of cells that were liquidated. */
const BEST = 10;

export type ReportChoice = "all" | "best" | "none";

/** The cells that get a report, of cells from the best to the worst. */
export function chooseReported(ranked: readonly SweepCell[], choice: ReportChoice): SweepCell[] {
  if (choice === "none") return [];
  const runs = ranked.filter(({ state }) => state !== "failed");
  if (choice === "all") return runs;
  const liquidated = runs.filter(({ state }) => state === "liquidated" || state === "wipedOut");
  return [...new Set([...runs.slice(0, BEST), ...liquidated.slice(0, BEST)])];
}

/**
 * Makes the runs of these cells again, for their reports, and writes those that are not there yet into a folder next to
 * the page.
 *
 * @returns their paths, relative to the page, by the hash of the cell
 * @throws {RunError} STRATEGY_STATEFUL if a run has another result than before
 */
export async function makeReports(
  context: Context,
  runs: Runs,
  cells: readonly SweepCell[],
  page: string,
  commandOf: (cell: SweepCell) => string,
): Promise<Map<string, string>> {
  const { checkSame } = await import("./checkSame.ts");
  const folder = reportFolderOf(page);
  const nameOf = ({ hash }: SweepCell) => `${hash.slice(0, 16)}.html`;
  const missing = cells.filter((cell) => !existsSync(join(folder, nameOf(cell))));
  if (missing.length > 0) {
    makeFolder(folder);
    const progress = await startProgress(context.terminal, { label: "reports", total: missing.length, unit: "runs" });
    try {
      const requests = missing.map((cell): RunRequest => {
        const report: ReportRequest = { format: "html", command: commandOf(cell) };
        return { job: cell.job, report };
      });
      let done = 0;
      for await (const { record, report } of runs.fresh.run(requests)) {
        const cell = missing[done++]!;
        checkSame(cell, record);
        if (report !== undefined) await writeWholeFiles([{ path: join(folder, nameOf(cell)), text: report }]);
        progress.update(done);
      }
      progress.finish();
    } catch (error) {
      progress.stop();
      throw error;
    }
  }
  return new Map(cells.map((cell) => [cell.hash, `${encodeURIComponent(basename(folder))}/${nameOf(cell)}`]));
}
