import type { Telemetry } from "bullmq";
import type { BullMQOTelSpan } from "bullmq-otel";
import { ClusterError } from "./errors.ts";

/** The optional packages of commands with `--redis`. */
export interface QueueModules {
  readonly bullmq: typeof import("bullmq");
  readonly Redis: typeof import("ioredis").Redis;
}

/** Commands that install the optional packages in the versions of package.json. */
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
    throw new ClusterError(
      "CLUSTER_MODULES",
      "--redis needs the packages bullmq and ioredis, which perplab does not install",
      {
        hint: `install them next to perplab: ${INSTALL}`,
        cause,
      },
    );
  }
}

/**
 * Loads BullMQ's bridge to OpenTelemetry. The user's SDK decides where its spans go.
 *
 * @param place the option or environment variable that turned traces on, for messages
 * @throws {ClusterError} CLUSTER_MODULES, TRACES_UNREAD
 */
export async function loadTelemetry(
  place: string,
  load: (name: string) => Promise<unknown> = importPackage,
): Promise<Telemetry> {
  const { BullMQOtel } = (await load("bullmq-otel").catch((cause: unknown) => {
    if (!isMissing(cause)) throw cause;
    throw new ClusterError("CLUSTER_MODULES", "traces need the package bullmq-otel, which perplab does not install", {
      place,
      hint: `install it next to perplab: ${INSTALL_TRACES}`,
      cause,
    });
  })) as typeof import("bullmq-otel");
  const telemetry = new BullMQOtel({ tracerName: "perplab" });
  // Without an SDK, the trace id of every span is zeros. This span is never ended, so an SDK does not report it.
  const { span } = telemetry.tracer.startSpan("perplab") as BullMQOTelSpan;
  const { traceId } = span.spanContext();
  if (/^0*$/.test(traceId)) {
    throw new ClusterError(
      "TRACES_UNREAD",
      "no SDK of OpenTelemetry runs in this process, so nothing would receive the traces",
      {
        place,
        hint: 'start one by NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register"',
      },
    );
  }
  // Its type of a context is that of OpenTelemetry. BullMQ only passes contexts on.
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
