import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { VenueHost } from "../../host/host.ts";
import type { AnswerRecord } from "../dispatch/dispatcher.ts";
import type { Services } from "../services/services.ts";
import type { SocketHub } from "../socket/hub.ts";

const NONE = "none";

/** Metrics of the service, in the text format of Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<"operation" | "status">;
  readonly #durations: Histogram<"operation">;

  constructor({ host, sessions, lifecycle }: Services, hub: SocketHub) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#requests = new Counter({
      name: "perplab_http_requests_total",
      help: "Requests answered, by operation and status.",
      labelNames: ["operation", "status"],
      registers,
    });
    this.#durations = new Histogram({
      name: "perplab_http_request_seconds",
      help: "Time from a request to its answer, by operation.",
      labelNames: ["operation"],
      buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    });
    this.#gauge("perplab_height", "Height of the venue.", () => host.state.height);
    this.#gauge("perplab_block_time_seconds", "Time of the last block.", () => host.state.timeMs / 1_000);
    this.#gauge("perplab_epoch", "Epoch of the chain.", () => host.epoch);
    this.#gauge("perplab_pending_transactions", "Transactions that wait for a block.", () => host.pool.size);
    this.#gauge("perplab_sessions", "Sessions that are kept.", () => sessions.size);
    this.#gauge("perplab_socket_connections", "Connections that may follow streams.", () => hub.connections);
    this.#gauge("perplab_socket_streams", "Streams with at least one follower.", () => hub.streams);
    this.#gauge("perplab_ready", "1 while transactions are taken.", () => (isReady(host, lifecycle) ? 1 : 0));
    const evictions = new Counter({
      name: "perplab_pool_evictions_total",
      help: "Pending transactions evicted from a full pool.",
      registers,
    });
    host.onEviction((count) => evictions.inc(count));
    const transactions = new Counter({
      name: "perplab_transactions_total",
      help: "Transactions in blocks, by outcome.",
      labelNames: ["outcome"],
      registers,
    });
    const blocks = new Counter({ name: "perplab_blocks_total", help: "Blocks made.", registers });
    host.onBlock(({ receipts }) => {
      blocks.inc();
      for (const { status } of receipts) transactions.inc({ outcome: status });
    });
  }

  observe({ operation = NONE, status, durationMs }: AnswerRecord): void {
    this.#requests.inc({ operation, status });
    this.#durations.observe({ operation }, durationMs / 1_000);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}

/** Whether the venue accepts transactions. */
export function isReady(host: VenueHost, { isDraining }: Services["lifecycle"]): boolean {
  return !isDraining && host.failure === undefined;
}
