/** Blocks whose events are read and sent in slices, while other requests are answered. */
import { describe, expect, test } from "vitest";
import { API_PREFIX } from "../../src/client/api/endpoint.ts";
import { BATCH_MODE } from "../../src/protocol/words.ts";
import type { HubOptions } from "../../src/server/face/socket/hub.ts";
import { oraclePrice, orderOf } from "../helpers/host.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

const LEVELS = 40;
const EACH = 30;

/** Orders of two makers, so many that one taker's fills are a large block for `slices`. */
async function openBook(valuesAtOnce: number, streams: HubOptions = {}): Promise<TestService> {
  const service = openTestService({ limits: "off", history: { valuesAtOnce }, streams });
  const { host, clients } = service;
  await service.services.history.prepare();
  await host.submitSystem("oracleUpdate", oraclePrice("50000"));
  for (const maker of [0, 1]) {
    const orders = Array.from({ length: LEVELS }, (_, level) =>
      orderOf("sell", "0.01", String(50_000 + level * 2 + maker)),
    );
    await submit(service, clients[maker]!.sign("placeOrders", { mode: BATCH_MODE.each, orders }));
  }
  return service;
}

const submit = (service: TestService, signed: Parameters<TestService["submit"]>[0] & { readonly key: string }) =>
  service.submit(signed, signed.key);

/** Waits until history and streams have the newest block. */
async function settle({ hub }: TestService): Promise<void> {
  for (let ready = hub.whenReady(); ready !== undefined; ready = hub.whenReady()) await ready;
}

interface Message {
  readonly type: string;
  readonly code?: string;
  readonly stream?: string;
  readonly seq?: number;
  readonly prevSeq?: number;
}

/** A follower of streams that notes what it is sent. */
function follow({ hub, clients }: TestService, note: (message: Message) => void) {
  const send = (text: string) => note(JSON.parse(text) as Message);
  const connection = hub.connect({ client: "x", buffered: 0, send, close() {} })!;
  const subscribe = (channel: string) => {
    const about = ["trades", "book", "prices"].includes(channel) ? { market: "BTC-PERP" } : {};
    const whose = ["orders", "fills", "balances"].includes(channel) ? { address: clients[0]!.address } : {};
    connection.receive(JSON.stringify({ op: "subscribe", id: channel, channel, ...about, ...whose }));
  };
  return { connection, subscribe };
}

const CHANNELS = ["blocks", "events", "trades", "book", "orders", "fills", "balances"];
const sweep = (service: TestService) => service.clients[3]!.order("buy", String(EACH * 0.01), "51000");

