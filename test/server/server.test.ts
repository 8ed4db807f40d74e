import { PassThrough } from "node:stream";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { encodeTransaction } from "../../src/protocol/codec.ts";
import { type ServerOptions, startServer } from "../../src/server/face/server.ts";
import { openTestHost } from "../helpers/host.ts";
import { RawClient } from "./face/http/fixture.ts";

async function open(options: ServerOptions = {}) {
  const { host, clients } = openTestHost();
  const server = await startServer(host, options);
  onTestFinished(() => server.close(50).catch(() => {}));
  const get = async (path: string) => {
    const response = await fetch(`${server.listener.url}${path}`);
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  const submit = (signed: ReturnType<(typeof clients)[0]["noop"]>, headers: Record<string, string> = {}) =>
    fetch(`${server.restUrl}/transactions`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": signed.key, ...headers },
      body: JSON.stringify(encodeTransaction(signed)),
    });
  return { server, host, clients, get, submit };
}

test("the service is alive and ready until it is asked to end", async () => {
  const { server, get } = await open();
  expect((await get("/health/live")).body).toBe('{"status":"live"}');
  expect(await get("/health/ready")).toMatchObject({ status: 200, body: '{"status":"ready","height":0}' });
  server.services.lifecycle.isDraining = true;
  expect(await get("/health/ready")).toMatchObject({ status: 503, body: '{"status":"notReady","reason":"DRAINING"}' });
  expect((await get("/health/live")).status).toBe(200);
});

