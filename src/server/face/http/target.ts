import type { IncomingMessage } from "node:http";

/**
 * Path and query of a request. A target in absolute form (`GET http://host/path`) also sets the `Host` header, and
 * overrides the one that was sent (RFC 9112, 3.2.2).
 */
export function readTarget(request: Pick<IncomingMessage, "url" | "headers">): string {
  const { url = "/", headers } = request;
  const absolute = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url);
  if (absolute === null) return url;
  const [, host = "", path = ""] = absolute;
  headers.host = host;
  return path.startsWith("/") ? path : `/${path}`;
}
