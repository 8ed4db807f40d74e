import { Agent, request as open } from "node:http";
import type { ApiRequest, ApiResponse } from "../../../src/client/api/endpoint.ts";
import type { Devnet } from "../../../src/server/devnet/createDevnet.ts";
import type { Carry } from "./contractRun.ts";

/** Reaches a devnet by HTTP. Requests that an HTTP client cannot write are left out: the answer is undefined. */
export async function carryOverHttp(devnet: Devnet): Promise<Carry> {
  const { port } = await devnet.listen();
  const agent = new Agent({ keepAlive: true });
  return (request) => send(port, agent, request);
}

/** Methods that are names of no method, or that a client writes in its own way. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]);

function send(
  port: number,
  agent: Agent,
  { method, path, headers, body }: ApiRequest,
): Promise<ApiResponse | undefined> {
  if (!METHODS.has(method) || path.includes("#")) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    let sent: ReturnType<typeof open>;
    try {
      sent = open({ host: "127.0.0.1", port, agent, method, path, headers: { ...headers, ...length } });
    } catch {
      resolve(undefined);
      return;
    }
    sent.on("error", reject);
    sent.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const read = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode!,
          headers: Object.fromEntries(read),
          body: Buffer.concat(parts).toString("utf8"),
        });
      });
    });
    sent.end(body);
  });
}
