import { createHash, timingSafeEqual } from "node:crypto";
import { ProblemError } from "../problems/problems.ts";
import { readToken } from "../services/access.ts";
import { isLoopbackAddress, isLoopbackHost } from "./client.ts";

/** A request to a page for the venue's operator only: control and metrics. */
export interface OperatorRequest {
  /** Address of the network that it came from. */
  readonly client: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Headers that proxies add. A request with one of them did not start on this machine, wherever its connection came
 * from.
 */
const FORWARDING = new RegExp(
  `^(${[
    "forwarded|via|forwarded-for|x[-_]forwarded([-_].*)?",
    "(.*-)?(client|connecting|real|remote)-?(ip|addr|port)|remote-addr",
    "x-(original|rewrite|envoy|amzn?|azure|arr|appengine|cloud|vercel|nf|proxyuser|nginx|traefik|haproxy|ngrok)-.*",
    "x-(cache|varnish|host|scheme|url-scheme|request-start|coming-from|http-destinationurl)|front-end-https",
    "cdn-loop|cf-.*|fastly-.*|fly-.*|ngrok-.*|tailscale-.*|proxy-connection",
  ].join("|")})$`,
);

/** Whether a request came from this machine or this process without a proxy between. */
export function isDirectLoopback({ client, headers }: OperatorRequest): boolean {
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  if (client === "in-process") return true;
  // A proxy that adds no header still passes on the requested host name.
  const { host } = headers;
  return isLocal(client) && (host === undefined || isLoopbackHost(String(host)));
}

/** Whether a request carries the administrator's token. */
export function hasAdminToken({ headers }: OperatorRequest, adminToken: string | undefined): boolean {
  const { authorization } = headers;
  const given = typeof authorization === "string" ? readToken({ authorization }) : undefined;
  return adminToken !== undefined && given !== undefined && isSame(given, adminToken);
}

/**
 * Refuses a client that may not control the venue. With an administrator's token every client needs it; without one
 * only requests of this machine are answered.
 *
 * @throws {ProblemError} UNAUTHORIZED (403)
 */
export function requireOperator(request: OperatorRequest, adminToken: string | undefined): void {
  if (adminToken === undefined) {
    if (isDirectLoopback(request)) return;
    const detail =
      "Control is for this machine only, without a proxy; start the venue with an administrator's token to let others in.";
    throw new ProblemError("UNAUTHORIZED", detail, { status: 403, reason: "NOT_LOCAL" });
  }
  if (hasAdminToken(request, adminToken)) return;
  const detail = "Control needs the administrator's token: `Authorization: Bearer …`.";
  throw new ProblemError("UNAUTHORIZED", detail, { status: 403, reason: "ADMIN_TOKEN" });
}

/** `::1`, as the limits count it. */
function isLocal(client: string): boolean {
  return client === "0:0:0:0::/64" || isLoopbackAddress(client);
}

function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
