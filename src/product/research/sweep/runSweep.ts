import type { RunEngine } from "../runs/engine.ts";
import type { RunRecord } from "../runs/record.ts";
import type { SweepPlan } from "./planSweep.ts";
import { readState, type SweepCell } from "./sweepCell.ts";

/** Progress of a sweep, for its caller. */
export interface SweepEvents {
  /** A cell is complete, in the order in which runs end. */
  readonly onCell?: (record: RunRecord, isKept: boolean, index: number) => void;
  /** As `onCell`, in the order of the plan, a bounded number of runs later. */
  readonly onNext?: (record: RunRecord) => void;
  readonly signal?: AbortSignal;
}

/** Makes the runs of a plan. The cells are in the order of the plan, whatever the engine. */
export async function runSweep(
  engine: RunEngine,
  { cells }: SweepPlan,
  events: SweepEvents = {},
): Promise<SweepCell[]> {
  const { onCell, onNext, signal } = events;
  const done: SweepCell[] = [];
  const results = engine.run(
    cells.map(({ job }) => ({ job })),
    {
      onDone: ({ record, isKept = false }, index) => onCell?.(record, isKept, index),
      ...(signal === undefined ? {} : { signal }),
    },
  );
  for await (const { record, isKept = false } of results) {
    onNext?.(record);
    const { job: _job, daily: _daily, strategies, ...rest } = record;
    const each = strategies.map(({ daily: _own, ...figures }) => figures);
    done.push({ ...cells[done.length]!, record: { ...rest, strategies: each }, state: readState(record), isKept });
  }
  return done;
}
