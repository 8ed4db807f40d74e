import { ClusterError } from "./errors.ts";

/** Address of a queue. */
export interface QueueAddress {
  /** `redis://` or, with TLS, `rediss://`; it may have a user, a password and the number of a database. */
  readonly url: string;
  /** Prefix of all keys in Redis. */
  readonly prefix: string;
  /** The option or environment variable that turned traces on, for messages; undefined without traces. */
  readonly traces?: string;
}

/** Default prefix of keys. */
export const PREFIX = "perplab";

/**
 * Checks the address of Redis.
 *
 * @param password used if the address has none, so that it need not be typed in a command
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

/** An address with options after `?` is refused: one of them may be a password, and messages print the address. */
function isOfRedis({ protocol, hostname, pathname, search, hash }: URL): boolean {
  return /^rediss?:$/.test(protocol) && hostname !== "" && /^(\/\d*)?$/.test(pathname) && search + hash === "";
}

/** The refused text, unless it may contain a password: in a malformed address its place is unknown. */
function showRefused(text: string): string {
  const isPlain = /^([a-z]+:\/\/)?[\w.-]*(:\d*)?(\/\d*)?$/i.test(text);
  return isPlain ? JSON.stringify(text) : "what is given (not shown, since it may have a password)";
}

/** A valid address without its password, for messages. */
export function hideSecrets(url: string): string {
  return url.replace(/\/\/([^@/:]*):[^@/]*@/, (_, user) => (user === "" ? "//" : `//${user}@`));
}

/** Name of the environment variable of OpenTelemetry that turns traces on; undefined if none does. */
export function findTraces(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const exporter = env["OTEL_TRACES_EXPORTER"]?.trim().toLowerCase() ?? "";
  const isOff = exporter === "" || exporter === "none" || env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true";
  return isOff ? undefined : "OTEL_TRACES_EXPORTER";
}
