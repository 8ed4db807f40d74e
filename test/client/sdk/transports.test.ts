import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { DEFAULT_RETRY } from "../../../src/client/sdk/clock.ts";
import { ClientError, isClientError, isVenueError, VenueError } from "../../../src/client/sdk/errors.ts";
import { requestOnce, requestRead } from "../../../src/client/sdk/request.ts";
import { http, webSocket } from "../../../src/client/sdk/transport/http.ts";
import { inProcess } from "../../../src/client/sdk/transport/inProcess.ts";
import { createFake } from "./helpers/fakeClient.ts";
import { FakeClock, problem } from "./helpers/fakeVenue.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const requester = (transport: ReturnType<typeof http>) => ({
  transport,
  clock: new FakeClock(),
  retry: DEFAULT_RETRY,
  headers: () => ({ authorization: "Bearer t" }),
});

test("over HTTP a request has the prefix, the query, the session and the body, and no other headers of the client", async () => {
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      seen.push([request.method, request.url, request.headers.authorization, request.headers["content-type"], body]);
      response.writeHead(200, { "content-type": "application/json" }).end('{"data":1}');
    });
  });
  const client = requester(http(`${url}/`));
  const query = { market: "BTC PERP", depth: 5, none: undefined };
  expect(await requestOnce(client, { method: "GET", path: "/x", query })).toEqual({ data: 1 });
  await requestOnce(client, { method: "POST", path: "/y", body: { a: "é" } });
  expect(seen).toEqual([
    ["GET", "/api/v1/x?market=BTC%20PERP&depth=5", "Bearer t", undefined, ""],
    ["POST", "/api/v1/y", "Bearer t", "application/json", '{"a":"é"}'],
  ]);
});

test("the address of a venue may be that of its REST interface, which ends in the prefix", async () => {
  const seen: (string | undefined)[] = [];
  const url = await serve(({ url }, response) => {
    seen.push(url);
    response.writeHead(200, { "content-type": "application/json" }).end('{"data":1}');
  });
  for (const end of ["/api/v1", "/api/v1/", "/proxy/api/v1", "/proxy"]) {
    for (const transport of [http(url + end), webSocket("ws://127.0.0.1/ws/v1", { baseUrl: url + end })]) {
      await requestOnce(requester(transport), { method: "GET", path: "/x" });
    }
  }
  const expected = ["/api/v1/x", "/api/v1/x", "/proxy/api/v1/x", "/proxy/api/v1/x"];
  expect(seen).toEqual(expected.flatMap((path) => [path, path]));
});

test("a broken connection, a late answer and another server's answer have different codes", async () => {
  const url = await serve((request, response) => {
    if (request.url!.endsWith("/reset")) request.socket.destroy();
    else if (request.url!.endsWith("/html")) response.writeHead(404).end("<html>");
    else if (request.url!.endsWith("/json")) response.writeHead(500).end('{"message":"x"}');
  });
  // Only the request without an answer runs into a limit: on a busy machine any other might.
  const ask = (path: string, client = requester(http(url))) =>
    requestOnce(client, { method: "GET", path }).catch((error: ClientError) => [error.code, error.details]);
  const path = "/api/v1/reset";
  expect(await ask("/reset")).toEqual(["CONNECTION_FAILED", { method: "GET", path }]);
  expect(await ask("/late", requester(http(url, { timeoutMs: 60 })))).toMatchObject(["TIMEOUT", { timeoutMs: 60 }]);
  expect(await ask("/html")).toMatchObject(["RESPONSE_INVALID", { status: 404 }]);
  expect(await ask("/json")).toMatchObject(["RESPONSE_INVALID", { status: 500 }]);
  const closed = requester(http("http://127.0.0.1:1"));
  await expect(requestOnce(closed, { method: "GET", path: "/" })).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
});

test("a redirect is not followed: a venue has one address", async () => {
  const url = await serve((_, response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end());
  await expect(requestOnce(requester(http(url)), { method: "GET", path: "/" })).rejects.toMatchObject({
    code: "CONNECTION_FAILED",
  });
});

test("a long poll has its requested time plus its timeout", async () => {
  const url = await serve((_, response) => setTimeout(() => response.writeHead(200).end('{"data":2}'), 120));
  const client = requester(http(url, { timeoutMs: 60 }));
  expect(await requestOnce(client, { method: "GET", path: "/c", query: { waitMs: 5_000 } })).toEqual({ data: 2 });
});

test("no transport has a default address, and http alone has no stream", () => {
  expect(() => http("")).toThrow();
  expect(() => http("localhost")).toThrow();
  expect(http("http://localhost:1").hasSocket).toBe(false);
  expect(() => http("http://localhost:1").connect({ onMessage() {}, onClose() {} })).toThrow(ClientError);
  expect(webSocket("ws://localhost:1/ws/v1", { baseUrl: "http://localhost:1" })).toMatchObject({
    kind: "webSocket",
    hasSocket: true,
  });
});

test("a read is repeated with growing pauses while no answer comes, and then fails with the last error", async () => {
  const faults = ["reset", "RATE_LIMITED", "SERVICE_UNAVAILABLE", "none"];
  const transport = inProcess({
    async request() {
      const fault = faults.shift();
      if (fault === "reset") throw new Error("gone");
      if (fault === "RATE_LIMITED") return { ...problem(fault), headers: { "retry-after": "4" } };
      if (fault === "SERVICE_UNAVAILABLE") return problem(fault);
      return { status: 200, headers: {}, body: '{"data":3}' };
    },
    connect: () => {
      throw new Error("none");
    },
  });
  const client = requester(transport);
  expect(await requestRead(client, { path: "/z" })).toEqual({ data: 3 });
  expect(client.clock.sleeps).toEqual([150, 4_000, 600]);
  faults.push("reset", "reset", "reset", "reset", "reset");
  await expect(requestRead(client, { path: "/z" })).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
  expect(faults.length).toBe(1);
});

test("a refused request is not repeated", async () => {
  let asked = 0;
  const transport = inProcess({
    endpoint: {
      async request() {
        asked++;
        return problem("NOT_FOUND", { reason: "UNKNOWN_RESOURCE" });
      },
      connect: () => {
        throw new Error("none");
      },
    },
  });
  const error = await requestRead(requester(transport), { path: "/z" }).catch((error: unknown) => error);
  expect(isVenueError(error, "NOT_FOUND") && error.reason).toBe("UNKNOWN_RESOURCE");
  expect(asked).toBe(1);
});

test("errors have a code, and a walk reaches their causes", async () => {
  const cause = new Error("ECONNRESET");
  const error = new ClientError("CONNECTION_FAILED", "no answer", { method: "GET", path: "/" }, { cause });
  expect([error.code, error.shortMessage, error.message]).toEqual([
    "CONNECTION_FAILED",
    "no answer",
    "CONNECTION_FAILED: no answer",
  ]);
  expect(error.walk()).toBe(cause);
  expect(error.walk((one) => isClientError(one, "CONNECTION_FAILED"))).toBe(error);
  expect(error.walk((one) => isClientError(one, "TIMEOUT"))).toBeUndefined();
  const { client } = createFake();
  expect(client.network.pinned).toBeUndefined();
  const said = JSON.parse(problem("NOT_FOUND", { reason: "PRUNED" }).body) as ConstructorParameters<
    typeof VenueError
  >[0];
  const answer = new VenueError(said);
  expect([answer.code, answer.reason, answer.shortMessage]).toEqual(["NOT_FOUND", "PRUNED", said.detail]);
  expect(answer.walk()).toBe(answer);
});
