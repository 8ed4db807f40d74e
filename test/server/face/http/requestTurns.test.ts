import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Answering } from "../../../../src/server/face/dispatch/answering.ts";
import { listen } from "../../../../src/server/face/http/listen.ts";
import { FEW, MANY, RequestTurns } from "../../../../src/server/face/http/requestTurns.ts";
import { RawClient } from "./fixture.ts";

/** Turns with a clock that only the requests move, and the order in which they were carried out. */
function openTurns() {
  let nowMs = 0;
  const turns = new RequestTurns(undefined, () => nowMs);
  const order: string[] = [];
  const add = (client: string, costMs: number, name = client) =>
    turns.add(client, () => {
      nowMs += costMs;
      order.push(name);
    });
  return { add, order };
}

test("a request is carried out at once while the turn has time", async () => {
  const { add, order } = openTurns();
  for (let count = 0; count < 3; count++) add("one", 2);
  expect(order).toHaveLength(3);
  add("one", 4, "last of the turn");
  add("one", 1, "waits");
  expect(order.at(-1)).toBe("last of the turn");
  await setImmediate();
  expect(order.at(-1)).toBe("waits");
  add("one", 1, "at once again");
  expect(order.at(-1)).toBe("at once again");
});

test("a client with many requests does not delay one with few, and its own keep their order", async () => {
  const { add, order } = openTurns();
  const flood = Array.from({ length: 100 }, (_, place) => `flood ${place}`);
  for (const name of flood) add("flood", 2, name);
  add("other", 2);
  await setImmediate();
  expect(order).toHaveLength(10);
  expect(order.slice(5, 8)).toEqual(["flood 5", "other", "flood 6"]);
  while (order.length < 101) await setImmediate();
  expect(order.filter((name) => name !== "other")).toEqual(flood);
});

test("other input comes between the turns of requests that wait", async () => {
  const { add, order } = openTurns();
  for (let count = 0; count < 50; count++) add("flood", 10);
  const seen: number[] = [];
  while (order.length < 50) {
    await setImmediate();
    seen.push(order.length);
  }
  expect(seen.length).toBeGreaterThan(40);
});

test("its observer learns when many requests of a client wait, and when few are left", async () => {
  let nowMs = 0;
  const seen: string[] = [];
  let left = 0;
  const note = (what: string) => (client: string) => seen.push(`${what} of ${client}, ${left} left`);
  const turns = new RequestTurns({ onMany: note("many"), onFew: note("few") }, () => nowMs);
  const add = (client: string) => {
    left++;
    turns.add(client, () => {
      nowMs += 10;
      left--;
    });
  };
  add("other");
  for (let count = 0; count < MANY + 5; count++) add("one");
  while (left > 0) await setImmediate();
  expect(seen).toEqual([`many of one, ${MANY} left`, `few of one, ${FEW} left`]);
});

test("a listener answers one request of a client before the many that another sent earlier", async () => {
  const order: string[] = [];
  const answer = { status: 200, headers: {}, body: "{}" };
  const answering: Answering = {
    handle(_request, client) {
      // Longer than a turn: the next request waits for its own.
      for (const startMs = performance.now(); performance.now() - startMs < 11; );
      order.push(client);
      return answer;
    },
    refuse: () => answer,
  };
  const listener = await listen(answering, { behindProxy: true });
  onTestFinished(() => listener.close(100));
  const ask = (client: string) => `GET /api/v1/read HTTP/1.1\r\nHost: localhost\r\nx-forwarded-for: ${client}\r\n\r\n`;
  const proxy = new RawClient(listener.port).write(ask("192.0.2.1").repeat(30) + ask("192.0.2.2"));
  await proxy.responses(31);
  expect(order).toHaveLength(31);
  expect(order.indexOf("192.0.2.2")).toBeLessThan(10);
});
