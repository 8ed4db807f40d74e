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
  if (parsed === undefined || !isOfRedis(parsed)) {
    throw new ClusterError("REDIS_URL", `${showRefused(url)} is not the address of a Redis`, {
      place: "--redis",
      hint:
        "write redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT/DATABASE with TLS; " +
        "in a password write @ as %40, / as %2F, ? as %3F and # as %23",
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

/** Options after `?` are refused: one of them may be a password, and messages have the address. */
function isOfRedis({ protocol, hostname, pathname, search, hash }: URL): boolean {
  return /^rediss?:$/.test(protocol) && hostname !== "" && /^(\/\d*)?$/.test(pathname) && search + hash === "";
}

/** A text that is no address, if it cannot have a password: where one begins and ends is not known then. */
function showRefused(text: string): string {
  const isPlain = /^([a-z]+:\/\/)?[\w.-]*(:\d*)?(\/\d*)?$/i.test(text);
  return isPlain ? JSON.stringify(text) : "what is given (not shown, since it may have a password)";
}

/** An address that was read, without its password, for messages. */
export function hideSecrets(url: string): string {
  return url.replace(/\/\/([^@/:]*):[^@/]*@/, (_, user) => (user === "" ? "//" : `//${user}@`));
}

/** The variable of OpenTelemetry that asks for traces, if the environment has it. */
export function findTraces(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const exporter = env["OTEL_TRACES_EXPORTER"]?.trim().toLowerCase() ?? "";
  const isOff = exporter === "" || exporter === "none" || env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true";
  return isOff ? undefined : "OTEL_TRACES_EXPORTER";
}
