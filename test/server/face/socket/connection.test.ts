import { expect, test } from "vitest";
import { createServices } from "../../../../src/server/face/services/services.ts";
import { BUFFER_MOST } from "../../../../src/server/face/socket/connection.ts";
import { type HubOptions, SocketHub } from "../../../../src/server/face/socket/hub.ts";
import type { Peer } from "../../../../src/server/face/socket/peer.ts";
import { viewBook } from "../../../../src/server/face/views/book.ts";
import { getHead } from "../../../../src/venue/engine/commitment/root.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../../../src/venue/reads/rows.ts";
import { BusyVenue } from "../../../helpers/busyVenue.ts";
import { hostOfFlow } from "../../helpers/flowHost.ts";

type Message = Readonly<Record<string, unknown>>;

class Client implements Peer {
  readonly client = "here";
  readonly messages: Message[] = [];
  buffered = 0;
  bytes = 0;
  closed: number | undefined;

  send(text: string): void {
    this.bytes += text.length;
    this.messages.push(JSON.parse(text) as Message);
  }

  close(code: number): void {
    this.closed = code;
  }

  get last(): Message {
    return this.messages.at(-1)!;
  }
}

function open(options: HubOptions = {}, accountStreams: "public" | "session" = "public") {
  const { host, flow } = hostOfFlow(3, 20);
  /** What has passed, and by how much the wall clock was set. */
  const clock = { ms: 1_000, setMs: 0 };
  const services = createServices(host.asHost, {
    limits: "off",
    accountStreams,
    now: () => clock.ms + clock.setMs,
    elapsed: () => clock.ms,
  });
  const hub = new SocketHub(services, options);
  const client = new Client();
  const connection = hub.connect(client)!;
  const say = (message: unknown) => {
    connection.receive(typeof message === "string" ? message : JSON.stringify(message));
    return client.last;
  };
  const step = (blocks = 1) => {
    for (let count = 0; count < blocks; count++) host.apply(flow.next(host.state));
  };
  return { host, hub, client, connection, say, step, clock, services };
}

test("a connection begins with the identity of the venue and its limits", () => {
  const { client, host } = open();
  expect(client.messages).toEqual([
    {
      type: "welcome",
      connection: "c1",
      network: host.genesis.network,
      genesisHash: host.asHost.domain.genesisHash,
      epoch: 1,
      head: { height: 20, timeMs: host.state.timeMs, hash: getHead(host.state) },
      heartbeatMs: 5_000,
      limits: { subscriptions: 10_000, messagesPerSecond: null, messageBytes: 65_536 },
    },
  ]);
});

test("operations are answered under their ids", () => {
  const { say, host } = open();
  const market = host.state.marketNames[0]!;
  expect(say({ op: "ping", id: "a", t: 7 })).toEqual({ type: "pong", id: "a", t: 7 });
  say({ op: "subscribe", id: 1, channel: "trades", market, snapshot: false });
  expect(say({ op: "list", id: 2 })).toEqual({
    type: "listed",
    id: 2,
    subscriptions: [{ stream: `trades/${market}`, channel: "trades", market, seq: 20 }],
  });
  expect(say({ op: "unsubscribe", id: 3, stream: `trades/${market}` })).toEqual({
    type: "unsubscribed",
    id: 3,
    stream: `trades/${market}`,
  });
});

