import { expect, test } from "vitest";
import type { ClientMessage } from "../../../../src/client/api/socket/messages.ts";
import { MessageQueue } from "../../../../src/server/face/socket/messageQueue.ts";

/** A queue over a history that is read as often as `readings` has a promise. */
function openQueue(readings: (Promise<void> | undefined)[]) {
  const carriedOut: unknown[] = [];
  const reported: unknown[] = [];
  const history = { whenReady: () => readings.shift(), report: (error: unknown) => void reported.push(error) };
  const queue = new MessageQueue(history, ({ id }) => void carriedOut.push(id));
  return { queue, carriedOut, reported };
}

const ping = (id: number): ClientMessage => ({ op: "ping", id });
const subscribe = (id: number): ClientMessage => ({ op: "subscribe", id, channel: "blocks" });
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("messages are carried out at once while no subscription waits", () => {
  const { queue, carriedOut } = openQueue([undefined]);
  queue.add(ping(1));
  queue.add(subscribe(2));
  queue.add(ping(3));
  expect(carriedOut).toEqual([1, 2, 3]);
});

test("messages after a subscription that waits for the history wait with it, in their order", async () => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  // When the history is read, another large block has come.
  const { queue, carriedOut } = openQueue([first.promise, second.promise]);
  queue.add(ping(1));
  queue.add(subscribe(2));
  queue.add(ping(3));
  queue.add(subscribe(4));
  first.resolve();
  await settled();
  expect(carriedOut).toEqual([1]);
  second.resolve();
  await settled();
  queue.add(ping(5));
  expect(carriedOut).toEqual([1, 2, 3, 4, 5]);
});

test("a history that cannot be read is reported, and the messages are carried out", async () => {
  const { queue, carriedOut, reported } = openQueue([Promise.reject(new Error("disk"))]);
  queue.add(subscribe(1));
  queue.add(ping(2));
  await settled();
  expect([carriedOut, reported]).toEqual([[1, 2], [new Error("disk")]]);
});
