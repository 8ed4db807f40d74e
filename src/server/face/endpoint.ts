import type { VenueEndpoint } from "../../client/api/endpoint.ts";
import type { Answering } from "./dispatch/answering.ts";

/** Opens a stream of messages; who does it is the socket's matter. */
type Connect = VenueEndpoint["connect"];

const CLOSED: Connect = (listener) => {
  queueMicrotask(() => listener.onClose(1011, "this venue has no streams"));
  return { send() {}, close() {} };
};

/**
 * Reaches a service within this process: the same texts as over the wire, and nothing in between.
 *
 * @param client who asks, for limits
 */
export function createEndpoint(dispatcher: Answering, connect: Connect = CLOSED, client = "in-process"): VenueEndpoint {
  return {
    async request(request) {
      return dispatcher.handle(request, client);
    },
    connect,
  };
}