test.each([
  ["text that is no JSON", "{", "INVALID_MESSAGE"],
  ["a key that is there twice", '{"op":"ping","op":"ping","id":1}', "INVALID_MESSAGE"],
  ["no operation", { id: 1 }, "INVALID_MESSAGE"],
  ["an operation by way of a prototype", { op: "constructor", id: 1 }, "INVALID_MESSAGE"],
  ["a member that is not known", { op: "ping", id: 1, more: 1 }, "INVALID_MESSAGE"],
  ["a channel that is not known", { op: "subscribe", id: 1, channel: "gossip" }, "INVALID_CHANNEL"],
  ["a market that is not known", { op: "subscribe", id: 1, channel: "trades", market: "NO" }, "INVALID_CHANNEL"],
  ["a channel without its market", { op: "subscribe", id: 1, channel: "trades" }, "INVALID_CHANNEL"],
  [
    "a member that the channel does not take",
    { op: "subscribe", id: 1, channel: "blocks", depth: 10 },
    "INVALID_MESSAGE",
  ],
  ["an address that is none", { op: "subscribe", id: 1, channel: "orders", address: "0x1" }, "INVALID_MESSAGE"],
  ["a stream that is not followed", { op: "unsubscribe", id: 1, stream: "blocks" }, "INVALID_CHANNEL"],
  ["a token of no session", { op: "auth", id: 1, token: "x" }, "AUTH_INVALID"],
])("%s is refused, and the connection stays", (_, message, code) => {
  const { say, client } = open();
  expect(say(message)).toMatchObject({ type: "error", code, fatal: false });
  expect(client.closed).toBeUndefined();
});

test.each([
  [{ id: "a" }, "`op` must be one of subscribe, unsubscribe, auth, ping, list."],
  [{ op: "fly", id: 0 }, "`op` must be one of subscribe, unsubscribe, auth, ping, list."],
  [{ op: "ping", id: 7, more: 1 }, "`ping`, `more`: is not known."],
  [{ op: "ping", id: 7, t: -1 }, "`ping`, `t`: must be >= 0."],
  [{ op: "auth", id: 7 }, "`auth`, `token`: is missing."],
  [{ op: "subscribe", id: 7, channel: "book", depth: 7 }, "`subscribe`, `depth`: must be one of 10, 50, full."],
  [{ op: "subscribe", id: 7, channel: "blocks", resume: { seq: 1 } }, "`subscribe`, `resume.epoch`: is missing."],
])("the refusal of %j names the operation and the member", (message, says) => {
  const { say } = open();
  expect(say(message)).toMatchObject({ id: message.id, code: "INVALID_MESSAGE", message: says });
});

test.each([undefined, null, -1, "x".repeat(65), {}])("an id that no answer may carry (%j) is not sent back", (id) => {
  const answer = open().say({ op: "ping", id }) as { readonly message: string };
  expect(answer).not.toHaveProperty("id");
  expect(answer.message).toMatch(/^`ping`, `id`: (is missing|must (be string, or be|not have))/);
});

test("a client that sends only faulty messages is closed", () => {
  const { say, client } = open();
  for (let count = 0; count < 10; count++) expect(say("{")).toMatchObject({ fatal: false });
  expect(say("{")).toMatchObject({ fatal: true });
  expect(client.closed).toBe(4400);
});

test("a wall clock that is set back a day does not refuse messages of a connection", () => {
  const { say, clock } = open({ limits: { messages: { name: "m", quota: 2, windowMs: 1_000 } } });
  say({ op: "ping", id: 1 });
  clock.setMs = -86_400_000;
  expect(say({ op: "ping", id: 2 })).toMatchObject({ type: "pong" });
  clock.ms += 1_000;
  expect(say({ op: "ping", id: 3 })).toMatchObject({ type: "pong" });
});

test("more messages than allowed are refused with the time to wait, then the connection", () => {
  const { say, client, clock } = open({ limits: { messages: { name: "m", quota: 2, windowMs: 1_000 } } });
  say({ op: "ping", id: 1 });
  say({ op: "ping", id: 2 });
  expect(say({ op: "ping", id: 3 })).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 500 });
  clock.ms += 500;
  expect(say({ op: "ping", id: 4 })).toMatchObject({ type: "pong" });
  for (let count = 0; count < 10; count++) say({ op: "ping", id: 5 });
  expect(client.closed).toBe(4429);
});

