import type { Setup } from "../../proof/fuzz/campaign/execute.ts";
import type { Crew } from "../../proof/fuzz/campaign/workerPool.ts";
import { connectQueue } from "../runs/connectQueue.ts";
import type { QueueOptions } from "../runs/queueAddress.ts";
import { readFullLine } from "../runs/queueLines.ts";
import type { Terminal } from "../terminal.ts";

/**
 * Opens a crew whose cases are run by the workers of a queue.
 *
 * @param caseMs limit of a case in CPU time, ms
 * @throws {ClusterError} an address or a Redis that cannot be used
 */
export async function openCrew(
  terminal: Terminal,
  options: QueueOptions & { readonly redis: string },
  setup: Setup,
  caseMs: number,
): Promise<Crew> {
  const { makeProbe } = await import("../../product/cluster/runs/probe.ts");
  const { createQueueCrew } = await import("../../proof/cluster/queueCrew.ts");
  const line = await readFullLine();
  const probe = await makeProbe();
  const { connection, explain, leave } = await connectQueue(terminal, options, line);
  const crew = createQueueCrew({ connection, shared: { line, setup, caseMs, probe } });
  return {
    async run(jobs, isOver, plan) {
      try {
        return await crew.run(jobs, isOver, plan);
      } catch (error) {
        throw await explain(error);
      }
    },
    async close() {
      leave();
      await crew.close();
    },
  };
}
