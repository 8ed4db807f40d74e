import { type Logger, pino } from "pino";
import type { AnswerRecord } from "../dispatch/dispatcher.ts";

export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type ServiceLog = Logger;

/** Lines of JSON on standard error: standard output is for the command's result. */
export function createLog(level: LogLevel): ServiceLog {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, process.stderr);
}

/**
 * One line for each answer: failures of the service as errors, others at `debug`. Bodies and headers are never written,
 * so the log holds no token and no key.
 */
export function logAnswer(log: ServiceLog, record: AnswerRecord): void {
  const { error, durationMs, path, ...rest } = record;
  if (record.status >= 500) {
    log.error({ ...rest, path: pathOf(path), ms: round(durationMs), err: error }, "request failed");
  } else if (log.isLevelEnabled("debug")) {
    log.debug({ ...rest, path: pathOf(path), ms: round(durationMs) }, "request");
  }
}

/** Without its query, which may hold anything that a client sent. */
function pathOf(path: string): string {
  return path.replace(/\?.*$/s, "").slice(0, 256);
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
