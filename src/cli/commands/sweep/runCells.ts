import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { RunEngine } from "../../../product/research/runs/engine.ts";
import type { RunRecord } from "../../../product/research/runs/record.ts";
import { KeptReturns } from "../../../product/research/sweep/keptReturns.ts";
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
  readonly returns: KeptReturns;
}

/** A run that is made again. */
interface CheckRun {
  readonly result: Promise<void>;
  /** Drops it where the sweep has failed. */
  stop(): void;
}

/**
 * Runs the cells that the store does not have, with progress, and with the command that continues where it is stopped.
 *
 * @param of the strategy by whose returns luck is judged; undefined for those of all accounts together
 * @throws {RunError} the failure of all runs
 */
export async function runCells(
  context: Context,
  { engine, fresh, workers, isQueued }: Runs,
  plan: SweepPlan,
  of: string | undefined,
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
  const returns = new KeptReturns(of);
  let again: CheckRun | undefined;
  try {
    const cells = await runSweep(engine, plan, {
      onCell(record, isKept, index) {
        const { error } = record;
        done++;
        if (error?.code === "JOB_CANCELLED") cancelled++;
        else if (!isKept) made++;
        progress.update(done, `${formatCount(made)} new`);
        // Threads of this machine are free while workers of a queue make the runs.
        if (isQueued === true && made >= CHECKED_FROM && !isKept && error === null) {
          again ??= startCheck(fresh, { record, job: plan.cells[index]!.job });
        }
      },
      onNext: (record) => returns.add(record),
    });
    const first = cells.find(({ isKept, state }) => !isKept && state !== "failed");
    if (made >= CHECKED_FROM && first !== undefined) again ??= startCheck(fresh, first);
    const checked = again?.result ?? Promise.resolve();
    const makers = isQueued === true ? "by workers" : `in ${countOf(workers, "thread")}`;
    const kept = total - made - cancelled;
    const parts = [`${formatCount(made)} new ${makers}`, `${formatCount(kept)} kept from before`];
    if (cancelled > 0) parts.push(`${formatCount(cancelled)} cancelled in the queue`);
    progress.finish(parts.join(", "));
    return { cells, checked, returns };
  } catch (error) {
    again?.stop();
    progress.stop();
    if (done < total) sayHow();
    throw error;
  } finally {
    off();
  }
}

type CheckedCell = Pick<SweepCell, "job"> & { readonly record: Pick<RunRecord, "root" | "head"> };

/** Makes a run again in a thread of this machine. */
function startCheck(fresh: RunEngine, cell: CheckedCell): CheckRun {
  const stop = new AbortController();
  const check = async (): Promise<void> => {
    for await (const { record } of fresh.run([{ job: cell.job }], { signal: stop.signal })) checkSame(cell, record);
  };
  const result = check();
  // The caller awaits it later. Until then, Node would take a failure for one that nothing handles.
  result.catch(() => undefined);
  return { result, stop: () => stop.abort() };
}
