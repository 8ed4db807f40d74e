import { ClusterError } from "./errors.ts";

/** Where a queue is. */
export interface QueueAddress {
  /** `redis://` or, with TLS, `rediss://`, with user, password and number of the database where they are needed. */
  readonly url: string;
  /** First part of the names of all keys. */
  readonly prefix: string;
  /** Option or variable that asks for traces of the jobs; none without it. */
  readonly traces?: string;
}

export const PREFIX = "perplab";

/**
 * Checks the address of Redis.
 *
 * @param password for an address without one, so that it need not be in a command
 * @throws {ClusterError} REDIS_URL
 */
export function readAddress(url: string, prefix = PREFIX, password?: string): QueueAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === "") {
    throw new ClusterError("REDIS_URL", `${JSON.stringify(hideSecrets(url))} is not the address of a Redis`, {
      place: "--redis",
      hint: "write redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT/DATABASE with TLS",
    });
  }
  if (!/^[\w.-]{1,64}$/.test(prefix)) {
    throw new ClusterError("REDIS_URL", `${JSON.stringify(prefix)} cannot begin the names of keys`, {
      place: "--redis-prefix",
      hint: "use letters, digits, dots and hyphens",
    });
  }
  if (password !== undefined && parsed.password === "") parsed.password = password;
  return { url: parsed.href, prefix };
}

/** An address without its password, for messages. */
export function hideSecrets(url: string): string {
  return url.replace(/\/\/([^@/:]*):[^@/]*@/, (_, user) => (user === "" ? "//" : `//${user}@`));
}

/** The variable of OpenTelemetry that asks for traces, if the environment has it. */
export function findTraces(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const exporter = env["OTEL_TRACES_EXPORTER"]?.trim().toLowerCase() ?? "";
  const isOff = exporter === "" || exporter === "none" || env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true";
  return isOff ? undefined : "OTEL_TRACES_EXPORTER";
}
