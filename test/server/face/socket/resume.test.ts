import { describe, expect, test } from "vitest";
import { BOOK_DEPTHS, type StreamName } from "../../../../src/client/api/socket/channels.ts";
import { Random } from "../../../../src/ground/math/random.ts";
import { decodePayload } from "../../../../src/protocol/codec.ts";
import { ZERO_BYTES32 } from "../../../../src/protocol/transaction.ts";
import { createServices } from "../../../../src/server/face/services/services.ts";
import { SocketHub } from "../../../../src/server/face/socket/hub.ts";
import { hashAt, type Position } from "../../../../src/server/face/socket/position.ts";
import { viewBook } from "../../../../src/server/face/views/book.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../../../src/server/host/development.ts";
import type { VenueHost } from "../../../../src/server/host/host.ts";
import { openHost } from "../../../../src/server/host/openHost.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { TestDisk } from "../../../helpers/disk.ts";
import { CLIENT_KEYS, oraclePrice, STEP, submit, TestClient, testGenesis } from "../../../helpers/host.ts";
import { hostOfFlow } from "../../helpers/flowHost.ts";

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly prevSeq: number;
  readonly code?: string;
  readonly resumed?: boolean;
  readonly data: { readonly bids: Level[]; readonly asks: Level[] };
}
type Level = readonly [price: string, size: string, orders: number];

/**
 * What a client resumes from that handled the message of a height last; a hash of zeros for a block that is not kept.
 */
const positionAt = (host: VenueHost, seq: number): Position => ({
  epoch: host.epoch,
  seq,
  hash: hashAt(host, seq) ?? ZERO_BYTES32,
});

/** Follows a stream; the texts that come are kept. */
function follow(hub: SocketHub, name: StreamName, resume?: Position) {
  const texts: string[] = [];
  const peer = { client: "here", buffered: 0, send: (text: string) => void texts.push(text), close() {} };
  const connection = hub.connect(peer)!;
  connection.receive(JSON.stringify({ op: "subscribe", id: 1, ...name, ...(resume === undefined ? {} : { resume }) }));
  const of = (type: string) => texts.filter((text) => (JSON.parse(text) as Message).type === type);
  const messagesOf = (type: string) => of(type).map((text) => JSON.parse(text) as Message);
  return { connection, of, messagesOf };
}

const hubOf = (host: VenueHost): SocketHub => new SocketHub(createServices(host, { limits: "off" }));

const bookStreams = (host: VenueHost): StreamName[] =>
  host.state.marketNames.flatMap((market) =>
    BOOK_DEPTHS.map((depth): StreamName => ({ channel: "book", market, depth })),
  );

/** The book that a follower has by its snapshot and the deltas, those that came by resuming among them. */
function bookOf(snapshot: Message, deltas: readonly Message[]) {
  const sides = (["bids", "asks"] as const).map((side) => {
    const levels = new Map(snapshot.data[side].map((level) => [level[0], level]));
    for (const { data } of deltas) {
      for (const level of data[side]) {
        if (level[1] === "0") levels.delete(level[0]);
        else levels.set(level[0], level);
      }
    }
    const way = side === "bids" ? -1 : 1;
    return [...levels.values()].sort((a, b) => way * (Number(a[0]) - Number(b[0])));
  });
  return { bids: sides[0], asks: sides[1] };
}

function expectVenueBook(host: VenueHost, { market, depth }: StreamName, book: ReturnType<typeof bookOf>): void {
  const row = host.state.marketRows.get(market!)!;
  const { bids, asks } = viewBook(host.state, row, depth === "full" ? 10_000 : depth!, host.epoch);
  expect(book).toEqual({ bids, asks });
}

