import type { Telemetry } from "bullmq";
import type { Redis } from "ioredis";
import { hideSecrets, type QueueAddress } from "./address.ts";
import { ClusterError } from "./errors.ts";
import { loadModules, loadTelemetry, type QueueModules } from "./modules.ts";

/** An open connection, with the packages that opened it. */
export interface Connection extends QueueModules {
  readonly redis: Redis;
  readonly prefix: string;
  /** The address without its password, for messages. */
  readonly place: string;
  /** Writes spans of jobs; undefined without traces. */
  readonly telemetry?: Telemetry;
  /** Stops reconnecting. After the next attempt, every command to Redis that still waits fails. */
  abandon(): void;
  close(): Promise<void>;
}

/** Time limit of the first answer of Redis, ms. */
const CONNECT_MS = 5_000;
/** Longest pause between two attempts to reconnect, ms. */
const RETRY_MS = 2_000;

/**
 * Connects to Redis. There is one first attempt, so a wrong address is an error. A connection that is lost later is
 * reopened without limit, and commands to Redis wait for it.
 *
 * @param onChange called when the connection is lost (true) and when it is back (false)
 * @throws {ClusterError} CLUSTER_MODULES, TRACES_UNREAD, REDIS_URL, REDIS_UNREACHABLE, REDIS_DENIED, REDIS_UNFIT
 */
export async function connect(
  { url, prefix, traces }: QueueAddress,
  onChange: (isAway: boolean) => void = () => undefined,
): Promise<Connection> {
  const modules = await loadModules();
  const telemetry = traces === undefined ? {} : { telemetry: await loadTelemetry(traces) };
  const place = hideSecrets(url);
  await checkServer(modules, url, place);
  let isAbandoned = false;
  const redis = new modules.Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectionName: "perplab",
    // `null` ends the attempts and fails all waiting commands. After `disconnect` they would wait for ever.
    retryStrategy: (attempt: number) => (isAbandoned ? null : Math.min(50 * 2 ** attempt, RETRY_MS)),
  });
  let isAway = false;
  // Without a listener, Node would end the process. The listener of `close` reports the loss.
  redis.on("error", () => undefined);
  redis.on("close", () => {
    if (!isAway) onChange(true);
    isAway = true;
  });
  redis.on("ready", () => {
    if (isAway) onChange(false);
    isAway = false;
  });
  await redis.connect();
  return {
    ...modules,
    ...telemetry,
    redis,
    prefix,
    place,
    abandon() {
      isAbandoned = true;
    },
    async close() {
      onChange = () => undefined;
      // `quit` waits for an answer, which an unreachable Redis never gives.
      if (redis.status === "ready") await redis.quit().catch(() => undefined);
      redis.disconnect();
    },
  };
}

/** Connects once, and checks that this Redis can keep a queue. */
async function checkServer({ Redis }: QueueModules, url: string, place: string): Promise<void> {
  const probe = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let last: unknown;
  probe.on("error", (error: unknown) => {
    last ??= error;
  });
  try {
    await probe.connect();
    checkInfo(await probe.info(), place);
    // After a refused SELECT the client would continue in database 0.
    if (last !== undefined) throw last;
  } catch (error) {
    const known = toClusterError(last ?? error, place);
    throw known instanceof ClusterError ? known : unreachable(last ?? error, place);
  } finally {
    probe.disconnect();
  }
}

/**
 * Checks what Redis reports about itself.
 *
 * @param info answer of the command INFO
 * @throws {ClusterError} REDIS_UNFIT
 */