describe("a large block", () => {
  test("gives the same messages and lists in slices as at once", async () => {
    const sent = await Promise.all(
      [1e9, 100].map(async (valuesAtOnce) => {
        const service = await openBook(valuesAtOnce);
        const messages: Message[] = [];
        const { subscribe } = follow(service, (message) => messages.push(message));
        for (const channel of CHANNELS) subscribe(channel);
        await submit(service, sweep(service));
        await settle(service);
        await submit(service, service.clients[2]!.order("buy", "0.02", "51000"));
        const { data } = JSON.parse((await service.ask({ path: "/markets/BTC-PERP/trades" })).body) as {
          data: object[];
        };
        expect(data).toHaveLength(EACH + 2);
        return [messages.filter(({ type }) => type === "delta"), data];
      }),
    );
    expect(sent[1]).toEqual(sent[0]);
  });

  test("is followed by answers that do not depend on it, then by those that do; all are of its height", async () => {
    const service = await openBook(100);
    const { host, endpoint } = service;
    const order: string[] = [];
    const ask = async (path: string) => {
      const { body, headers } = await endpoint.request({ method: "GET", path: `${API_PREFIX}${path}` });
      const { height = 0, asOf } = JSON.parse(body) as { height?: number; asOf?: { height: number } };
      order.push(`${path.split("/").at(-1)} ${asOf?.height ?? height}`);
      return headers;
    };
    host.onBlock(({ height }) => {
      if (height !== 4) return;
      void ask("/markets/BTC-PERP/trades");
      void ask("/blocks/4");
      void ask("/markets/BTC-PERP/book");
    });
    follow(service, (message) => {
      if (message.type === "delta") order.push(`${message.stream} ${message.seq}`);
    }).subscribe("blocks");
    await submit(service, sweep(service));
    await settle(service);
    for (let turns = 0; turns < 100 && order.length < 4; turns++) await new Promise(setImmediate);
    expect(order.slice(0, 2)).toEqual(["4 4", "book 4"]);
    expect(order.slice(2).sort()).toEqual(["blocks 4", "trades 4"]);
  });

  test("is sent before the next block is made, and before its transactions are confirmed", async () => {
    const service = await openBook(100);
    const { host, clients } = service;
    host.blockMode = { mode: "manual" };
    const order: string[] = [];
    follow(service, ({ type, seq }) => type === "delta" && order.push(`blocks ${seq}`)).subscribe("blocks");
    host.onBlock(({ height }) => order.push(`made ${height}`));
    const signed = sweep(service);
    await submit(service, signed);
    const confirmed = host.waitFor(signed.id, 10_000).then(() => order.push("confirmed 4"));
    const mined = [host.mine(), host.mine()];
    await submit(service, clients[2]!.order("buy", "0.02", "51000"));
    await Promise.all([confirmed, ...mined]);
    expect(order).toEqual(["made 4", "blocks 4", "confirmed 4", "blocks 5", "made 5"]);
  });

  test("reaches a client that subscribes meanwhile in its snapshot, and not once more", async () => {
    const service = await openBook(100);
    const messages: string[] = [];
    const late = follow(service, ({ type, stream, seq, prevSeq }) => {
      if (type === "delta" || type === "snapshot") messages.push(`${type} ${stream} ${seq} after ${prevSeq}`);
    });
    // When the first stream is sent, the book has not advanced yet, and has a follower already.
    const early = follow(service, ({ type, stream, seq }) => {
      if (type === "delta" && stream?.startsWith("trades") === true && seq === 4) late.subscribe("book");
    });
    early.subscribe("trades");
    early.subscribe("book");
    await submit(service, sweep(service));
    await settle(service);
    await submit(service, service.clients[2]!.order("buy", "0.02", "51000"));
    expect(messages).toEqual(["snapshot book/BTC-PERP/50 4 after undefined", "delta book/BTC-PERP/50 5 after 4"]);
  });
});

test("an account's list of orders costs its own changes, in their order", async () => {
  const service = await openBook(100);
  const orders: { readonly side: string; readonly status: string }[][] = [];
  const note = (message: Message & { readonly data?: never }) => {
    if (message.type === "delta" && message.stream?.startsWith("orders") === true) orders.push(message.data!);
  };
  follow(service, note as (message: Message) => void).subscribe("orders");
  await submit(service, sweep(service));
  await settle(service);
  expect(orders.map((list) => list.map(({ side, status }) => `${side} ${status}`))).toEqual([
    Array.from({ length: EACH / 2 }, () => "sell filled"),
  ]);
});

test("a message that is longer than its bound is not made: the client is asked to start the stream again", async () => {
  const service = await openBook(100, { messageMost: 2_000 });
  const messages: string[] = [];
  const { connection, subscribe } = follow(service, ({ type, code }) => messages.push(code ?? type));
  subscribe("trades");
  subscribe("book");
  await submit(service, service.clients[2]!.order("buy", "0.02", "51000"));
  expect(messages.splice(0).slice(-2)).toEqual(["delta", "delta"]);
  await submit(service, sweep(service));
  await settle(service);
  expect([messages, connection.isOpen]).toEqual([["SLOW_CONSUMER"], false]);
});
