import type { ApiSocket, SocketListener } from "../../api/endpoint.ts";

/** Close code of a connection that ended without one. */
const ABNORMAL = 1006;

/** Opens a stream with the platform's WebSocket. Messages wait until it is open. */
export function openSocket(url: string, listener: SocketListener): ApiSocket {
  const socket = new WebSocket(url);
  const waiting: string[] = [];
  let isClosed = false;
  const end = (code: number, reason: string) => {
    if (isClosed) return;
    isClosed = true;
    listener.onClose(code, reason);
  };
  socket.addEventListener("open", () => {
    for (const text of waiting.splice(0)) socket.send(text);
    listener.onOpen?.();
  });
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") listener.onMessage(data);
  });
  socket.addEventListener("close", ({ code, reason }) => end(code, reason));
  socket.addEventListener("error", () => end(ABNORMAL, "the connection failed"));
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
      else if (socket.readyState === WebSocket.CONNECTING) waiting.push(text);
    },
    close: (code, reason) => socket.close(code, reason),
  };
}