describe("books of generated flows", () => {
  // A service begins somewhere in the chain; who had followed from the first block on resumes there from a delta that
  // it had, whether that came before the service began or after, and gets what one that never left gets.
  test.each([3, 8, 21, 112, 114])("a book is resumed across a restart, to the byte, seed %i", (seed) => {
    const random = Random.ofSeed([seed]);
    const { host, flow } = hostOfFlow(seed, 20);
    const hub = hubOf(host.asHost);
    const steady = bookStreams(host.asHost).map((name) => ({ name, follower: follow(hub, name) }));
    const advance = (count: number) => {
      for (; count > 0; count--) host.apply(flow.next(host.state));
    };
    advance(60);
    let compared = 0;
    for (let restart = 0; restart < 3; restart++) {
      const fresh = hubOf(host.asHost);
      const others = random.below(2) === 0 ? [] : steady.map(({ name }) => follow(fresh, name));
      advance(random.below(20));
      if (random.below(2) === 0) host.kept = forkState(host.state);
      const back = steady.flatMap(({ name, follower }) => {
        const known = follower.of("delta");
        if (known.length === 0) return [];
        const place = random.below(known.length);
        const { seq } = JSON.parse(known[place]!) as Message;
        return [{ name, follower, place, resumed: follow(fresh, name, positionAt(host.asHost, seq)) }];
      });
      advance(10);
      for (const { name, follower, place, resumed } of back) {
        expect(resumed.messagesOf("subscribed")[0]).toMatchObject({ resumed: true });
        expect(resumed.of("delta")).toEqual(follower.of("delta").slice(place + 1));
        const deltas = [...follower.messagesOf("delta").slice(0, place + 1), ...resumed.messagesOf("delta")];
        expectVenueBook(host.asHost, name, bookOf(follower.messagesOf("snapshot")[0]!, deltas));
        compared += resumed.of("delta").length;
      }
      // Clients that stayed get no gap from those that resume.
      for (const other of others) {
        const [{ seq: begun }] = other.messagesOf("snapshot") as [Message];
        let last = begun;
        for (const { seq: next, prevSeq } of other.messagesOf("delta")) {
          expect(prevSeq).toBeLessThanOrEqual(last);
          last = next;
        }
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  test("a book without followers in between is resumed by the running service", () => {
    const { host, flow } = hostOfFlow(5, 30);
    host.prune(host.state.height + 1); // what it knows it has seen itself
    const hub = hubOf(host.asHost);
    const [name] = bookStreams(host.asHost) as [StreamName];
    const steady = follow(hubOf(host.asHost), name);
    const left = follow(hub, name);
    for (let count = 0; count < 20; count++) host.apply(flow.next(host.state));
    const seen = left.messagesOf("delta");
    left.connection.closed();
    expect(hub.streams).toBe(0);
    for (let count = 0; count < 40; count++) host.apply(flow.next(host.state));
    const back = follow(hub, name, positionAt(host.asHost, seen.at(-1)!.seq));
    expect(back.of("delta")).toEqual(steady.of("delta").slice(seen.length));
    expect(back.of("delta").length).toBeGreaterThan(5);
  });

  test("where older blocks are pruned, what was before the service began cannot be resumed", () => {
    const { host, flow } = hostOfFlow(5, 60);
    const seq = host.state.height - 10;
    host.prune(seq + 2);
    const hub = hubOf(host.asHost);
    const [name] = bookStreams(host.asHost) as [StreamName];
    for (const channel of ["book", "trades", "blocks"] as const) {
      const { depth: _, ...plain } = name;
      const of = channel === "book" ? name : channel === "trades" ? { ...plain, channel } : { channel };
      const refused = follow(hub, of, positionAt(host.asHost, seq));
      expect(refused.messagesOf("error")[0]).toMatchObject({ code: "RESUME_UNAVAILABLE" });
    }
    expect(hub.streams).toBe(0);
    // The first snapshot makes the service keep changes of the book.
    follow(hub, name).connection.close(1000, "done");
    const begun = host.state.height;
    for (let count = 0; count < 10; count++) host.apply(flow.next(host.state));
    expect(follow(hub, name, positionAt(host.asHost, begun)).messagesOf("subscribed")).toHaveLength(1);
  });

  test("a book is resumed from the oldest height that kept blocks and a state lead to, and from none below", () => {
    const { host, flow } = hostOfFlow(5, 30);
    const [name] = bookStreams(host.asHost) as [StreamName];
    const steady = follow(hubOf(host.asHost), name);
    const states = new Map([[host.state.height, forkState(host.state)]]);
    while (steady.of("delta").length < 12) {
      host.apply(flow.next(host.state));
      states.set(host.state.height, forkState(host.state));
    }
    const deltas = steady.messagesOf("delta");
    // The block after the oldest height is one that changed the book.
    const oldest = deltas[3]!.seq - 1;
    host.kept = states.get(oldest)!;
    host.prune(oldest + 1);
    const resumed = follow(hubOf(host.asHost), name, positionAt(host.asHost, oldest));
    const [first, ...others] = resumed.messagesOf("delta");
    expect(first).toEqual({ ...deltas[3], prevSeq: oldest });
    expect(others).toEqual(deltas.slice(4));
    const refused = follow(hubOf(host.asHost), name, positionAt(host.asHost, oldest - 1));
    expect(refused.messagesOf("error")[0]).toMatchObject({ code: "RESUME_UNAVAILABLE" });
  });

  test("a client that resumes over more blocks than it may in a time gets a new snapshot", () => {
    const { host } = hostOfFlow(5, 40);
    const clock = { ms: 0 };
    const services = createServices(host.asHost, { limits: "off", now: () => clock.ms, elapsed: () => clock.ms });
    const hub = new SocketHub(services, { limits: { resumes: { name: "resumes", quota: 30, windowMs: 1_000 } } });
    const name: StreamName = { channel: "blocks" };
    const resume = (blocks: number) =>
      follow(hub, name, positionAt(host.asHost, host.state.height - blocks)).messagesOf("subscribed").length;
    expect([resume(10), resume(21), resume(20), resume(1)]).toEqual([1, 0, 1, 0]);
    clock.ms += 1_000;
    expect([resume(30), resume(1)]).toEqual([1, 0]);
  });

  test("resuming a book costs allowance for its levels, their changes, and the time before the service began", () => {
    const { host, flow } = hostOfFlow(5, 40);
    const services = createServices(host.asHost, { limits: "off", elapsed: () => 0 });
    const { books } = services.history.read();
    for (let count = 0; count < 20; count++) host.apply(flow.next(host.state));
    const [name] = bookStreams(host.asHost) as [StreamName];
    const market = host.state.marketRows.get(name.market!)!;
    const seq = host.state.height - 10;
    const price = 10 + books.costOf(market, seq);
    expect(price).toBeGreaterThan(10 + books.levelsOf(market).size);
    const resume = (quota: number, from: number) => {
      const hub = new SocketHub(services, { limits: { resumes: { name: "resumes", quota, windowMs: 1_000 } } });
      const resumed = () => follow(hub, name, positionAt(host.asHost, from)).messagesOf("subscribed").length;
      return [resumed(), resumed()];
    };
    expect(resume(2 * price - 1, seq)).toEqual([1, 0]);
    expect(resume(2 * price, seq)).toEqual([1, 1]);
    // Below what the service has seen: the first one pays for the blocks that are applied again.
    const early = books.fromHeight - 5;
    const replayed = books.fromHeight;
    const paid = host.state.height - early + books.costOf(market, early) + replayed;
    expect(resume(paid + 1, early)).toEqual([1, 0]);
  });

  test("a quiet stream that was resumed has missed nothing, and its next message fits", () => {
    const { host, flow } = hostOfFlow(5, 40);
    const hub = hubOf(host.asHost);
    const steady = bookStreams(host.asHost).map((name) => ({ name, follower: follow(hub, name) }));
    for (let count = 0; count < 60; count++) host.apply(flow.next(host.state));
    let quiet = 0;
    for (const { name, follower } of steady) {
      const { seq } = follower.messagesOf("delta").at(-1) ?? follower.messagesOf("snapshot")[0]!;
      if (seq === host.state.height) continue;
      quiet++;
      const fresh = hubOf(host.asHost);
      const back = follow(fresh, name, positionAt(host.asHost, seq));
      fresh.beat();
      const [heartbeat] = back.messagesOf("heartbeat") as unknown as [{ streams: Record<string, number> }];
      expect(Object.values(heartbeat.streams)).toEqual([seq]);
    }
    expect(quiet).toBeGreaterThan(0);
  });
});

/** One random order, amendment or cancellation of a client. */
async function act(host: VenueHost, clients: readonly TestClient[], random: Random): Promise<void> {
  const client = clients[random.below(clients.length)]!;
  const { state } = host;
  const ids: number[] = [];
  for (let row = 0; row < state.orders.rows.high; row++) {
    if (state.orders.rows.isLive(row)) ids.push(state.orders.id[row as never]!);
  }
  const orderId = ids.length === 0 ? "1" : String(ids[random.below(ids.length)]);
  const price = String(49_900 + random.below(200));
  const way = random.below(10);
  if (way < 6) {
    await submit(host, client.order(random.below(2) === 0 ? "buy" : "sell", `0.00${1 + random.below(9)}`, price));
  } else if (way < 8) {
    const payload = { orderId, clientOrderId: "" };
    await submit(host, client.sign("cancelOrder", decodePayload("cancelOrder", payload)));
  } else {
    const payload = { orderId, clientOrderId: "", size: "", price, goodTilHeight: 0, goodTilTime: 0 };
    await submit(host, client.sign("amendOrder", decodePayload("amendOrder", payload)));
  }
}

// The service is killed again and again; its folder has states of some heights, by chance or by closing in order.
test.each([1, 2])("killed at any height, a service that is started again resumes its books, seed %i", async (seed) => {
  const random = Random.ofSeed([seed]);
  const open = (files: TestDisk) =>
    openHost({
      directory: "unused",
      files,
      genesis: testGenesis,
      authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
      blocks: { mode: "manual" },
      time: STEP,
      segmentBytes: 1 << 16,
      snapshotBytes: 1 << 14,
    });
  let disk = new TestDisk();
  let host = await open(disk);
  let hub = hubOf(host);
  const names = BOOK_DEPTHS.map((depth): StreamName => ({ channel: "book", market: "BTC-PERP", depth }));
  let followers = names.map((name) => follow(hub, name));
  const clients = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis));
  // Messages of clients that resume at every start, and of a book that is followed without `resume`.
  const heard = followers.map((follower) => ({
    snapshot: follower.messagesOf("snapshot")[0]!,
    deltas: [] as string[],
  }));
  let resumedDeltas = 0;
  for (let life = 0; life < 4; life++) {
    const lost = 1 + random.below(12);
    const kept = followers.map((follower) => follower.of("delta"));
    for (let block = 0; block < 20; block++) {
      if (block === 0) await host.submitSystem("oracleUpdate", oraclePrice("50000"));
      for (let count = random.below(4); count > 0; count--) await act(host, clients, random);
      await host.mine();
    }
    // The connection was lost some blocks before the service was.
    const all = followers.map((follower) => follower.of("delta"));
    if (random.below(3) === 0) await host.close();
    disk = disk.afterKill();
    host = await open(disk);
    hub = hubOf(host);
    followers = names.map((name, place) => {
      const before = all[place]!;
      const seen = Math.max(kept[place]!.length, before.length - lost);
      heard[place]!.deltas.push(...before.slice(0, seen));
      const last = heard[place]!.deltas.at(-1);
      const seq = last === undefined ? heard[place]!.snapshot.seq : (JSON.parse(last) as Message).seq;
      const resumed = follow(hub, name, positionAt(host, seq));
      expect(resumed.messagesOf("subscribed")[0]).toMatchObject({ resumed: true });
      expect(resumed.of("delta")).toEqual(before.slice(seen));
      resumedDeltas += resumed.of("delta").length;
      const { snapshot, deltas } = heard[place]!;
      const whole = [...deltas.map((text) => JSON.parse(text) as Message), ...resumed.messagesOf("delta")];
      expectVenueBook(host, name, bookOf(snapshot, whole));
      return resumed;
    });
  }
  expect(resumedDeltas).toBeGreaterThan(20);
  await host.close();
});
