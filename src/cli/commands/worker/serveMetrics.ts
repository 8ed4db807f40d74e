import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { failure, usageError } from "../../fail.ts";
import { WorkerMetrics } from "./metrics.ts";

/** Metrics of a worker at an address of their own. */
export interface ServedMetrics {
  readonly metrics: WorkerMetrics;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics`.
 *
 * @param port 0 for any that is free
 * @throws {CliError} PORT_TAKEN, ADDRESS_UNKNOWN
 */
export async function serveMetrics(host: string, port: number): Promise<ServedMetrics> {
  const metrics = new WorkerMetrics();
  const server = createServer((request, response) => void answer(metrics, request, response));
  await listen(server, host, port);
  const { address, family, port: own } = server.address() as AddressInfo;
  return {
    metrics,
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${own}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(metrics: WorkerMetrics, { method, url }: IncomingMessage, response: ServerResponse) {
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || url?.split("?", 1)[0] !== "/metrics") {
    response.writeHead(404, { "content-type": "text/plain" }).end("the metrics are at GET /metrics\n");
    return;
  }
  const text = await metrics.text();
  response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  response.end(method === "HEAD" ? undefined : text);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code)) {
      throw usageError("ADDRESS_UNKNOWN", `this machine has no address ${host}`, {
        place: "--metrics-host",
        hint: "write 127.0.0.1 for this machine only, or 0.0.0.0 for other machines",
        cause,
      });
    }
    if (code !== "EADDRINUSE") throw cause;
    throw failure("PORT_TAKEN", `another program already listens on ${host}:${port}`, {
      place: "--metrics",
      hint: "give --metrics another number, or 0 for any that is free",
      cause,
    });
  }
}
