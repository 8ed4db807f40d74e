import { formatCommand } from "../../ground/collections/commandLine.ts";
import { countOf } from "../../ground/math/counts.ts";
import type { Connection } from "../../product/cluster/queue/connection.ts";
import type { Line } from "../../product/cluster/queue/line.ts";
import type { Terminal } from "../terminal.ts";
import { type QueueOptions, readQueueAddress } from "./queueAddress.ts";

/** The connection of a command to its queue. */
export interface QueueConnection {
  /** `leave` does not close it. */
  readonly connection: Connection;
  /**
   * Explains the error of a command that failed.
   *
   * @returns REDIS_LOST if Redis was unreachable for too long, or else the same error
   */
  explain(error: unknown): Promise<unknown>;
  /** Ends the watches on Redis and on workers. */
  leave(): void;
}

/** Time without Redis after which a command gives up, ms. */
const AWAY_MS = 300_000;
/** Time without a worker after which a command says so, ms. */
const LONELY_MS = 3_000;

/**
 * Connects a command to its queue. Prints when Redis is away or back, and if no worker of this line answers.
 *
 * @param formatStart command that starts a worker of the line, with these options
 * @throws {ClusterError} an address or a Redis that cannot be used
 */
export async function connectQueue(
  { err }: Pick<Terminal, "err">,
  options: QueueOptions & { readonly redis: string },
  line: Line,
  formatStart = (address: readonly string[]): string => formatCommand(["worker", ...address]),
): Promise<QueueConnection> {
  const { connect } = await import("../../product/cluster/queue/connection.ts");
  const address = await readQueueAddress(options);
  let away: NodeJS.Timeout | undefined;
  let isLost = false;
  const connection = await connect(address, (isAway) => {
    clearTimeout(away);
    err(isAway ? "Redis is away; the command waits for it" : "Redis is back");
    if (!isAway) return;
    away = setTimeout(() => {
      isLost = true;
      // All commands to Redis that wait then fail.
      connection.abandon();
    }, AWAY_MS);
  });
  const off = watchWorkers(connection, line, options, err, formatStart);
  return {
    connection,
    async explain(error) {
      if (!isLost) return error;
      const { ClusterError } = await import("../../product/cluster/queue/errors.ts");
      return new ClusterError("REDIS_LOST", `Redis was away for ${AWAY_MS / 60_000} minutes`, {
        place: connection.place,
        hint: "start Redis again; finished jobs are kept, so the same command continues",
      });
    },
    leave() {
      clearTimeout(away);
      off();
    },
  };
}

/** Prints once that no worker of this line answers, with the command that starts one and a worker of another line. */
function watchWorkers(
  connection: Connection,
  line: Line,
  { redisPrefix }: QueueOptions,
  say: (text: string) => void,
  formatStart: (address: readonly string[]) => string,
): () => void {
  const timer = setTimeout(async () => {
    const { listWorkers } = await import("../../product/cluster/queue/workers.ts");
    const { describeLine, isSameLine } = await import("../../product/cluster/queue/line.ts");
    const workers = await listWorkers(connection).catch(() => []);
    if (workers.some((worker) => isSameLine(worker, line))) return;
    const others = new Set(workers.map((worker) => `${worker.name}: ${describeLine(worker)}`));
    const prefix = redisPrefix === undefined ? [] : ["--redis-prefix", redisPrefix];
    const start = formatStart(["--redis", connection.place, ...prefix]);
    const lines = [`waiting: no worker has answered for ${describeLine(line)}`, `  to start one: ${start}`];
    if (others.size > 0) {
      const [first] = others;
      lines.push(
        `  ${countOf(others.size, "worker")} of another version or Node line cannot take these jobs: ${first}`,
      );
    }
    say(lines.join("\n"));
  }, LONELY_MS);
  return () => clearTimeout(timer);
}
