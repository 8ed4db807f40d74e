import { basename } from "node:path";
import type { AnyStrategy } from "../../client/strategy/strategy.ts";
import { formatCommand } from "../../ground/collections/commandLine.ts";
import { formatCount } from "../../ground/math/counts.ts";
import type { QueueAddress } from "../../product/cluster/queue/address.ts";
import type { Connection } from "../../product/cluster/queue/connection.ts";
import type { Line } from "../../product/cluster/queue/line.ts";
import type { RunEngine } from "../../product/research/runs/engine.ts";
import { readVersions } from "../bundles.ts";
import { type LoadedStrategy, listExamples } from "../loadStrategy.ts";
import type { Terminal } from "../terminal.ts";

/** Options of a command whose runs may be made by workers. */
export interface QueueOptions {
  readonly redis?: string;
  readonly redisPrefix?: string;
  /** Traces are asked for by an option. */
  readonly telemetry?: boolean;
}

export interface QueueRequest extends QueueOptions {
  readonly redis: string;
  readonly strategies: readonly LoadedStrategy[];
  /** Of each strategy. */
  readonly hashes: readonly string[];
  readonly tape: string;
  readonly limitMs: number;
}

/** Time for which Redis may be away before a command gives up. */
const AWAY_MS = 300_000;
/** Time until a command says that no worker is there. */
const LONELY_MS = 3_000;

/**
 * The address of a queue. A password may be in the environment instead of the command, and so may a wish for traces.
 *
 * @throws {ClusterError} REDIS_URL
 */
export async function readQueueAddress({
  redis,
  redisPrefix,
  telemetry = false,
}: Required<Pick<QueueOptions, "redis">> & QueueOptions): Promise<QueueAddress> {
  const { findTraces, readAddress } = await import("../../product/cluster/queue/address.ts");
  const address = readAddress(redis, redisPrefix, process.env["PERPLAB_REDIS_PASSWORD"]);
  const traces = telemetry ? "--telemetry" : findTraces(process.env);
  return traces === undefined ? address : { ...address, traces };
}

/** What has to be equal where runs are made. */
export async function readLine(): Promise<Line> {
  const { perplab, code } = await readVersions();
  return { perplab, code, node: Number.parseInt(process.versions.node, 10) };
}

/**
 * Opens an engine whose runs are made by workers.
 *
 * @throws {ClusterError} an address or a Redis that cannot be used
 */
export async function openQueue({ err }: Terminal, request: QueueRequest): Promise<RunEngine> {
  const { connect } = await import("../../product/cluster/queue/connection.ts");
  const { ClusterError } = await import("../../product/cluster/queue/errors.ts");
  const { createQueueEngine } = await import("../../product/cluster/runs/queueEngine.ts");
  const { makeProbe } = await import("../../product/cluster/runs/probe.ts");
  const { nameCodes, packStrategy } = await import("../../product/cluster/runs/strategyCode.ts");
  const address = await readQueueAddress(request);
  const { strategies, hashes } = request;
  const codes = strategies.map((strategy, at) => packStrategy(hashes[at]!, describeSource(strategy)));
  let away: NodeJS.Timeout | undefined;
  let isLost = false;
  const connection = await connect(address, (isAway) => {
    clearTimeout(away);
    err(isAway ? "Redis is away; the command waits for it" : "Redis is back");
    if (!isAway) return;
    away = setTimeout(() => {
      isLost = true;
      // Every command that waits fails by this.
      connection.abandon();
    }, AWAY_MS);
  });
  const line = await readLine();
  const probe = await makeProbe();
  const { limitMs, tape } = request;
  const shared = { line, codes: nameCodes(codes), tape: basename(tape), limitMs, probe };
  const engine = createQueueEngine({ connection, shared, codes });
  const off = watchWorkers(connection, line, request, err);
  return {
    async *run(requests, events) {
      try {
        yield* engine.run(requests, events);
      } catch (error) {
        if (!isLost) throw error;
        throw new ClusterError("REDIS_LOST", `Redis was away for ${AWAY_MS / 60_000} minutes`, {
          place: connection.place,
          hint: "start it again; finished runs are kept, so the same command continues",
        });
      }
    },
    async close() {
      clearTimeout(away);
      off();
      await engine.close();
    },
  };
}

function describeSource({ strategy, path }: { readonly strategy: AnyStrategy; readonly path: string }) {
  const name = basename(path).replace(/\.[jt]s$/, "");
  const isExample = listExamples().includes(name) && /[\\/]product[\\/]strategies[\\/]/.test(path);
  return { id: strategy.id, path, example: isExample ? name : undefined };
}

/** Says once that no worker of this version is there, and which others are. */
function watchWorkers(
  connection: Connection,
  line: Line,
  { redisPrefix }: QueueOptions,
  say: (text: string) => void,
): () => void {
  const timer = setTimeout(async () => {
    const { listWorkers } = await import("../../product/cluster/queue/workers.ts");
    const { describeLine, isSameLine } = await import("../../product/cluster/queue/line.ts");
    const workers = await listWorkers(connection).catch(() => []);
    if (workers.some((worker) => isSameLine(worker, line))) return;
    const others = new Set(workers.map((worker) => `${worker.name}: ${describeLine(worker)}`));
    const prefix = redisPrefix === undefined ? [] : ["--redis-prefix", redisPrefix];
    const start = formatCommand(["worker", "--redis", connection.place, ...prefix]);
    say(`no worker is there for ${describeLine(line)}; start some: ${start}`);
    if (others.size === 0) return;
    const [first] = others;
    say(`  ${formatCount(others.size)} of other versions take none of these jobs, for example ${first}`);
  }, LONELY_MS);
  return () => clearTimeout(timer);
}
