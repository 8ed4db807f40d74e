import type { VenueEndpoint } from "../../api/endpoint.ts";
import { ClientError } from "../errors.ts";
import { DEFAULT_TIMEOUT_MS, type Transport } from "./transport.ts";

/**
 * Reaches a venue in the same process: the same requests and answers as over the wire, without a network.
 *
 * @param venue its endpoint, or something that has one (`createDevnet()`)
 */
export function inProcess(venue: VenueEndpoint | { readonly endpoint: VenueEndpoint }): Transport {
  const endpoint = "endpoint" in venue ? venue.endpoint : venue;
  return {
    kind: "inProcess",
    timeoutMs: DEFAULT_TIMEOUT_MS,
    hasSocket: true,
    async request(request) {
      try {
        return await endpoint.request(request);
      } catch (cause) {
        const { method, path } = request;
        throw new ClientError("CONNECTION_FAILED", `${method} ${path} got no answer`, { method, path }, { cause });
      }
    },
    connect: (listener) => endpoint.connect(listener),
  };
}
