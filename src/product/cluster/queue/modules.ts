import type { Telemetry } from "bullmq";
import type { BullMQOTelSpan } from "bullmq-otel";
import { ClusterError } from "./errors.ts";

/** The optional packages that commands with `--redis` load. */
export interface QueueModules {
  readonly bullmq: typeof import("bullmq");
  readonly Redis: typeof import("ioredis").Redis;
}

/** Versions with which perplab is tested, as package.json has them. */
const INSTALL = "npm install bullmq@6 ioredis@5";
const INSTALL_TRACES = "npm install bullmq-otel@2";

/**
 * Loads BullMQ and its Redis client.
 *
 * @param load imports a package by its name; by default as Node finds it from here
 * @throws {ClusterError} CLUSTER_MODULES
 */
export async function loadModules(load: (name: string) => Promise<unknown> = importPackage): Promise<QueueModules> {
  try {
    const bullmq = (await load("bullmq")) as QueueModules["bullmq"];
    const { Redis } = (await load("ioredis")) as typeof import("ioredis");
    return { bullmq, Redis };
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new ClusterError("CLUSTER_MODULES", "a queue needs the packages bullmq and ioredis, which are optional", {
      hint: `install them next to perplab: ${INSTALL}`,
      cause,
    });
  }
}

/**
 * Loads BullMQ's bridge to OpenTelemetry. What becomes of its spans is decided by an SDK that the user has started.
 *
 * @param place option or variable that asked for traces
 * @throws {ClusterError} CLUSTER_MODULES, TRACES_UNREAD
 */
export async function loadTelemetry(
  place: string,
  load: (name: string) => Promise<unknown> = importPackage,
): Promise<Telemetry> {
  const { BullMQOtel } = (await load("bullmq-otel").catch((cause: unknown) => {
    if (!isMissing(cause)) throw cause;
    throw new ClusterError("CLUSTER_MODULES", "traces need the package bullmq-otel, which is optional", {
      place,
      hint: `install it next to perplab: ${INSTALL_TRACES}`,
      cause,
    });
  })) as typeof import("bullmq-otel");
  const telemetry = new BullMQOtel({ tracerName: "perplab" });
  // Without an SDK, all spans have the invalid name of a trace, zeros. This one is not ended, so no SDK reports it.
  const { span } = telemetry.tracer.startSpan("perplab") as BullMQOTelSpan;
  const { traceId } = span.spanContext();
  if (/^0*$/.test(traceId)) {
    throw new ClusterError("TRACES_UNREAD", "no SDK of OpenTelemetry is started, so nothing would read the traces", {
      place,
      hint: 'start one by NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register"',
    });
  }
  // Its contexts are OpenTelemetry's; BullMQ only passes them on.
  return telemetry as Telemetry;
}

function isMissing(cause: unknown): boolean {
  const { code } = cause as { readonly code?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}

function importPackage(name: string): Promise<unknown> {
  if (name === "bullmq-otel") return import("bullmq-otel");
  return name === "bullmq" ? import("bullmq") : import("ioredis");
}
