import { describe, expect, test } from "vitest";
import { computeBookChecksum } from "../../../../src/client/api/bookChecksum.ts";
import type { BookLevel } from "../../../../src/client/api/schemas/markets.ts";
import {
  BOOK_DEPTHS,
  CHANNEL_NAMES,
  type ChannelName,
  channels,
  type StreamName,
} from "../../../../src/client/api/socket/channels.ts";
import { deltaOf, serverMessages, snapshotOf } from "../../../../src/client/api/socket/messages.ts";
import { createServices } from "../../../../src/server/face/services/services.ts";
import { SocketHub } from "../../../../src/server/face/socket/hub.ts";
import type { Peer } from "../../../../src/server/face/socket/peer.ts";
import { hashAt } from "../../../../src/server/face/socket/position.ts";
import { viewBook } from "../../../../src/server/face/views/book.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../../../src/venue/reads/rows.ts";
import { faultsOf } from "../../helpers/ask.ts";
import { type FlowHost, hostOfFlow } from "../../helpers/flowHost.ts";

interface Frame {
  readonly type: string;
  readonly stream: string;
  readonly channel: ChannelName;
  readonly epoch: number;
  readonly seq: number;
  readonly prevSeq: number;
  readonly data: never;
  readonly checksum?: number;
  readonly [other: string]: unknown;
}

/** A client that stores its messages, and reads no faster than the test allows. */
class Listener implements Peer {
  readonly client: string;
  readonly received: Frame[] = [];
  readonly texts: string[] = [];
  buffered = 0;
  closed: { readonly code: number; readonly reason: string } | undefined;

  constructor(client = "here") {
    this.client = client;
  }

  send(text: string): void {
    this.texts.push(text);
    this.received.push(JSON.parse(text) as Frame);
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason };
  }

  of(type: string, stream?: string): Frame[] {
    return this.received.filter((frame) => frame.type === type && (stream === undefined || frame.stream === stream));
  }
}

let operations = 0;
function follow(hub: SocketHub, name: StreamName, more: object = {}, listener = new Listener()) {
  const connection = hub.connect(listener)!;
  connection.receive(JSON.stringify({ op: "subscribe", id: ++operations, ...name, ...more }));
  return { listener, connection };
}

function allStreams(host: FlowHost): StreamName[] {
  const { state } = host;
  const markets = state.marketNames;
  const addresses = new Set(
    Array.from({ length: state.accounts.rows.high }, (_, row) => addressOf(state, row as AccountRow)),
  );
  const namesOf = {
    none: (channel: ChannelName): StreamName[] => [{ channel }],
    market: (channel: ChannelName): StreamName[] => markets.map((market) => ({ channel, market })),
    book: (channel: ChannelName): StreamName[] =>
      markets.flatMap((market) => BOOK_DEPTHS.map((depth) => ({ channel, market, depth }))),
    account: (channel: ChannelName): StreamName[] => [...addresses].map((address) => ({ channel, address })),
  };
  return CHANNEL_NAMES.flatMap((channel) => namesOf[channels[channel].about](channel));
}

/** A book as a client keeps it: by the snapshot and the deltas alone. */
class ClientBook {
  readonly #levels = { bids: new Map<string, BookLevel>(), asks: new Map<string, BookLevel>() };

  take({ type, data }: Frame): void {
    for (const side of ["bids", "asks"] as const) {
      const levels = this.#levels[side];
      if (type === "snapshot") levels.clear();
      for (const level of (data as Record<typeof side, BookLevel[]>)[side]) {
        if (level[1] === "0") levels.delete(level[0]);
        else levels.set(level[0], level);
      }
    }
  }

