/** Origins whose pages may call the venue; `*` for any. None by default. */
export type CorsOrigins = readonly string[];

const EXPOSED = "etag, idempotency-replayed, link, location, ratelimit, ratelimit-policy, retry-after, x-request-id";
const ALLOWED = "authorization, content-type, idempotency-key, if-none-match, x-request-id";

export function isAllowedOrigin(origins: CorsOrigins, origin: string): boolean {
  return origins.includes("*") || origins.includes(origin);
}

/** Headers for a page of an origin; none if it may not call. Credentials are bearer tokens, never cookies. */
export function corsHeaders(origins: CorsOrigins, origin: string | undefined): Readonly<Record<string, string>> {
  if (origins.length === 0) return {};
  if (origin === undefined || !isAllowedOrigin(origins, origin)) return { vary: "origin" };
  return { vary: "origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
}

/** Headers of the answer to a preflight request. */
export function preflightHeaders(origins: CorsOrigins, origin: string | undefined): Readonly<Record<string, string>> {
  const headers = corsHeaders(origins, origin);
  if (headers["access-control-allow-origin"] === undefined) return headers;
  return {
    ...headers,
    "access-control-allow-methods": "GET, HEAD, POST, DELETE",
    "access-control-allow-headers": ALLOWED,
    "access-control-max-age": "600",
  };
}
