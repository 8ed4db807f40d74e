import type { VenueEndpoint } from "../../../client/api/endpoint.ts";
import type { Answering } from "./answering.ts";

/** Opens a stream of messages; the socket implements it. */
type Connect = VenueEndpoint["connect"];

const CLOSED: Connect = (listener) => {
  queueMicrotask(() => listener.onClose(1011, "this venue has no streams"));
  return { send() {}, close() {} };
};

/**
 * Reaches a service in the same process: the same texts as over the wire, without a network.
 *
 * @param client client that the limits count
 */
export function createEndpoint(dispatcher: Answering, connect: Connect = CLOSED, client = "in-process"): VenueEndpoint {
  return {
    async request(request) {
      return dispatcher.handle(request, client);
    },
    connect,
  };
}
