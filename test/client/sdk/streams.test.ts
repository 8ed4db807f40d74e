import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BookLevel } from "../../../src/client/api/schemas/markets.ts";
import { DEFAULT_RETRY } from "../../../src/client/sdk/clock.ts";
import { followBook } from "../../../src/client/sdk/socket/followBook.ts";
import { messagesOf } from "../../../src/client/sdk/socket/messagesOf.ts";
import { StreamClient } from "../../../src/client/sdk/socket/streamClient.ts";
import { FakeStreamVenue, ManualClock, type StreamFault, settle } from "./helpers/fakeStream.ts";

function arrange() {
  const venue = new FakeStreamVenue();
  const clock = new ManualClock();
  const { transport } = venue;
  let token: string | undefined;
  const streams = new StreamClient({ transport, clock, retry: DEFAULT_RETRY, token: () => token });
  const setToken = (value: string) => {
    token = value;
  };
  return { venue, clock, streams, setToken };
}

const bid = (price: number, size: number): BookLevel => [String(price), String(size), 1];
const shown = ({ bids, asks }: { bids: readonly BookLevel[]; asks: readonly BookLevel[] }) => ({
  bids: [...bids],
  asks: [...asks],
});

describe("a followed book", () => {
  test("begins with a snapshot and follows each change, best price first", async () => {
    const { venue, streams } = arrange();
    venue.block([bid(9, 1), bid(10.5, 2)], [bid(12, 3)]);
    const followed = followBook(streams, { market: "BTC-PERP" });
    await followed.ready();
    expect(shown(followed.book)).toEqual({ bids: [bid(10.5, 2), bid(9, 1)], asks: [bid(12, 3)] });
    venue.block([bid(10.5, 0), bid(10, 1)], [bid(11, 1)]);
    venue.block([bid(9, 4)]);
    expect(shown(followed.book)).toEqual({ bids: [bid(10, 1), bid(9, 4)], asks: [bid(11, 1), bid(12, 3)] });
    expect(followed.height).toBe(3);
    expect(streams.gaps).toBe(0);
  });

  test.each(["drop", "duplicate", "close", "corrupt"] as const)("is the venue's again after %s", async (fault) => {
    const { venue, clock, streams } = arrange();
    const followed = followBook(streams, { market: "BTC-PERP" });
    venue.block([bid(9, 1)]);
    venue.faults.push(fault);
    venue.block([bid(8, 1)]);
    venue.block([bid(7, 1)]);
    await clock.pass(1_000);
    expect(followed.isReady).toBe(true);
    expect(shown(followed.book)).toEqual(shown(venue.book));
    expect(followed.corruptions).toBe(fault === "corrupt" ? 1 : 0);
    expect(streams.gaps).toBe(fault === "drop" ? 1 : 0);
  });

  test("whose last change was lost is found by the next heartbeat", async () => {
    const { venue, streams } = arrange();
    const followed = followBook(streams, { market: "BTC-PERP" });
    venue.faults.push("drop");
    venue.block([bid(8, 1)]);
    expect(followed.book.bids).toEqual([]);
    venue.heartbeat();
    expect(shown(followed.book)).toEqual(shown(venue.book));
    expect(streams.gaps).toBe(1);
  });

  test("on a silent connection resumes over a new one, after its last message", async () => {
    const { venue, clock, streams } = arrange();
    const followed = followBook(streams, { market: "BTC-PERP" });
    venue.faults.push("mute");
    venue.block([bid(8, 1)]);
    venue.block([bid(7, 1)]);
    await clock.pass(10_000);
    expect(followed.height).toBe(1);
    await clock.pass(10_000);
    expect(shown(followed.book)).toEqual(shown(venue.book));
    const [first, second] = venue.heard.filter(({ op }) => op === "subscribe");
    expect(first).not.toHaveProperty("resume");
    expect(second).toMatchObject({ resume: { epoch: 1, seq: 1 } });
  });

  test("that cannot be resumed restarts with a snapshot, and its listener is called", async () => {
    const { venue, clock, streams } = arrange();
    const calls: string[] = [];
    streams.follow(
      { channel: "book", market: "BTC-PERP" },
      {
        onSnapshot: ({ seq }) => calls.push(`snapshot ${seq}`),
        onDelta: ({ seq }) => calls.push(`delta ${seq}`),
        onResync: (reason) => calls.push(reason),
      },
    );
    venue.block([bid(8, 1)]);
    venue.keptFrom = 3;
    venue.drop([...venue.connections][0]!);
    for (let price = 1; price < 5; price++) venue.block([bid(price, 1)]);
    await clock.pass(1_000);
    expect(calls).toEqual(["snapshot 0", "delta 1", "RESUME_UNAVAILABLE", "snapshot 5"]);
  });

  test("that a second listener joins while it resumes restarts with a snapshot for both", async () => {
    const { venue, clock, streams } = arrange();
    const first = followBook(streams, { market: "BTC-PERP" });
    venue.block([bid(8, 1)]);
    venue.answersLater = true;
    venue.drop([...venue.connections][0]!);
    await clock.pass(1_000);
    const second = followBook(streams, { market: "BTC-PERP" });
    venue.answer();
    venue.block([bid(7, 1)]);
    for (const followed of [first, second]) {
      expect(followed.isReady).toBe(true);
      expect(shown(followed.book)).toEqual(shown(venue.book));
    }
    expect(streams.gaps).toBe(0);
  });

  test("of a chain that became another one is forgotten, connected or not", async () => {
    const { venue, clock, streams } = arrange();
    const followed = followBook(streams, { market: "BTC-PERP" });
    venue.block([bid(8, 1)]);
    venue.revert();
    expect(followed.book.bids).toEqual([]);
    venue.block([bid(3, 1)]);
    expect(shown(followed.book)).toEqual(shown(venue.book));
    venue.drop([...venue.connections][0]!);
    venue.revert();
    venue.block([bid(2, 1)]);
    await clock.pass(1_000);
    expect(shown(followed.book)).toEqual(shown(venue.book));
  });
});

