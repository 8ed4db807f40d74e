import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * Who a connection belongs to, for limits: its address, and of IPv6 the network that one subscriber is given (64 bits),
 * since whoever has one address there has as many as they like.
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
 * Who a request belongs to. The header that proxies write is believed only where the venue is known to stand behind one,
 * and then its last entry, which the nearest proxy wrote; whatever stands before it a client may have made up.
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

/** An address without the port and the brackets that some proxies write with it: `1.2.3.4:5555`, `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(entry)?.[1] ?? entry;
}

/** `Host` headers of a request. Node keeps the first of several and says nothing; which one counts is the attacker's to choose. */
export function countHosts({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
}

/** Connections that each client has open. */
export class ConnectionCount {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more, unless the client has as many as it may. */
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
 * Whether a `Host` header names this very machine, or one of `hosts`: guards a venue on loopback against pages that
 * rebind their name.
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
