import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { type HttpListener, listen } from "../../../../src/server/face/http/listen.ts";
import { carryWebSockets, type WebSocketCarrier } from "../../../../src/server/face/http/webSocket.ts";
import { createService } from "../../../../src/server/face/service.ts";
import type { StreamHub } from "../../../../src/server/face/socket/hub.ts";
import type { Peer } from "../../../../src/server/face/socket/peer.ts";
import { hostOfFlow } from "../../helpers/flowHost.ts";
import { RawClient } from "./fixture.ts";

const { host, flow } = hostOfFlow(3, 20);
const service = createService(host.asHost, { limits: "off" });
let listener: HttpListener;
let carrier: WebSocketCarrier;
let url: string;

beforeAll(async () => {
  carrier = carryWebSockets(service.hub, { origins: ["http://page.example"] });
  listener = await listen(service.dispatcher, { onUpgrade: carrier.onUpgrade });
  url = `${listener.url.replace("http", "ws")}/ws/v1`;
});
afterAll(async () => {
  carrier.close();
  await listener.close(100);
});

interface Heard {
  readonly socket: WebSocket;
  readonly messages: Readonly<Record<string, unknown>>[];
  next(type: string): Promise<Readonly<Record<string, unknown>>>;
}

async function open(options: object = {}, address = url): Promise<Heard> {
  const socket = new WebSocket(address, options);
  const messages: Readonly<Record<string, unknown>>[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (text) => {
    messages.push(JSON.parse(String(text)));
    for (const wake of waiting) wake();
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  const next = (type: string) =>
    new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      const look = () => {
        const found = messages.findLast((message) => message["type"] === type);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { socket, messages, next };
}

/** Requests an upgrade by hand. */
function upgrade(target: string, host: string): RawClient {
  const key = Buffer.alloc(16).toString("base64");
  return new RawClient(listener.port).write(
    `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
}

const closing = (socket: WebSocket) => new Promise<number>((resolve) => socket.once("close", resolve));

test("streams go over the wire", async () => {
  const { socket, next } = await open();
  expect(await next("welcome")).toMatchObject({ network: host.genesis.network });
  socket.send(JSON.stringify({ op: "subscribe", id: 1, channel: "blocks" }));
  const { seq } = await next("snapshot");
  host.apply(flow.next(host.state));
  expect(await next("delta")).toMatchObject({ channel: "blocks", prevSeq: seq, seq: host.state.height });
  socket.close();
  await closing(socket);
  await expect.poll(() => service.hub.connections).toBe(0);
});

test("what a block says on several streams goes out in one write, a stream's messages in their order", async () => {
  const connected = new Promise<Socket>((resolve) => listener.server.once("connection", resolve));
  const { socket, messages } = await open();
  const market = host.genesis.markets[0]!.name;
  for (const channel of ["blocks", "book", "prices"]) {
    socket.send(JSON.stringify({ op: "subscribe", id: channel, channel, ...(channel === "blocks" ? {} : { market }) }));
  }
  const deltas = () => messages.filter(({ type }) => type === "delta");
  await expect.poll(() => messages.filter(({ type }) => type === "snapshot")).toHaveLength(3);
  const under = (await connected) as Socket & { _writev: () => void; _write: () => void };
  const writes = [vi.spyOn(under, "_writev"), vi.spyOn(under, "_write")];
  const count = () => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  let most = 0;
  for (let height = 1; height <= 5; height++) {
    const [wereWritten, wereHeard] = [count(), deltas().length];
    host.apply(flow.next(host.state));
    await expect.poll(() => deltas().at(-1)).toMatchObject({ channel: "blocks", seq: host.state.height });
    most = Math.max(most, deltas().length - wereHeard);
    expect(count() - wereWritten).toBe(1);
  }
  expect(most).toBeGreaterThan(1);
  socket.terminate();
});

test("pages of other origins cannot connect, nor is anything else found here", async () => {
  await expect(open({ origin: "http://elsewhere.example" })).rejects.toThrow("403");
  await expect(open({}, url.replace("v1", "v2"))).rejects.toThrow("404");
  const { socket, next } = await open({ origin: "http://page.example" });
  await next("welcome");
  socket.terminate();
});

test("an upgrade with two hosts is refused", async () => {
  const key = Buffer.alloc(16).toString("base64");
  const upgrade = (more: string) =>
    new RawClient(listener.port).write(
      `GET /ws/v1 HTTP/1.1\r\nHost: localhost\r\n${more}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
  const refused = upgrade("Host: evil.example\r\n");
  await refused.closed;
  expect(refused.text).toMatch(/^HTTP\/1\.1 400 /);
  const taken = upgrade("");
  while (!taken.text.includes("101")) await new Promise((resolve) => setTimeout(resolve, 5));
  taken.socket.destroy();
});

test("an upgrade under another name than this machine's is refused as any request", async () => {
  for (const [target, host] of [
    ["/ws/v1", "evil.example"],
    ["http://evil.example/ws/v1", "localhost"],
  ] as const) {
    const refused = upgrade(target, host);
    await refused.closed;
    expect(refused.statuses).toEqual([421]);
    expect(refused.text).toContain('"reason":"HOST"');
  }
  const taken = upgrade("http://localhost/ws/v1", "evil.example");
  await taken.responses();
  expect(taken.statuses).toEqual([101]);
  taken.socket.destroy();
});

test("a frame that is too long, and one that is no text, close the connection", async () => {
  const long = await open();
  long.socket.send("x".repeat(65_537));
  expect(await closing(long.socket)).toBe(1009);
  const binary = await open();
  binary.socket.send(new Uint8Array(3));
  expect(await closing(binary.socket)).toBe(4400);
});

test.each([
  ["messages", 1],
  ["pings", 9],
])("once closed, a peer that sends more %s is not read any further", async (_, opcode) => {
  const connected = new Promise<Socket>((resolve) => listener.server.once("connection", resolve));
  const client = upgrade("/ws/v1", "localhost");
  await client.responses();
  const socket = await connected;
  const frame = (code: number, length: number) =>
    Buffer.concat([Buffer.from([0x80 | code, 0x80 | length, 0, 0, 0, 0]), Buffer.alloc(length, " ")]);
  const binary = 2; // which closes the connection
  client.socket.write(frame(binary, 3));
  const flood = Buffer.concat(Array.from({ length: 2_000 }, () => frame(opcode, 100)));
  for (let round = 0; round < 100; round++) client.socket.write(flood);
  await client.closed;
  expect(socket.bytesRead).toBeLessThan(2_000_000);
});

test("messages of a client that sends many at once do not delay those of another, and keep their order", async () => {
  const order: string[] = [];
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const receive = (text: string) => {
    // Longer than a turn: the next message waits for its own.
    for (const startMs = performance.now(); performance.now() - startMs < 11; );
    order.push(text);
    begun();
  };
  const connection = { receive, close() {}, closed() {} } as unknown as ReturnType<StreamHub["connect"]>;
  const busy = carryWebSockets(
    { connect: () => connection, beat() {}, close() {}, heartbeatMs: 60_000 },
    { behindProxy: true },
  );
  const server = await listen(service.dispatcher, { onUpgrade: busy.onUpgrade });
  const address = `${server.url.replace("http", "ws")}/ws/v1`;
  try {
    const as = (client: string) => open({ headers: { "x-forwarded-for": client } }, address);
    const [flood, other] = [await as("192.0.2.1"), await as("192.0.2.2")];
    const many = Array.from({ length: 40 }, (_, place) => `flood ${place}`);
    for (const text of many) flood.socket.send(text);
    await isBegun;
    other.socket.send("other");
    await vi.waitFor(() => expect(order).toHaveLength(41), { timeout: 10_000 });
    expect(order.indexOf("other")).toBeLessThan(20);
    expect(order.filter((text) => text !== "other")).toEqual(many);
    for (const { socket } of [flood, other]) socket.terminate();
  } finally {
    busy.close();
    await server.close(100);
  }
});

test("a peer that resets its connection while it is refused disturbs no other client", () => {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }) as unknown as Socket;
  carrier.onUpgrade(
    { url: "/elsewhere", headers: {}, rawHeaders: [] as string[] } as IncomingMessage,
    socket,
    Buffer.alloc(0),
  );
  expect(() => socket.emit("error", new Error("ECONNRESET"))).not.toThrow();
  expect(socket.destroyed).toBe(true);
});

test("a client refused for too many connections may send nonsense, which disturbs no other client", async () => {
  const hub = { connect: () => undefined, beat() {}, close() {}, heartbeatMs: 60_000 };
  const full = carryWebSockets(hub);
  const server = await listen(service.dispatcher, { onUpgrade: full.onUpgrade });
  try {
    const { socket } = await open({}, `${server.url.replace("http", "ws")}/ws/v1`);
    const closed = closing(socket);
    socket.send("x".repeat(65_537));
    expect(await closed).toBe(4429);
  } finally {
    full.close();
    await server.close(100);
  }
});

test("behind a proxy a connection belongs to the client that the proxy names", async () => {
  const clients: string[] = [];
  const hub = {
    connect: ({ client }: Peer) => void clients.push(client) as undefined,
    beat() {},
    close() {},
    heartbeatMs: 60_000,
  };
  for (const behindProxy of [true, false]) {
    const carried = carryWebSockets(hub, { behindProxy });
    const server = await listen(service.dispatcher, { onUpgrade: carried.onUpgrade });
    const headers = { "x-forwarded-for": "203.0.113.7" };
    const { socket } = await open({ headers }, `${server.url.replace("http", "ws")}/ws/v1`);
    await closing(socket);
    carried.close();
    await server.close(100);
  }
  expect(clients).toEqual(["203.0.113.7", "127.0.0.1"]);
});

test("in process the same messages arrive in their order", async () => {
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    const socket = service.endpoint.connect({
      onOpen: () => socket.send(JSON.stringify({ op: "subscribe", id: 1, channel: "blocks" })),
      onMessage(text) {
        heard.push((JSON.parse(text) as { type: string }).type);
        if (heard.length === 3) socket.close();
      },
      onClose: () => resolve(),
    });
  });
  expect(heard).toEqual(["welcome", "subscribed", "snapshot"]);
});
