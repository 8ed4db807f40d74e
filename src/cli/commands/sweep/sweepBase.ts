import type { RunJob } from "../../../product/research/runs/job.ts";
import type { Runs } from "../../runs/openRuns.ts";
import type { SweepRequest } from "./readRequest.ts";

/** The run that the points of a sweep change: what was requested, by the hashes of its contents. */
export function createSweepBase({ base, hashes }: Pick<Runs, "base" | "hashes">, request: SweepRequest): RunJob {
  const strategies = request.base.strategies.map((one, place) => ({ ...one, strategy: hashes[place]! }));
  return { ...base, strategies, options: request.base.options };
}
