import type { VenueEndpoint } from "../../../client/api/endpoint.ts";
import type { StreamHub } from "./hub.ts";

/** Streams within this process: messages arrive in a later microtask, in their order, as over a network. */
export function connectInProcess(hub: StreamHub, client = "in-process"): VenueEndpoint["connect"] {
  return (listener) => {
    let isOpen = true;
    const later = (act: () => void) => queueMicrotask(act);
    const close = (code: number, reason: string) => {
      if (!isOpen) return;
      isOpen = false;
      later(() => listener.onClose(code, reason));
    };
    later(() => listener.onOpen?.());
    const connection = hub.connect({
      client,
      buffered: 0,
      send: (text) => later(() => listener.onMessage(text)),
      close,
    });
    if (connection === undefined) close(1013, "too many connections");
    return {
      send: (text) => later(() => connection?.receive(text)),
      close(code = 1000, reason = "") {
        connection?.closed();
        close(code, reason);
      },
    };
  };
}