test("the root path leads to the reference", async () => {
  const { server } = await open();
  const response = await fetch(`${server.listener.url}/`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([302, "/api/v1/reference"]);
  const page = await fetch(server.listener.url);
  expect([page.url, page.status]).toEqual([`${server.restUrl}/reference`, 200]);
});

test.each([
  [
    "at once",
    () => {
      throw new Error("out of order");
    },
  ],
  ["later", () => Promise.reject(new Error("out of order"))],
])("a page that fails %s is answered, and the service continues", async (_when, page) => {
  const { get } = await open({ listen: { pages: { "/broken": page } } });
  const { status, body } = await get("/broken");
  expect([status, JSON.parse(body).code]).toEqual([500, "INTERNAL_ERROR"]);
  expect((await get("/health/live")).status).toBe(200);
});

test("with a host that stopped it is alive, not ready, and still read", async () => {
  const { host, get } = await open();
  await host.close();
  expect(await get("/health/ready")).toMatchObject({ status: 503, body: '{"status":"notReady","reason":"STOPPED"}' });
  expect((await get("/api/v1/status")).status).toBe(200);
});

test("metrics count requests, blocks and transactions", async () => {
  const { clients, get, submit } = await open();
  await submit(clients[0]!.noop());
  await get("/api/v1/status");
  await get("/api/v1/nothing");
  const { status, body, headers } = await get("/metrics");
  expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain")]);
  for (const line of [
    'perplab_http_requests_total{operation="submitTransaction",status="202"} 1',
    'perplab_http_requests_total{operation="getStatus",status="200"} 1',
    'perplab_http_requests_total{operation="none",status="404"} 1',
    'perplab_http_request_seconds_count{operation="submitTransaction"} 1',
    'perplab_transactions_total{outcome="applied"} 1',
    "perplab_blocks_total 1",
    "perplab_height 1",
    "perplab_pending_transactions 0",
    "perplab_pool_evictions_total 0",
    "perplab_ready 1",
  ]) {
    expect(body.split("\n")).toContain(line);
  }
});

test("two venues in one process count for themselves", async () => {
  const [first, second] = [await open(), await open()];
  await first.submit(first.clients[0]!.noop());
  expect((await second.get("/metrics")).body).toContain("perplab_height 0");
});

test("no token, key or body gets into the log", async () => {
  const lines: string[] = [];
  const stream = new PassThrough();
  stream.on("data", (chunk) => lines.push(String(chunk)));
  const { clients, submit, get } = await open({ log: pino({ level: "debug" }, stream) });
  const signed = clients[0]!.noop({ clientTxId: "secret-name" });
  await submit(signed, {
    authorization: "Bearer secret-token",
    "idempotency-key": `${signed.key.slice(0, 50)}secret-key`,
  });
  await get("/api/v1/status?secret-query=1");
  const text = lines.join("");
  expect(text).toContain('"operation":"submitTransaction"');
  expect(text).not.toMatch(/secret|signature/);
});

test("closing answers running requests, and accepts nothing that would be lost", async () => {
  const { server, clients, submit, host } = await open();
  host.blockMode = { mode: "manual" };
  const signed = clients[0]!.noop();
  expect((await submit(signed)).status).toBe(202);
  const waiting = fetch(`${server.restUrl}/transactions/${signed.id}/confirmation?waitMs=20000`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = server.close(2_000);
  expect(server.services.lifecycle.isDraining).toBe(true);
  await host.mine();
  expect(await (await waiting).json()).toMatchObject({ data: { status: "committed" } });
  await closed;
  expect(host.transaction(signed.id)).toMatchObject({ status: "committed" });
  await expect(submit(clients[0]!.noop())).rejects.toThrow();
});

test("the stored venue has every transaction that was acknowledged during closing", async () => {
  const seen: unknown[] = [];
  const { server, host, clients, submit } = await open({
    atEnd: async () => {
      seen.push([host.transaction(signed.id)?.status, host.failure]);
      throw new Error("the disk is full");
    },
  });
  const signed = clients[0]!.noop();
  host.blockMode = { mode: "manual" };
  expect((await submit(signed)).status).toBe(202);
  const waiting = fetch(`${server.restUrl}/transactions/${signed.id}/confirmation?waitMs=20000`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = server.close(2_000).catch((error: Error) => error.message);
  expect(seen).toEqual([]);
  await host.mine();
  expect((await waiting).status).toBe(200);
  expect(await closed).toBe("the disk is full");
  expect(seen).toEqual([["committed", undefined]]);
  expect(host.failure).toBeDefined();
});

const openSocket = (url: string, options: ClientOptions = {}) => {
  const socket = new WebSocket(url, options);
  const messages: { type: string }[] = [];
  socket.on("message", (text) => messages.push(JSON.parse(String(text))));
  const ended = new Promise<number>((resolve) => {
    socket.on("close", (code) => resolve(code));
    socket.on("error", () => resolve(-1));
  });
  return { socket, messages, ended };
};

test("streams are at the address in the status, and end with the service", async () => {
  const { server, submit, clients } = await open();
  const { socket, messages, ended } = openSocket(server.socketUrl);
  const until = async (type: string) => {
    while (!messages.some((message) => message.type === type)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until("welcome");
  socket.send(JSON.stringify({ op: "subscribe", id: "1", channel: "blocks" }));
  await until("subscribed");
  await submit(clients[0]!.noop());
  await until("delta");
  await server.close(2_000);
  expect(messages.at(-1)!.type).toBe("goodbye");
  expect(await ended).toBeGreaterThanOrEqual(1000);
});

test("a page of another origin gets no streams", async () => {
  const { server } = await open();
  expect(await openSocket(server.socketUrl, { origin: "http://evil.example" }).ended).toBe(-1);
});

test("addresses are in the status, unless the network is closed", async () => {
  const { server, get } = await open();
  expect(server.restUrl).toBe(`${server.listener.url}/api/v1`);
  expect(server.socketUrl).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/ws\/v1$/);
  expect(JSON.parse((await get("/api/v1/status")).body).data).toMatchObject({ urls: null, network: { open: false } });
  const urls = { rest: "https://venue.example", websocket: "wss://venue.example" };
  const opened = await open({ urls });
  expect(JSON.parse((await opened.get("/api/v1/status")).body).data).toMatchObject({ urls, network: { open: true } });
});

test("behind a proxy of this machine it answers to its public name", async () => {
  const urls = { rest: "https://venue.example", websocket: "wss://venue.example" };
  const ask = async (port: number) => {
    const client = new RawClient(port).write(
      "GET /api/v1/status HTTP/1.1\r\nHost: venue.example\r\nConnection: close\r\n\r\n",
    );
    await client.closed;
    return client.statuses;
  };
  expect(await ask((await open({ urls })).server.listener.port)).toEqual([200]);
  expect(await ask((await open()).server.listener.port)).toEqual([421]);
});

test("limits count the connected client, whatever its headers claim", async () => {
  const ask = async (options: ServerOptions) => {
    const { server } = await open({ limits: "public", elapsed: () => 0, ...options });
    const { quota } = server.services.limiter.limits.reads!;
    const statuses: number[] = [];
    for (const address of ["1.1.1.1", "2.2.2.2"]) {
      const left = await fetch(`${server.restUrl}/status`, { headers: { "x-forwarded-for": address } });
      statuses.push(quota - Number(/r=(\d+)/.exec(left.headers.get("ratelimit")!)![1]));
    }
    return statuses;
  };
  expect(await ask({})).toEqual([1, 2]);
  expect(await ask({ listen: { behindProxy: true } })).toEqual([1, 1]);
});

test("metrics are for the venue's own machine without a proxy, or for the administrator's token", async () => {
  const ask = async (options: ServerOptions, headers: Record<string, string> = {}) => {
    const { server } = await open(options);
    return (await fetch(`${server.listener.url}/metrics`, { headers })).status;
  };
  const urls = { rest: "https://venue.example", websocket: "wss://venue.example" };
  for (const options of [{}, { limits: "public" as const }, { urls }, { listen: { behindProxy: true } }]) {
    expect(await ask(options)).toBe(200);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "via"]) {
      expect(await ask(options, { [name]: "127.0.0.1" }), name).toBe(403);
      const given = { [name]: "1.1.1.1", authorization: "Bearer secret" };
      expect(await ask({ ...options, adminToken: "secret" }, given)).toBe(200);
      expect(await ask({ ...options, adminToken: "other" }, given)).toBe(403);
    }
  }
});

test("without a token, metrics are not for a proxy that adds no header and asks by HTTP/1.0", async () => {
  const ask = async (options: ServerOptions, version: string, more = "") => {
    const { server } = await open(options);
    const host = `127.0.0.1:${server.listener.port}`;
    const client = new RawClient(server.listener.port);
    client.write(`GET /metrics HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`);
    await client.closed;
    return client.statuses;
  };
  expect(await ask({}, "1.1")).toEqual([200]);
  expect(await ask({}, "1.0")).toEqual([403]);
  expect(await ask({ adminToken: "secret" }, "1.0", "Authorization: Bearer secret\r\n")).toEqual([200]);
});

test("cheap checks run before expensive ones", async () => {
  const { clients, submit, server } = await open({ limits: "public", elapsed: () => 0 });
  const { quota } = server.services.limiter.limits.submissions!;
  const good = clients[0]!.noop();
  // Key, form, then signature: each fault is reported before later ones are checked.
  const bad = { ...good, signature: new Uint8Array(65) };
  expect((await submit(bad, { "idempotency-key": "short" })).status).toBe(400);
  expect((await submit(bad)).status).toBe(422);
  for (let count = 2; count < quota; count++) {
    server.services.limiter.submissions!.take("127.0.0.1", 1, 0);
  }
  expect((await submit(bad, { "idempotency-key": "short" })).status).toBe(429);
  expect((await submit(good)).status).toBe(429);
});

test("a path outside the API gets the error of the API", async () => {
  const { get } = await open();
  const { status, body, headers } = await get("/elsewhere");
  expect([status, headers.get("content-type"), JSON.parse(body).code]).toEqual([
    404,
    "application/problem+json",
    "NOT_FOUND",
  ]);
});
