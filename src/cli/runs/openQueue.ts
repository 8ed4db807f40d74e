import { basename } from "node:path";
import type { AnyStrategy } from "../../client/strategy/strategy.ts";
import type { RunEngine } from "../../product/research/runs/engine.ts";
import { type LoadedStrategy, listExamples } from "../loadStrategy.ts";
import type { Terminal } from "../terminal.ts";
import { connectQueue } from "./connectQueue.ts";
import type { QueueOptions } from "./queueAddress.ts";
import { readLine } from "./queueLines.ts";

export interface QueueRequest extends QueueOptions {
  readonly redis: string;
  readonly strategies: readonly LoadedStrategy[];
  /** Hash of each strategy. */
  readonly hashes: readonly string[];
  readonly tape: string;
  readonly limitMs: number;
}

/**
 * Opens an engine whose runs are made by the workers of a queue.
 *
 * @throws {ClusterError} an address or a Redis that cannot be used
 */
export async function openQueue(terminal: Terminal, request: QueueRequest): Promise<RunEngine> {
  const { createQueueEngine } = await import("../../product/cluster/runs/queueEngine.ts");
  const { makeProbe } = await import("../../product/cluster/runs/probe.ts");
  const { nameCodes, packStrategy } = await import("../../product/cluster/runs/strategyCode.ts");
  const { strategies, hashes, limitMs, tape } = request;
  const codes = strategies.map((strategy, at) => packStrategy(hashes[at]!, describeSource(strategy)));
  const line = await readLine();
  const { connection, explain, leave } = await connectQueue(terminal, request, line);
  const probe = await makeProbe();
  const shared = { line, codes: nameCodes(codes), tape: basename(tape), limitMs, probe };
  const engine = createQueueEngine({ connection, shared, codes });
  return {
    async *run(requests, events) {
      try {
        yield* engine.run(requests, events);
      } catch (error) {
        throw await explain(error);
      }
    },
    async close() {
      leave();
      await engine.close();
    },
  };
}

function describeSource({ strategy, path }: { readonly strategy: AnyStrategy; readonly path: string }) {
  const name = basename(path).replace(/\.[jt]s$/, "");
  const isExample = listExamples().includes(name) && /[\\/]product[\\/]strategies[\\/]/.test(path);
  return { id: strategy.id, path, example: isExample ? name : undefined };
}