test("streams and connections are bounded", () => {
  const { say, hub } = open({ limits: { subscriptions: 1, connectionsOfClient: 2 } });
  say({ op: "subscribe", id: 1, channel: "blocks", snapshot: false });
  expect(say({ op: "subscribe", id: 2, channel: "markets" })).toMatchObject({ code: "SUBSCRIPTION_LIMIT" });
  expect(hub.connect(new Client())).toBeDefined();
  expect(hub.connect(new Client())).toBeUndefined();
});

test("channels of accounts need a session of the address where the network says so, and end with it", () => {
  const { say, host, services, client } = open({}, "session");
  const address = addressOf(host.state, 1 as AccountRow);
  const other = addressOf(host.state, 0 as AccountRow);
  expect(say({ op: "subscribe", id: 1, channel: "orders", address })).toMatchObject({ code: "AUTH_REQUIRED" });
  const sessions = services.sessions as unknown as {
    find(token: string): unknown;
    isActive(id: string): boolean;
  };
  sessions.find = () => ({ sessionId: "s", address, createdAtMs: 0, expiresAtMs: 50_000 });
  let active = true;
  sessions.isActive = () => active;
  expect(say({ op: "auth", id: 2, token: "t" })).toEqual({
    type: "authenticated",
    id: 2,
    address,
    expiresAtMs: 50_000,
  });
  expect(say({ op: "subscribe", id: 3, channel: "orders", address: other })).toMatchObject({ code: "AUTH_REQUIRED" });
  expect(say({ op: "subscribe", id: 4, channel: "orders", address })).toMatchObject({ type: "snapshot" });
  active = false;
  expect(say({ op: "subscribe", id: 5, channel: "fills", address })).toMatchObject({ code: "AUTH_EXPIRED" });
  expect(client.closed).toBeUndefined();
});

test("a subscription ends with the session that opened it, whatever was authenticated since", () => {
  const { say, host, services, client, hub, step } = open({}, "session");
  const address = addressOf(host.state, 1 as AccountRow);
  const active = new Set(["a", "b"]);
  const sessions = services.sessions as unknown as {
    find(token: string): unknown;
    isActive(id: string): boolean;
  };
  sessions.find = (token: string) => ({ sessionId: token, address, createdAtMs: 0, expiresAtMs: 1e9 });
  sessions.isActive = (id: string) => active.has(id);
  say({ op: "auth", id: 1, token: "a" });
  say({ op: "subscribe", id: 2, channel: "balances", address });
  say({ op: "subscribe", id: 3, channel: "events" });
  say({ op: "auth", id: 4, token: "b" });
  say({ op: "subscribe", id: 5, channel: "risk", address });
  const streams = () => {
    const { subscriptions } = say({ op: "list", id: 6 }) as { subscriptions?: { stream: string }[] };
    return subscriptions!.map(({ stream }) => stream);
  };
  active.delete("a");
  hub.beat();
  expect(streams()).toEqual([`risk/${address}`]);
  expect(client.messages.filter(({ type }) => type === "unsubscribed").map(({ stream }) => stream)).toEqual([
    `balances/${address}`,
    "events",
  ]);

  // Nothing is delivered after the end, before the next heartbeat either.
  active.delete("b");
  const before = client.messages.length;
  step(20);
  const later = client.messages.slice(before);
  expect(later.map(({ type }) => type)).toEqual(["error", "unsubscribed"]);
  expect(streams()).toEqual([]);
});

test("a session is in use while a stream that it opened is delivered, and idle without one", async () => {
  const { say, hub, host, services, client, clock } = open({}, "session");
  const address = addressOf(host.state, 1 as AccountRow);
  const { sessions } = services;
  const used: string[] = [];
  const active = {
    find: (id: string) => ({ sessionId: id, address, createdAtMs: 0, expiresAtMs: 1e9 }),
    isActive: () => true,
  };
  Object.assign(sessions, active, { use: (id: string) => void used.push(id) });
  say({ op: "auth", id: 1, token: "a" });
  hub.beat();
  expect(used).toEqual([]);
  say({ op: "subscribe", id: 2, channel: "balances", address });
  hub.beat();
  say({ op: "unsubscribe", id: 3, stream: `balances/${address}` });
  clock.ms += 1;
  hub.beat();
  expect(used).toEqual(["a"]);
  expect(client.closed).toBeUndefined();
});