// Goal: whatever a stream suffers, after the next heartbeat the book is the venue's, and no change was applied twice or
// out of order. Method: blocks and faults at random against the venue's own book; the checksum is off, so that only the
// numbers can find the gap.
test("a book with faults at random is the venue's after the next heartbeat", async () => {
  const level = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 3 }));
  const step = fc.oneof(
    { weight: 20, arbitrary: fc.record({ kind: fc.constant("block"), bids: fc.array(level, { maxLength: 3 }) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom("drop", "duplicate", "close", "mute", "corrupt"),
        bids: fc.array(level, { minLength: 1, maxLength: 2 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("heartbeat", "wait", "prune"), bids: fc.constant([]) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("revert"), bids: fc.constant([]) }) },
  );
  let faults = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
      const { venue, clock, streams } = arrange();
      const followed = followBook(streams, { market: "BTC-PERP" });
      await settle();
      for (const { kind, bids } of steps) {
        const levels = bids.map(([price, size]) => bid(price, size));
        if (kind === "heartbeat") venue.heartbeat();
        else if (kind === "wait") await clock.pass(700);
        else if (kind === "prune") venue.keptFrom = venue.seq;
        else if (kind === "revert") venue.revert();
        else {
          if (kind !== "block") {
            venue.faults.push(kind as StreamFault);
            faults++;
          }
          venue.block(levels);
          venue.faults.length = 0;
        }
      }
      // A mute connection is abandoned after 2.5 heartbeats, and replaced.
      for (let beat = 0; beat < 8; beat++) {
        await clock.pass(5_000);
        venue.heartbeat();
      }
      expect(followed.isReady).toBe(true);
      expect(shown(followed.book)).toEqual(shown(venue.book));
      expect(followed.height).toBe(venue.seq);
      followed.close();
    }),
    { numRuns: 60 },
  );
  expect(faults).toBeGreaterThan(60);
});

describe("a stream", () => {
  test("that the venue refuses is reported and ended", async () => {
    const { venue, streams } = arrange();
    venue.refusal = { code: "INVALID_CHANNEL" };
    const followed = followBook(streams, { market: "NONE" });
    await expect(followed.ready()).rejects.toMatchObject({
      code: "SOCKET_FAILED",
      details: { code: "INVALID_CHANNEL" },
    });
    await settle();
    expect(venue.connections.size).toBe(0);
  });

  test("that is refused for the moment is requested again, not before the venue's retry time", async () => {
    const { venue, clock, streams } = arrange();
    venue.refusal = { code: "RATE_LIMITED", retryAfterMs: 3_000 };
    const followed = followBook(streams, { market: "BTC-PERP" });
    await clock.pass(2_999);
    expect(followed.isReady).toBe(false);
    await clock.pass(1);
    expect(followed.isReady).toBe(true);
  });

  test("of an account comes after the session is proved", async () => {
    const { venue, streams, setToken } = arrange();
    setToken("secret");
    streams.follow({ channel: "orders", address: "0x1" }, { onSnapshot() {}, onDelta() {} });
    expect(venue.heard).toMatchObject([
      { op: "auth", token: "secret" },
      { op: "subscribe", channel: "orders", address: "0x1" },
    ]);
  });

  test("of an account can be followed over a connection that is older than the session", async () => {
    const { venue, streams, setToken } = arrange();
    streams.authenticate();
    followBook(streams, { market: "BTC-PERP" });
    streams.authenticate();
    setToken("secret");
    streams.authenticate();
    streams.follow({ channel: "orders", address: "0x1" }, { onSnapshot() {}, onDelta() {} });
    expect(venue.heard).toMatchObject([
      { op: "subscribe", channel: "book" },
      { op: "auth", token: "secret" },
      { op: "subscribe", channel: "orders", address: "0x1" },
    ]);
  });

  test("can be read as an iterator, and leaving the loop leaves it", async () => {
    const { venue, streams } = arrange();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const message of messagesOf(streams, { channel: "book", market: "BTC-PERP" })) {
        seen.push(`${message.type} ${message.seq}`);
        if (message.seq === 2) break;
      }
    })();
    await settle();
    venue.block([bid(1, 1)]);
    venue.block([bid(2, 1)]);
    venue.block([bid(3, 1)]);
    await reading;
    expect(seen).toEqual(["snapshot 0", "delta 1", "delta 2"]);
    expect(venue.connections.size).toBe(0);
  });

  test("is followed by several over one connection, which ends with the last of them", async () => {
    const { venue, streams } = arrange();
    const first = followBook(streams, { market: "A" });
    const second = followBook(streams, { market: "B" });
    await Promise.all([first.ready(), second.ready()]);
    expect(venue.connections.size).toBe(1);
    first.close();
    first.close();
    expect(venue.connections.size).toBe(1);
    second.close();
    expect(venue.connections.size).toBe(0);
  });
});

test("a venue that cannot be reached is tried again with growing pauses", async () => {
  const { venue, clock, streams } = arrange();
  venue.accepts = false;
  const followed = followBook(streams, { market: "BTC-PERP" });
  await clock.pass(60_000);
  expect(followed.isReady).toBe(false);
  venue.accepts = true;
  await clock.pass(5_000);
  expect(followed.isReady).toBe(true);
});
