import type { Socket } from "node:net";
import type { Answering } from "../dispatch/answering.ts";
import { ProblemError } from "../problems/problems.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Content Too Large",
  421: "Misdirected Request",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
};

/** Answers on a connection whose request is unreadable or refused, and closes it. */
export function writeRefusal(socket: Socket, dispatcher: Answering, error: Error): void {
  // A client that hung up is not answered.
  if (!socket.writable || (error as NodeJS.ErrnoException).code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  socket.on("error", () => socket.destroy());
  const { status, headers, body } = dispatcher.refuse(error instanceof ProblemError ? error : problemOfParser(error));
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body), connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  // Further input is not awaited.
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? "Error"}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroy(),
  );
}

function problemOfParser(error: NodeJS.ErrnoException): ProblemError {
  if (error.code === "HPE_HEADER_OVERFLOW") {
    return new ProblemError("MALFORMED_REQUEST", "The headers are too long.", { status: 431, reason: "HEADERS" });
  }
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ProblemError("MALFORMED_REQUEST", "The request did not arrive in time.", {
      status: 408,
      reason: "SLOW",
    });
  }
  return new ProblemError("MALFORMED_REQUEST", "This is not HTTP.", { reason: "HTTP" });
}
