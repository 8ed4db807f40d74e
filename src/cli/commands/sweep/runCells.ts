import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { RunEngine } from "../../../product/research/runs/engine.ts";
import type { SweepPlan } from "../../../product/research/sweep/planSweep.ts";
import { runSweep } from "../../../product/research/sweep/runSweep.ts";
import type { SweepCell } from "../../../product/research/sweep/sweepCell.ts";
import type { Context } from "../../command.ts";
import { onInterrupt } from "../../interrupt.ts";
import { startProgress } from "../../progress.ts";
import type { Runs } from "../../runs/openRuns.ts";
import { checkSame } from "./checkSame.ts";

/** New runs from which one is made again as a check: below, it would cost more than a tenth. */
const CHECKED_FROM = 10;

/** Cells that have run. */
export interface RunCells {
  readonly cells: SweepCell[];
  /**
   * Resolves when one run was made again with the same result; rejects with STRATEGY_STATEFUL. It runs in a thread, so
   * the caller can work on the cells meanwhile.
   */
  readonly checked: Promise<void>;
}

/**
 * Runs the cells that the store does not have, with progress, and with the command that continues where it is stopped.
 *
 * @throws {RunError} the failure of all runs
 */
export async function runCells(
  context: Context,
  { engine, fresh, workers, isQueued }: Runs,
  plan: SweepPlan,
): Promise<RunCells> {
  const { terminal } = context;
  const total = plan.cells.length;
  const progress = await startProgress(terminal, { label: "running", total, unit: "runs" });
  let done = 0;
  let made = 0;
  let cancelled = 0;
  const sayHow = () =>
    terminal.err(
      `stopped after ${formatCount(done)} of ${countOf(total, "run")}; finished runs are kept; to continue: ${context.call()}`,
    );
  const off = onInterrupt(sayHow);
  try {
    const cells = await runSweep(engine, plan, {
      onCell({ error }, isKept) {
        done++;
        if (error?.code === "JOB_CANCELLED") cancelled++;
        else if (!isKept) made++;
        progress.update(done, `${formatCount(made)} new`);
      },
    });
    const first = cells.find(({ isKept, state }) => !isKept && state !== "failed");
    const checked = made >= CHECKED_FROM && first !== undefined ? check(fresh, first) : Promise.resolve();
    // The caller awaits it later. Until then, Node would take a failure for one that nothing handles.
    checked.catch(() => undefined);
    const makers = isQueued === true ? "by workers" : `in ${countOf(workers, "thread")}`;
    const kept = total - made - cancelled;
    const parts = [`${formatCount(made)} new ${makers}`, `${formatCount(kept)} kept from before`];
    if (cancelled > 0) parts.push(`${formatCount(cancelled)} cancelled in the queue`);
    progress.finish(parts.join(", "));
    return { cells, checked };
  } catch (error) {
    progress.stop();
    if (done < total) sayHow();
    throw error;
  } finally {
    off();
  }
}

async function check(fresh: RunEngine, cell: SweepCell): Promise<void> {
  for await (const { record } of fresh.run([{ job: cell.job }])) checkSame(cell, record);
}
