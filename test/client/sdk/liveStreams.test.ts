import { expect, test } from "vitest";
import type { ApiSocket, SocketListener } from "../../../src/client/api/endpoint.ts";
import {
  createVenueClient,
  type StreamMessageOf,
  type Transport,
  type VenueClient,
  webSocket,
} from "../../../src/client/sdk/index.ts";
import { inProcess } from "../../../src/client/sdk/transport/inProcess.ts";
import type { Amount } from "../../../src/ground/math/fixed.ts";
import { Random } from "../../../src/ground/math/random.ts";
import { listen } from "../../../src/server/face/http/listen.ts";
import { carryWebSockets } from "../../../src/server/face/http/webSocket.ts";
import { createService } from "../../../src/server/face/service.ts";
import { alice, bob, openVenue } from "./helpers/liveVenue.ts";

// Goal: what the client keeps of a stream is what REST says of the same height, whatever happens to the messages.
// Method: the venue's own streams, with messages lost, doubled and connections cut on the way.

const order = (side: "buy" | "sell", price: number, size: string) =>
  ({ market: "BTC-PERP", side, price: String(price), size }) as const;

type Meddle = (text: string, place: number) => "pass" | "drop" | "double" | "cut";

/** The streams of a transport with a test function in between. */
function meddled(transport: Transport, meddle: Meddle): Transport {
  let place = 0;
  return {
    ...transport,
    connect(listener: SocketListener): ApiSocket {
      let isCut = false;
      const socket = transport.connect({
        onMessage(text) {
          if (isCut) return;
          const what = meddle(text, place++);
          if (what !== "drop") listener.onMessage(text);
          if (what === "double") listener.onMessage(text);
          if (what !== "cut") return;
          isCut = true;
          socket.close();
          listener.onClose(1006, "");
        },
        onClose(code, reason) {
          if (!isCut) listener.onClose(code, reason);
        },
      });
      return socket;
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

async function trade(maker: VenueClient, taker: VenueClient, random: Random): Promise<void> {
  const price = 59_000 + random.below(200) * 10;
  const side = random.below(2) === 0 ? "buy" : "sell";
  const size = `0.0${1 + random.below(9)}`;
  const sent = await (random.below(3) === 0 ? taker : maker).placeOrder({ ...order(side, price, size) });
  await sent.wait();
}

async function expectEqual(client: VenueClient, bids: readonly unknown[], asks: readonly unknown[], depth: number) {
  const { data } = await client.getMarketBook({ market: "BTC-PERP", depth });
  expect({ bids, asks }).toEqual({ bids: data.bids, asks: data.asks });
}

test("a followed book equals the book that REST returns, in every depth, while the venue trades", async () => {
  const { clientOf, service } = await openVenue({ service: { limits: "off" } });
  const [maker, taker] = [clientOf(alice), clientOf(bob)];
  const followed = [10, 50, "full"].map((depth) =>
    maker.followBook({ market: "BTC-PERP", depth: depth as 10 | 50 | "full" }),
  );
  const twice = maker.followBook({ market: "BTC-PERP" });
  await Promise.all([...followed, twice].map((one) => one.ready()));
  const random = Random.ofSeed([5]);
  for (let round = 0; round < 60; round++) await trade(maker, taker, random);
  await settled();
  for (const [place, depth] of [10, 50, 500, 50].entries()) {
    const { book, corruptions } = [...followed, twice][place]!;
    expect(corruptions).toBe(0);
    expect(book.bids.length).toBeGreaterThan(5);
    await expectEqual(maker, book.bids, book.asks, depth);
  }
  expect(maker.core.streams.gaps).toBe(0);
  for (const one of [...followed, twice]) one.close();
  await settled();
  expect(service.hub.connections).toBe(0);
});

test("with messages lost, doubled and connections cut at random it is that book again after a heartbeat", async () => {
  const { service, clientOf } = await openVenue({ service: { limits: "off" } });
  const [maker, taker] = [clientOf(alice), clientOf(bob)];
  const [random, faults] = [Random.ofSeed([9]), Random.ofSeed([10])];
  let isCalm = false;
  const lost = { drop: 0, double: 0, cut: 0 };
  const transport = meddled(inProcess(service), (text) => {
    if (isCalm || !text.includes('"type":"delta"')) return "pass";
    const what = (["drop", "double", "cut"] as const)[faults.below(8)];
    if (what === undefined) return "pass";
    lost[what]++;
    return what;
  });
  const watcher = createVenueClient({ transport, retry: { baseMs: 5 } });
  const followed = watcher.followBook({ market: "BTC-PERP" });
  const trades: StreamMessageOf<"trades">[] = [];
  watcher.follow(
    { channel: "trades", market: "BTC-PERP" },
    { onSnapshot: (message) => trades.push(message), onDelta: (message) => trades.push(message) },
  );
  await followed.ready();
  for (let round = 0; round < 120; round++) {
    await trade(maker, taker, random);
    if (round % 4 === 0) await settled();
  }
  isCalm = true;
  for (let beat = 0; beat < 3; beat++) {
    await settled();
    service.hub.beat();
  }
  await settled();
  expect(lost.drop * lost.double * lost.cut, JSON.stringify(lost)).toBeGreaterThan(0);
  expect(watcher.core.streams.gaps).toBeGreaterThan(0);
  await expectEqual(maker, followed.book.bids, followed.book.asks, 50);
  // Events are sent only once: each trade arrives once, in order, unless the stream restarted.
  const { data } = await maker.listMarketTrades({ market: "BTC-PERP", limit: 50 });
  const reported = trades.flatMap(({ data: rows }) => rows.map(({ tradeId }) => tradeId));
  expect(new Set(reported)).toEqual(new Set(data.map(({ tradeId }) => tradeId)));
  if (trades.filter(({ type }) => type === "snapshot").length === 1) expect(reported.length).toBe(data.length);
  followed.close();
});

test("over the wire: the client trades, follows its orders and fills, and sees the barrier after them", async () => {
  const { host, clientOf } = await openVenue();
  const service = createService(host);
  const carrier = carryWebSockets(service.hub);
  const listener = await listen(service.dispatcher, { onUpgrade: carrier.onUpgrade });
  const transport = webSocket(`${listener.url.replace("http", "ws")}/ws/v1`, { baseUrl: listener.url });
  const client = createVenueClient({ transport, account: alice });
  const seen: string[] = [];
  const listenerFor = (name: string) => ({
    onSnapshot: () => void seen.push(`${name} snapshot`),
    onDelta: ({ seq }: { seq: number }) => void seen.push(`${name} ${seq}`),
  });
  const subscriptions = [
    client.follow({ channel: "blocks" }, listenerFor("blocks")),
    client.follow({ channel: "orders", address: alice.address }, listenerFor("orders")),
    client.follow({ channel: "fills", address: alice.address }, listenerFor("fills")),
  ];
  while (seen.length < 3) await settled();
  seen.length = 0;
  const rest = await (await client.placeOrder(order("buy", 59_900, "0.5"))).wait();
  const hit = await (await clientOf(bob).placeOrder(order("sell", 59_900, "0.5"))).wait();
  expect([rest.status, hit.status]).toEqual(["applied", "applied"]);
  const [first, second] = [rest, hit].map((outcome) => (outcome as { height: number }).height);
  while (!seen.includes(`blocks ${second}`)) await settled();
  expect(seen.slice(0, 2)).toEqual([`orders ${first}`, `blocks ${first}`]);
  expect(new Set(seen.slice(2, 4))).toEqual(new Set([`orders ${second}`, `fills ${second}`]));
  expect(seen[4]).toBe(`blocks ${second}`);
  for (const subscription of subscriptions) subscription.close();
  carrier.close();
  await listener.close(100);
});

test("streams of an account that need a session go to the client that signed in, and to no other", async () => {
  const { clientOf } = await openVenue({ service: { accountReads: "session", accountStreams: "session" } });
  const client = clientOf(alice);
  const ask = () =>
    new Promise<string>((resolve) => {
      const subscription = client.follow(
        { channel: "balances", address: alice.address },
        {
          onSnapshot: () => {
            subscription.close();
            resolve("snapshot");
          },
          onDelta: () => {},
          onError: ({ details }) => resolve(details.code),
        },
      );
    });
  expect(await ask()).toBe("AUTH_REQUIRED");
  await client.signIn();
  expect(await ask()).toBe("snapshot");
});

test("a stream whose session ended continues under the session that was opened since", async () => {
  const { clientOf, host, service } = await openVenue({ service: { accountReads: "session" } });
  const client = clientOf(alice);
  const tokens: string[] = [];
  const { sessions } = service.services;
  const verify = sessions.verify.bind(sessions);
  sessions.verify = async (...given) => {
    const opened = await verify(...given);
    if (opened !== undefined) tokens.push(opened.token);
    return opened;
  };
  await client.signIn();
  const seen: string[] = [];
  client.follow(
    { channel: "balances", address: alice.address },
    {
      onSnapshot: ({ seq }) => seen.push(`snapshot ${seq}`),
      onDelta: ({ seq }) => seen.push(`delta ${seq}`),
      onError: ({ details }) => seen.push(details.code),
    },
  );
  await settled();
  await client.signIn();
  await settled();
  sessions.revoke(tokens[0]!);
  await settled();
  const before = seen.length;
  await host.submitSystem("deposit", {
    to: alice.address,
    toSubaccount: 0,
    amount: 1_000_000 as Amount,
    reference: "",
  });
  while (seen.length === before) await settled();
  expect(seen.slice(before)).toEqual([`delta ${host.state.height}`]);

  await client.signOut();
  while (!seen.includes("AUTH_REQUIRED")) await settled();
});

test("a listener without one of its functions is refused at the call", async () => {
  const { clientOf } = await openVenue();
  const client = clientOf(alice);
  const follow = (listener: object) => () =>
    client.follow({ channel: "trades", market: "BTC-PERP" }, listener as Parameters<typeof client.follow>[1]);
  expect(follow({ onSnapshot() {} })).toThrow("LISTENER_INVALID: the listener has no function `onDelta`");
  expect(follow({ onDelta() {} })).toThrow("onSnapshot");
});