export function checkInfo(info: string, place: string): void {
  const fieldOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
  const version = fieldOf("redis_version") ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 6 || (major === 6 && minor < 2)) {
    throw new ClusterError("REDIS_UNFIT", `Redis ${version} is too old`, { place, hint: "use Redis 6.2 or newer" });
  }
  const policy = fieldOf("maxmemory_policy") ?? "noeviction";
  if (policy !== "noeviction") {
    throw new ClusterError(
      "REDIS_UNFIT",
      `this Redis may evict keys (maxmemory-policy ${policy}), and with them jobs`,
      {
        place,
        hint: "set maxmemory-policy noeviction",
      },
    );
  }
  if (fieldOf("role") === "slave") throw replica(place);
  if (fieldOf("cluster_enabled") === "1") {
    throw new ClusterError("REDIS_UNFIT", "this Redis is a node of a cluster, which spreads the keys of a queue", {
      place,
      hint: "use a Redis that runs without cluster-enabled",
    });
  }
}

function replica(place: string, cause?: unknown): ClusterError {
  return new ClusterError("REDIS_UNFIT", "this Redis is a replica, which stores no jobs", {
    place,
    hint: "give the address of its primary",
    cause,
  });
}

/** Turns an error of Redis into a `ClusterError`, and returns any other error as it is. */
export function toClusterError(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof ClusterError) return error;
  const { message } = error;
  const reason = message.split("\n", 1)[0]!;
  if (/\b(WRONGPASS|NOAUTH|NOPERM|invalid password)\b/i.test(message)) {
    return new ClusterError("REDIS_DENIED", `Redis refuses: ${reason}`, {
      place,
      hint: "check user, password and rights; docs/guides/cluster.md lists the rights that are needed",
      cause: error,
    });
  }
  if (/\bDB index\b/i.test(message)) {
    return new ClusterError("REDIS_URL", "this Redis has no database of this number", {
      place,
      hint: "write the number of one of its databases after the last / (0 to 15 by default), or none for 0",
      cause: error,
    });
  }
  if (isFull(error)) {
    return new ClusterError("REDIS_FULL", "Redis has reached its memory limit", {
      place,
      hint: "raise maxmemory or cancel jobs; finished jobs are kept, so the same command continues",
      cause: error,
    });
  }
  if (/\bREADONLY\b/.test(message)) return replica(place, error);
  if (/\bMISCONF\b/.test(message)) {
    return new ClusterError("REDIS_UNFIT", `Redis cannot write to its disk: ${reason}`, {
      place,
      hint: "free space on its disk; finished jobs are kept, so the same command continues",
      cause: error,
    });
  }
  const { code } = error as { readonly code?: unknown };
  const isNetwork = typeof code === "string" && /^(E[A-Z]+|CERT_\w+|\w+_CERT\w*|ERR_(TLS|SSL)_\w+)$/.test(code);
  return isNetwork || /^Connection is closed/.test(message) ? unreachable(error, place) : error;
}

/** Why Node rejects a certificate, by its error codes. */
const DISTRUST: readonly (readonly [codes: RegExp, fault: string, hint: string])[] = [
  [/ALTNAME_INVALID$/, "names another host", "use the host name that the certificate names"],
  [/^CERT_HAS_EXPIRED$/, "has expired", "install a new certificate in Redis"],
  [
    /SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/,
    "is not trusted",
    "set NODE_EXTRA_CA_CERTS to the certificate file of its authority",
  ],
];

function unreachable(error: unknown, place: string): ClusterError {
  const { message = "", code } = error as { readonly message?: string; readonly code?: unknown };
  const reason = message.split("\n", 1)[0] || "no connection";
  const distrust = typeof code === "string" ? DISTRUST.find(([codes]) => codes.test(code)) : undefined;
  if (distrust !== undefined) {
    const [, fault, hint] = distrust;
    return new ClusterError("REDIS_UNREACHABLE", `the certificate of Redis ${fault}: ${reason}`, {
      place,
      hint,
      cause: error,
    });
  }
  const why = typeof code === "string" && !reason.includes(code) ? `${reason} (${code})` : reason;
  return new ClusterError("REDIS_UNREACHABLE", `Redis does not answer: ${why}`, {
    place,
    hint: "check the address and that Redis runs; with TLS the address begins with rediss://",
    cause: error,
  });
}

/** True if Redis refused a write because it has reached its memory limit. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && /\bOOM\b|maxmemory/.test(error.message);
}
