import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ApiResponse } from "../../../../src/client/api/endpoint.ts";
import { addressesOf, bind } from "../../../../src/server/face/http/bind.ts";
import { listen } from "../../../../src/server/face/http/listen.ts";
import { PIPELINED_MOST } from "../../../../src/server/face/http/pipelines.ts";
import type { ProblemError } from "../../../../src/server/face/problems/problems.ts";
import { openListener, RawClient } from "./fixture.ts";

/** Resolves when so many requests have arrived. */
const arrivals = (server: Server, count: number) =>
  new Promise<void>((resolve) => {
    let left = count;
    server.on("request", () => --left === 0 && resolve());
  });

const HOST = "Host: localhost\r\n";

describe("input that is no request", () => {
  test.each([
    ["bytes that are no HTTP", "\x16\x03\x01\x02\x00\x01\r\n\r\n", 400],
    ["a header without a colon", `GET /api/v1/read HTTP/1.1\r\n${HOST}broken\r\n\r\n`, 400],
    ["two lengths", `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
    [
      "a length in addition to chunks",
      `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["a chunk of no size", `POST /api/v1/send HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ["no host", "GET /api/v1/read HTTP/1.1\r\n\r\n", 400],
    ["two hosts", `GET /api/v1/read HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 400],
    ["the same host twice", `GET /api/v1/read HTTP/1.1\r\n${HOST}host: localhost\r\n\r\n`, 400],
    ["headers that are too long", `GET /api/v1/read HTTP/1.1\r\n${HOST}X: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s", async (_, text, status) => {
    const { port } = await openListener();
    const client = new RawClient(port).write(text);
    await client.closed;
    expect(client.statuses).toEqual([status]);
    expect(client.text).toContain('"code":"MALFORMED_REQUEST"');
  });

  test("a second request in the body of a first is not taken for one", async () => {
    const { port } = await openListener();
    const inner = `GET /api/v1/read HTTP/1.1\r\n${HOST}\r\n`;
    const client = new RawClient(port).write(
      `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );
    await client.closed;
    expect(client.statuses).toEqual([400]);
  });
});

describe("bodies", () => {
  test("one that says it is too long is refused before it is sent", async () => {
    const { port } = await openListener();
    const client = new RawClient(port).write(
      `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{`,
    );
    await client.responses();
    expect(client.statuses).toEqual([413]);
    expect(client.text).toContain("application/problem+json");
  });

  test("one that grows too long in chunks is refused on the way", async () => {
    const { port } = await openListener();
    const client = new RawClient(port).write(
      `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let chunk = 0; chunk < 20; chunk++) client.write(`1000\r\n${" ".repeat(0x1000)}\r\n`);
    await client.responses();
    expect(client.statuses).toEqual([413]);
  });

  test("65,536 bytes are taken, one more is not", async () => {
    const { url } = await openListener();
    const send = (length: number) =>
      fetch(`${url}/api/v1/send`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"a":1}'.padEnd(length, " "),
      });
    expect((await send(65_536)).status).toBe(200);
    const refused = await send(65_537);
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({ code: "MALFORMED_REQUEST", status: 413 }),
    ]);
  });

  test("a GET with a body is refused, and its body is not taken for a request", async () => {
    const { port } = await openListener();
    const client = new RawClient(port).write(
      `GET /api/v1/read HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 7\r\n\r\n{"a":1}`,
    );
    await client.closed;
    expect(client.statuses).toEqual([400]);
  });

  test("a method without a body is refused before its body is sent, however long it is", async () => {
    const { port } = await openListener();
    const client = new RawClient(port).write(
      `PUT /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: none\r\nContent-Length: 10000000\r\n\r\n{`,
    );
    await client.responses();
    expect(client.statuses).toEqual([405]);
  });

  test("a body that breaks off is refused, and its connection ends", async () => {
    const { port } = await openListener();
    const client = new RawClient(port).write(
      `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    client.socket.end();
    await client.closed;
    expect(client.statuses).toEqual([400]);
  });

  test("a character that two chunks share is kept", async () => {
    const { port } = await openListener();
    const client = new RawClient(port);
    client.write(`POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nConnection: close\r\n`);
    const body = Buffer.from('{"ä":1}');
    client.write("Transfer-Encoding: chunked\r\n\r\n");
    for (const part of [body.subarray(0, 3), body.subarray(3)]) {
      client.socket.write(`${part.length.toString(16)}\r\n`);
      client.socket.write(part);
      client.socket.write("\r\n");
    }
    await client.write("0\r\n\r\n").closed;
    expect(client.text).toContain("ä");
  });

  test("a compressed body is refused", async () => {
    const { url } = await openListener();
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect((await fetch(`${url}/api/v1/send`, { method: "POST", headers, body: "{}" })).status).toBe(415);
  });

  test("a body whose transfer is compressed is refused", async () => {
    const { port } = await openListener();
    const client = new RawClient(port).write(
      `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n`,
    );
    await client.responses();
    expect(client.statuses).toEqual([415]);
  });

  test.each([
    ["a byte that no text has", [0xff]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a form that is too long", [0xc0, 0xaf]],
    ["a character that is cut", [0xe2, 0x82]],
  ])("one that is not UTF-8 is refused: %s", async (_, bytes) => {
    const { url } = await openListener();
    const body = Buffer.concat([Buffer.from('{"a":1,"b":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/api/v1/send`, { method: "POST", headers, body });
    expect([response.status, (await response.json()) as object]).toMatchObject([400, { reason: "JSON" }]);
  });
});

describe("requests that are sent ahead", () => {
  const one = `GET /api/v1/read HTTP/1.1\r\n${HOST}\r\n`;

  test("fewer than the bound are all answered, and the connection stays", async () => {
    const { port } = await openListener();
    const client = new RawClient(port);
    for (const round of [1, 2, 3]) {
      client.write(one.repeat(PIPELINED_MOST - 1));
      await client.responses(round * (PIPELINED_MOST - 1));
    }
    expect(client.statuses).toEqual(Array.from({ length: 3 * (PIPELINED_MOST - 1) }, () => 200));
    expect(client.text).not.toContain("onnection: close");
    expect(client.isClosed).toBe(false);
  });

  test("the last one that is allowed ends the connection with its answer, and none after it is carried out", async () => {
    let carriedOut = 0;
    const handle = () => ({ status: 200, headers: {}, body: `${++carriedOut}` });
    const listener = await listen({ handle, refuse: () => ({ status: 500, headers: {}, body: "" }) });
    onTestFinished(() => listener.close(100));
    const client = new RawClient(listener.port).write(one.repeat(1_000));
    await client.closed;
    expect([client.statuses.length, carriedOut]).toEqual([PIPELINED_MOST, PIPELINED_MOST]);
    expect(client.text.match(/connection: close/gi)).toHaveLength(1);
  });
});

describe("faults of the service", () => {
  const open = async (handle: () => ApiResponse | Promise<ApiResponse>) => {
    const refuse = ({ status, code }: ProblemError) => ({ status, headers: {}, body: JSON.stringify({ code }) });
    const listener = await listen({ handle, refuse });
    onTestFinished(() => listener.close(100));
    return listener;
  };

  test("a handler that throws is a 500, and the next request is answered", async () => {
    let isFirst = true;
    const { url } = await open(() => {
      if (isFirst) {
        isFirst = false;
        throw new Error("broken");
      }
      return { status: 200, headers: {}, body: "{}" };
    });
    const failed = await fetch(`${url}/api/v1/read`);
    expect([failed.status, await failed.json()]).toEqual([500, { code: "INTERNAL_ERROR" }]);
    expect((await fetch(`${url}/api/v1/read`)).status).toBe(200);
  });

  test.each<[string, () => ApiResponse | Promise<ApiResponse>]>([
    ["an answer that fails later", () => Promise.reject(new Error("cut"))],
    ["a header that cannot be written", () => ({ status: 200, headers: { location: "/\n" }, body: "" })],
  ])("%s resets the connection, and nothing else", async (_, handle) => {
    const { port } = await open(handle);
    const client = new RawClient(port).write(`GET /api/v1/read HTTP/1.1\r\n${HOST}\r\n`);
    await client.closed;
    expect(client.text).toBe("");
  });
});

describe("slow clients", () => {
  const timeouts = { headersMs: 300, requestMs: 600, idleMs: 1_500 };

  test("headers that never end", async () => {
    const { port } = await openListener({ timeouts });
    const client = new RawClient(port).write(`GET /api/v1/read HTTP/1.1\r\n${HOST}`);
    const drip = setInterval(() => client.write("X-A: b\r\n"), 100);
    await client.closed;
    clearInterval(drip);
    expect(client.statuses).toEqual([408]);
  });

  test("a body that never ends", async () => {
    const { port } = await openListener({ timeouts });
    const client = new RawClient(port).write(
      `POST /api/v1/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
    );
    const drip = setInterval(() => client.write(" "), 100);
    await client.closed;
    clearInterval(drip);
    expect(client.statuses).toEqual([408]);
  });

  test("a connection that sends nothing", async () => {
    const { port } = await openListener({ timeouts });
    const client = new RawClient(port);
    await client.closed;
    expect(client.text === "" || client.statuses[0] === 408).toBe(true);
  });

  test("do not keep others waiting", async () => {
    const { url, port } = await openListener({ timeouts });
    for (let slow = 0; slow < 50; slow++) new RawClient(port).write(`GET /api/v1/read HTTP/1.1\r\n${HOST}`);
    expect((await fetch(`${url}/api/v1/read`)).status).toBe(200);
  });
});

describe("connections", () => {
  test("a client has as many as it may, and again when one closes", async () => {
    const { port } = await openListener({ connectionsOfClient: 2 });
    const read = `GET /api/v1/read HTTP/1.1\r\n${HOST}\r\n`;
    const [first, second] = [new RawClient(port).write(read), new RawClient(port).write(read)];
    await Promise.all([first.responses(), second.responses()]);
    const third = new RawClient(port);
    await third.closed;
    expect(third.statuses).toEqual([429]);
    expect(third.text).toContain('"reason":"CONNECTIONS"');
    first.socket.destroy();
    await first.closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const fourth = new RawClient(port).write(read);
    await fourth.responses();
    expect(fourth.statuses).toEqual([200]);
  });

  test("a client has as many requests without an answer as it may; a further one is refused before its body comes", async () => {
    const { port, release, server } = await openListener({ requestsOfClient: 2 });
    const arrived = arrivals(server, 2);
    const wait = `GET /api/v1/wait HTTP/1.1\r\n${HOST}\r\n`;
    const waiting = [0, 1].map(() => new RawClient(port).write(wait));
    await arrived;
    const send = `POST /api/v1/send HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 60000\r\n\r\n`;
    const third = new RawClient(port).write(send);
    await third.closed;
    expect([third.statuses, third.text.includes('"reason":"IN_FLIGHT"')]).toEqual([[429], true]);
    expect(third.text.toLowerCase()).toContain("retry-after: 1");
    release();
    for (const client of waiting) await client.responses();
    const again = new RawClient(port).write(`GET /api/v1/read HTTP/1.1\r\n${HOST}\r\n`);
    await again.responses();
    expect([...waiting, again].map(({ statuses }) => statuses)).toEqual([[200], [200], [200]]);
  });

  test("behind a proxy, a client that is refused does not end the connection of the others", async () => {
    const { port, release, server } = await openListener({ requestsOfClient: 1, behindProxy: true });
    const arrived = arrivals(server, 1);
    const ask = (path: string, client: string) =>
      `GET /api/v1/${path} HTTP/1.1\r\n${HOST}x-forwarded-for: ${client}\r\n\r\n`;
    const held = new RawClient(port).write(ask("wait", "192.0.2.1"));
    await arrived;
    const shared = new RawClient(port).write(ask("read", "192.0.2.1"));
    await shared.responses();
    await shared.write(ask("read", "192.0.2.2")).responses(2);
    expect(shared.statuses).toEqual([429, 200]);
    release();
    await held.responses();
    expect(held.statuses).toEqual([200]);
  });

  test("a connection makes its number of requests, is asked to close, and gets no more answers", async () => {
    const { port } = await openListener({ requestsOfConnection: 2 });
    const read = `GET /api/v1/read HTTP/1.1\r\n${HOST}\r\n`;
    const client = new RawClient(port);
    for (let count = 1; count <= 3; count++) await client.write(read).responses(count);
    expect(client.statuses).toEqual([200, 200, 503]);
    expect(client.text.toLowerCase().split("connection: close")).toHaveLength(3);
  });

  test("requests in a row on one connection are answered in their order", async () => {
    const { port } = await openListener();
    const client = new RawClient(port).write(
      `GET /api/v1/read HTTP/1.1\r\n${HOST}\r\nGET /nothing HTTP/1.1\r\n${HOST}\r\nGET /api/v1/read HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    );
    await client.closed;
    expect(client.statuses).toEqual([200, 404, 200]);
  });
});

test("further addresses lead to the same server, and end with it", async () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const addresses = own.filter(({ internal }) => internal).map(({ address }) => address);
  const server = createServer((_, response) => void response.end("here"));
  // The last is there once more: it is taken, which is no error.
  const further = await bind(server, [...addresses, addresses.at(-1)!], 0);
  const { port } = server.address() as AddressInfo;
  expect(further).toHaveLength(addresses.length - 1);
  const urls = addresses.map((address) => `http://${address.includes(":") ? `[${address}]` : address}:${port}/`);
  for (const url of urls) expect(await (await fetch(url)).text()).toBe("here");
  for (const each of [server, ...further]) each.close();
  server.closeAllConnections();
  for (const url of urls) await expect(fetch(url)).rejects.toThrow();
});

test("`localhost` is the loopback addresses that this machine has for it", async () => {
  expect(await addressesOf("::")).toEqual(["::"]);
  const addresses = await addressesOf("localhost");
  expect(addresses).toContain("127.0.0.1");
  const { url } = await openListener({ address: "localhost" });
  expect((await fetch(`${url}/api/v1/read`)).status).toBe(200);
});

describe("hosts and origins", () => {
  test.each([
    ["localhost", 200],
    ["localhost:8645", 200],
    ["127.0.0.1:1", 200],
    ["venue.localhost", 200],
    ["[::1]:80", 200],
    ["evil.example", 421],
    ["localhost.evil.example", 421],
    ["127.0.0.1.evil.example", 421],
  ])("a venue on loopback and the host %s", async (host, status) => {
    const { port } = await openListener();
    const client = new RawClient(port).write(`GET /api/v1/read HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await client.closed;
    expect(client.statuses).toEqual([status]);
  });

  test.each([
    ["http://localhost/api/v1/read", "localhost", 200],
    ["HTTP://127.0.0.1:1/api/v1/read", "evil.example", 200],
    ["http://evil.example/api/v1/read", "localhost", 421],
    ["http://localhost@evil.example/api/v1/read", "localhost", 421],
    ["http://localhost", "localhost", 404],
    ["http://localhost?x=/api/v1/read", "localhost", 404],
  ])("a target in absolute form counts instead of the host: %s, Host %s", async (target, host, status) => {
    const { port } = await openListener();
    const client = new RawClient(port).write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await client.closed;
    expect(client.statuses).toEqual([status]);
  });

  const ask = (url: string, method: string, headers: Record<string, string>) => fetch(url, { method, headers });

  test("no page may call by default", async () => {
    const { url } = await openListener();
    const { headers } = await ask(`${url}/api/v1/read`, "GET", { origin: "http://page.example" });
    expect(headers.get("access-control-allow-origin")).toBeNull();
    const preflight = { origin: "http://page.example", "access-control-request-method": "POST" };
    const answer = await ask(`${url}/api/v1/send`, "OPTIONS", preflight);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, null]);
  });

  test("pages of listed origins may", async () => {
    const { url } = await openListener({ cors: ["http://page.example"] });
    for (const [origin, allowed] of [
      ["http://page.example", "http://page.example"],
      ["http://page.example.evil", null],
      ["null", null],
    ] as const) {
      const answer = await ask(`${url}/api/v1/read`, "GET", { origin });
      expect([answer.headers.get("access-control-allow-origin"), answer.headers.get("vary")]).toEqual([
        allowed,
        "origin",
      ]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      const preflight = await ask(`${url}/api/v1/send`, "OPTIONS", { origin, "access-control-request-method": "POST" });
      expect(preflight.headers.get("access-control-allow-origin")).toBe(allowed);
    }
  });
});

describe("methods", () => {
  test.each(["PUT", "PATCH", "DELETE", "PROPFIND", "QUERY"])("%s where it is not taken", async (method) => {
    const { port } = await openListener();
    const client = new RawClient(port).write(`${method} /api/v1/read HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    await client.closed;
    expect(client.statuses).toEqual([405]);
    expect(client.text.toLowerCase()).toContain("allow: get, head, options");
  });

  test.each(["/api/v1/%", "/api/v1/%ff", "/%"])(
    "%s is no path, and is refused in the form of all errors",
    async (path) => {
      const { port } = await openListener();
      const client = new RawClient(port).write(`GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
      await client.closed;
      expect(client.text).toContain("application/problem+json");
      expect(client.text.toLowerCase()).toContain("x-request-id: ");
    },
  );

  test.each([
    [
      "an offer to upgrade to HTTP/2",
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    ],
    ["an expectation that is not known", "Expect: a-miracle\r\n"],
  ])("%s is ignored, with and without a listener for upgrades", async (_, header) => {
    for (const options of [{}, { onUpgrade: () => expect.unreachable() }]) {
      const { port } = await openListener(options);
      const read = `GET /api/v1/read HTTP/1.1\r\n${HOST}${header}\r\n`;
      const send = `POST /api/v1/send HTTP/1.1\r\n${HOST}${header}Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}`;
      const client = new RawClient(port).write(read);
      await client.responses();
      await client.write(send).responses(2);
      expect(client.statuses).toEqual([200, 200]);
    }
  });

  test("HEAD has the headers of GET and no body", async () => {
    const { url } = await openListener();
    const [got, head] = [await fetch(`${url}/api/v1/read`), await fetch(`${url}/api/v1/read`, { method: "HEAD" })];
    expect(head.headers.get("content-length")).toBe(got.headers.get("content-length"));
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, got.headers.get("etag"), ""]);
  });

  test("an unchanged answer is 304 without a body", async () => {
    const { url } = await openListener();
    const etag = (await fetch(`${url}/api/v1/read`)).headers.get("etag")!;
    const again = await fetch(`${url}/api/v1/read`, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  });
});

test("closing lets answers under way out, and takes nothing new", async () => {
  const listener = await openListener();
  const waiting = fetch(`${listener.url}/api/v1/wait`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = listener.close(5_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(fetch(`${listener.url}/api/v1/read`)).rejects.toThrow();
  listener.release();
  const response = await waiting;
  expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
  await closed;
});

test("closing cuts what does not end", async () => {
  const listener = await openListener();
  const client = new RawClient(listener.port).write(`GET /api/v1/wait HTTP/1.1\r\n${HOST}\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await listener.close(100);
  await client.closed;
  expect(client.text).toBe("");
});
