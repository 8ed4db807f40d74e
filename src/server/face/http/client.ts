import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * Client of a connection, for limits: its address. For IPv6 the client is the subscriber's /64 network, since one
 * subscriber has every address in it.
 */
export function clientOf(address: string | undefined): string {
  if (address === undefined) return "unknown";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":") || address === "::1") return address;
  const [head = "", tail] = address.replace(/%.*$/, "").split("::") as [string, string | undefined];
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * Client of a request. `X-Forwarded-For` is read only if the venue runs behind a proxy. Only its last entry counts: the
 * nearest proxy wrote it, and the client may have forged all earlier ones.
 */
export function clientOfRequest({ headers, socket }: IncomingMessage, behindProxy: boolean): string {
  if (behindProxy) {
    const header = headers["x-forwarded-for"];
    const last = (Array.isArray(header) ? header.join(",") : (header ?? "")).split(",").at(-1)!.trim();
    const bare = withoutPort(last);
    if (isIP(bare) !== 0) return clientOf(bare);
  }
  return clientOf(socket.remoteAddress);
}

/**
 * An address without the port and the brackets that some proxies write with it: `1.2.3.4:5555`, `[2001:db8::1]:443`.
 */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(entry)?.[1] ?? entry;
}

/**
 * `Host` headers of a request. Node silently keeps the first of several, so a client could choose which one is checked.
 */
export function countHosts({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
}

/**
 * Marks a request by HTTP/1.0 as one of a proxy, as the proxy should have done with a `Via` header (RFC 9110, 7.6.3).
 * nginx passes requests on by HTTP/1.0 unless configured otherwise, with a `Host` of its own and no header that names
 * the client.
 */
export function markProxy({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === "1.0") headers.via ??= "1.0 unnamed";
}

/** What each client has open: connections, or requests without an answer. */
export class ClientCount {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one, unless the client has the most that it may have. */
  enter(client: string): boolean {
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#most) return false;
    this.#open.set(client, open + 1);
    return true;
  }

  leave(client: string): void {
    const open = this.#open.get(client) ?? 0;
    if (open <= 1) this.#open.delete(client);
    else this.#open.set(client, open - 1);
  }

  get size(): number {
    let sum = 0;
    for (const open of this.#open.values()) sum += open;
    return sum;
  }
}

/**
 * Whether a `Host` header names this machine, or one of `hosts`: protects a venue on loopback from DNS rebinding by
 * pages.
 */
export function isLoopbackHost(header: string | undefined, hosts: readonly string[] = []): boolean {
  if (header === undefined) return false;
  if (hosts.includes(header.toLowerCase())) return true;
  const name = header.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name);
}

export function isLoopbackAddress(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}