  sides() {
    const sorted = (side: "bids" | "asks", sign: number) =>
      [...this.#levels[side].values()].sort((a, b) => sign * (Number(a[0]) - Number(b[0])));
    return { bids: sorted("bids", -1), asks: sorted("asks", 1) };
  }
}

describe("a busy venue", () => {
  const { host, flow } = hostOfFlow(117, 60);
  const services = createServices(host.asHost, { limits: "off" });
  const hub = new SocketHub(services);
  const streams = allStreams(host);
  const followed = streams.map((name) => ({ name, ...follow(hub, name) }));
  for (let count = 0; count < 240; count++) host.apply(flow.next(host.state));
  hub.beat();

  test("sends what its schemas say, on every channel", () => {
    const heard = new Map<ChannelName, number>();
    for (const { listener } of followed) {
      for (const frame of listener.received) {
        const { type, channel } = frame;
        const schema =
          type === "snapshot"
            ? snapshotOf(channels[channel].snapshot, channel)
            : type === "delta"
              ? deltaOf(channels[channel].delta, channel)
              : serverMessages[type as keyof typeof serverMessages];
        expect(faultsOf(schema, frame), JSON.stringify(frame).slice(0, 300)).toEqual([]);
        if (type === "delta") heard.set(channel, (heard.get(channel) ?? 0) + 1);
      }
    }
    const quiet = CHANNEL_NAMES.filter((channel) => !heard.has(channel));
    expect(quiet).toEqual([]);
  });

  test("numbers messages by height, each naming the one before it", () => {
    for (const { listener, name } of followed) {
      const [snapshot] = listener.of("snapshot");
      let last = snapshot!.seq;
      for (const { seq, prevSeq } of listener.of("delta")) {
        expect(prevSeq, name.channel).toBe(last);
        expect(seq).toBeGreaterThan(last);
        last = seq;
      }
    }
  });

  test("books made of snapshot and deltas equal the venue's, and their checksums match", () => {
    for (const { listener, name } of followed) {
      if (name.channel !== "book") continue;
      const book = new ClientBook();
      for (const frame of listener.received.filter(({ type }) => type === "snapshot" || type === "delta")) {
        book.take(frame);
        const { bids, asks } = book.sides();
        expect(computeBookChecksum(bids, asks)).toBe(frame.checksum);
      }
      const depth = name.depth === "full" ? 500 : name.depth!;
      const { bids, asks } = viewBook(host.state, host.state.marketRows.get(name.market!)!, depth, 1);
      expect(book.sides()).toEqual({ bids, asks });
    }
  });

  test("two connections get the same texts", () => {
    for (const { listener, name } of followed.slice(0, 8)) {
      const { listener: late } = follow(hub, name);
      const before = listener.texts.length;
      const from = late.texts.length;
      for (let count = 0; count < 10; count++) host.apply(flow.next(host.state));
      expect(late.texts.slice(from)).toEqual(listener.texts.slice(before));
    }
  });

  test("the message of `blocks` is the last of its height", () => {
    const listener = new Listener();
    const connection = hub.connect(listener)!;
    for (const name of [{ channel: "blocks" }, ...streams.slice(1, 12)]) {
      connection.receive(JSON.stringify({ op: "subscribe", id: ++operations, ...name }));
    }
    for (let count = 0; count < 10; count++) host.apply(flow.next(host.state));
    let barrier = 0;
    for (const { channel, seq } of listener.of("delta")) {
      expect(seq).toBeGreaterThan(barrier);
      if (channel === "blocks") barrier = seq;
    }
    expect(barrier).toBe(host.state.height);
  });

  test("a resume brings the missed messages and no others, also from a server that has just started", () => {
    const fresh = new SocketHub(createServices(host.asHost, { limits: "off" }));
    for (const { listener, name } of followed) {
      const missed = listener.of("delta");
      const place = missed.length - 3;
      if (place < 1) continue;
      const seq = missed[place]!.seq;
      const resume = { resume: { epoch: host.epoch, seq, hash: missed[place]!["hash"] } };
      const { listener: back } = follow(fresh, name, resume);
      expect(back.of("subscribed")[0]).toMatchObject({ resumed: true, seq });
      expect(back.of("snapshot")).toEqual([]);
      const deltas = back.of("delta");
      const first = deltas[0];
      expect(first?.prevSeq ?? seq).toBeLessThanOrEqual(seq);
      const isResent = channels[name.channel].kind === "events" || name.channel === "book";
      if (isResent) expect(deltas).toEqual(missed.slice(place + 1));
    }
  });

  test("a resume of another epoch, of a future height, or at a block that the chain lacks is of another chain", () => {
    const name: StreamName = { channel: "blocks" };
    const seq = host.state.height;
    const hash = hashAt(host.asHost, seq)!;
    const other = hashAt(host.asHost, seq - 1)!;
    for (const resume of [
      { epoch: host.epoch + 1, seq, hash },
      { epoch: host.epoch, seq: seq + 1, hash },
      { epoch: host.epoch, seq, hash: other },
      { epoch: host.epoch, seq: seq - 1, hash },
    ]) {
      const { listener } = follow(hub, name, { resume });
      expect(listener.of("error")[0]).toMatchObject({ code: "CHAIN_CHANGED" });
      expect(listener.of("subscribed")).toEqual([]);
    }
    const { listener } = follow(hub, name, { resume: { epoch: host.epoch, seq } });
    expect(listener.of("error")[0]).toMatchObject({ code: "INVALID_MESSAGE" });
  });

  test("every message names its block", () => {
    for (const { listener } of followed) {
      for (const frame of [...listener.of("delta"), ...listener.of("snapshot"), ...listener.of("subscribed")]) {
        expect(frame["hash"]).toBe(hashAt(host.asHost, frame.seq));
      }
    }
  });

  test("a message that is too old cannot be resumed from", () => {
    const name: StreamName = { channel: "blocks" };
    host.prune(50);
    const { listener } = follow(hub, name, {
      resume: { epoch: host.epoch, seq: 10, hash: `0x${"0".repeat(64)}` },
    });
    expect(listener.of("error")[0]).toMatchObject({ code: "RESUME_UNAVAILABLE" });
  });

  test("a gap shows: a message that is left out makes the next one's prevSeq greater than what is held", () => {
    const { listener } = followed.find(
      ({ name, listener: heard }) => name.channel === "trades" && heard.of("delta").length > 3,
    )!;
    const deltas = listener.of("delta");
    for (let dropped = 0; dropped + 1 < deltas.length; dropped++) {
      const held = dropped === 0 ? listener.of("snapshot")[0]!.seq : deltas[dropped - 1]!.seq;
      expect(deltas[dropped + 1]!.prevSeq).toBeGreaterThan(held);
    }
    expect(listener.of("heartbeat").at(-1)!["streams"]).toMatchObject({ [deltas[0]!.stream]: expect.any(Number) });
  });

  test("a replaced chain is announced, and every stream restarts with a snapshot", () => {
    const { listener } = follow(hub, { channel: "prices", market: host.state.marketNames[0]! });
    host.raiseEpoch("reverted");
    expect(listener.of("resync")).toEqual([{ type: "resync", epoch: host.epoch, reason: "EPOCH_CHANGED" }]);
    expect(listener.of("snapshot").at(-1)).toMatchObject({ epoch: host.epoch });
  });
});
