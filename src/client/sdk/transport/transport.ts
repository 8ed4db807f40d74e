import type { VenueEndpoint } from "../../api/endpoint.ts";

/** A connection to a venue. No transport has a default address: a client never infers one. */
export interface Transport extends VenueEndpoint {
  readonly kind: "http" | "webSocket" | "inProcess";
  /** How long an answer may take, ms. */
  readonly timeoutMs: number;
  /** Whether `connect` opens a stream. */
  readonly hasSocket: boolean;
}

/** Default time for an answer, ms. A long poll adds its wait. */
export const DEFAULT_TIMEOUT_MS = 10_000;