test("a book that is not read is paused and restarts with a snapshot; an account's stream is cut", () => {
  const { say, host, client, step, hub } = open();
  const market = host.state.marketNames[0]!;
  say({ op: "subscribe", id: 1, channel: "book", market });
  const before = client.messages.length;
  client.buffered = BUFFER_MOST + 1;
  step(30);
  expect(client.messages.length).toBe(before);
  client.buffered = 0;
  hub.beat();
  const later = client.messages.slice(before).map(({ type }) => type);
  expect(later.slice(0, 2)).toEqual(["resync", "snapshot"]);
  expect(client.messages[before + 1]).toMatchObject({ seq: host.state.height });

  say({ op: "subscribe", id: 2, channel: "blocks" });
  client.buffered = BUFFER_MOST + 1;
  step();
  expect(client.last).toMatchObject({ code: "SLOW_CONSUMER", fatal: true });
  expect(client.closed).toBe(4408);
  expect(hub.connections).toBe(0);
  expect(hub.streams).toBe(0);
});

// Most clients catch up between blocks: a stream that restarts at a block must have that block in it.
test("a book that restarts in a block is the book of that block, and comes before the message of `blocks`", () => {
  const venue = new BusyVenue();
  const { host } = venue;
  const hub = new SocketHub(createServices(host.asHost, { limits: "off" }));
  const client = new Client();
  const connection = hub.connect(client)!;
  const say = (message: object) => connection.receive(JSON.stringify(message));
  const market = host.state.marketNames[0]!;
  const read = () => {
    const { bids, asks } = viewBook(host.state, host.state.marketRows.get(market)!, 50, 1);
    return { bids, asks };
  };
  say({ op: "subscribe", id: 1, channel: "book", market });
  for (let round = 0; round < 5; round++) {
    client.buffered = BUFFER_MOST + 1;
    venue.step();
    // Few enough to be answered, too many for the book to restart.
    client.buffered = BUFFER_MOST;
    say({ op: "subscribe", id: 2, channel: "blocks" });
    const [place, before] = [client.messages.length, read()];
    client.buffered = 0;
    venue.step();
    const { height } = host.state;
    expect(read()).not.toEqual(before);
    expect(client.messages.slice(place)).toMatchObject([
      { type: "resync", reason: "SLOW_CONSUMER" },
      { type: "snapshot", channel: "book", seq: height, data: read() },
      { type: "delta", channel: "blocks", seq: height },
    ]);
    say({ op: "unsubscribe", id: 3, stream: "blocks" });
  }
});

test("a thousand clients that read nothing are sent no more than their bound", () => {
  const { host, hub, step } = open();
  const market = host.state.marketNames[0]!;
  const stalled = Array.from({ length: 1_000 }, () => {
    const client = new Client();
    const connection = hub.connect(client)!;
    connection.receive(JSON.stringify({ op: "subscribe", id: 1, channel: "book", market, depth: "full" }));
    client.buffered = BUFFER_MOST + 1;
    client.bytes = 0;
    return client;
  });
  step(50);
  for (let count = 0; count < 3; count++) hub.beat();
  expect(stalled.map(({ bytes }) => bytes).every((bytes) => bytes === 0)).toBe(true);
  expect(stalled.every(({ closed }) => closed === undefined)).toBe(true);
});

test("the last message has the time after which to reconnect", () => {
  const { hub, client } = open();
  hub.close("an upgrade", 250);
  expect(client.last).toEqual({ type: "goodbye", reason: "an upgrade", reconnectAfterMs: 250 });
  expect(client.closed).toBe(1012);
  expect(hub.connect(new Client())).toBeUndefined();
});
