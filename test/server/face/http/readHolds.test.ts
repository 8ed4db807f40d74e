import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Answering } from "../../../../src/server/face/dispatch/answering.ts";
import { listen } from "../../../../src/server/face/http/listen.ts";
import { ReadHolds } from "../../../../src/server/face/http/readHolds.ts";
import { MANY } from "../../../../src/server/face/http/requestTurns.ts";
import { RawClient } from "./fixture.ts";

/** A socket that keeps whether it is read; like Node's, it reports a resume some time after it. */
class FakeSocket extends EventEmitter {
  isRead = true;
  readonly destroyed = false;
  readonly name: string;
  readonly #resumed: string[];

  constructor(name: string, resumed: string[]) {
    super();
    this.name = name;
    this.#resumed = resumed;
  }

  pause(): void {
    this.isRead = false;
  }

  resume(): void {
    this.isRead = true;
    this.#resumed.push(this.name);
    this.emit("resume");
  }
}

function open(...names: string[]) {
  const holds = new ReadHolds();
  const resumed: string[] = [];
  const sockets = Object.fromEntries(names.map((name) => [name, new FakeSocket(name, resumed)]));
  const of = (name: string) => sockets[name] as unknown as Socket;
  const add = (client: string, ...own: string[]) => {
    for (const name of own) holds.add(client, of(name));
  };
  const read = () => names.filter((name) => sockets[name]!.isRead);
  return { holds, sockets, of, add, read, resumed };
}

test("a client that waits is read on none of its connections, and others are", () => {
  const { holds, add, read } = open("a", "b", "new", "other");
  add("one", "a", "b");
  add("two", "other");
  holds.hold("one");
  add("one", "new");
  expect(read()).toEqual(["other"]);
  holds.release("one");
  expect(read()).toEqual(["a", "b", "new", "other"]);
});

test("the connection whose request is the oldest is read first", () => {
  const { holds, of, add, resumed } = open("a", "b", "c");
  add("one", "a", "b", "c");
  holds.arrive(of("a"));
  holds.arrive(of("c"));
  holds.arrive(of("a"));
  holds.hold("one");
  holds.release("one");
  expect(resumed).toEqual(["b", "c", "a"]);
});

test("a connection that Node resumes meanwhile is paused again", () => {
  const { holds, sockets, add, read } = open("a");
  add("one", "a");
  sockets["a"]!.resume();
  expect(read()).toEqual(["a"]);
  holds.hold("one");
  sockets["a"]!.resume();
  expect(read()).toEqual([]);
});

test("a connection that has ended is not read again, even if Node resumes it", () => {
  const { holds, sockets, of, add, read } = open("a", "b");
  add("one", "a", "b");
  holds.hold("one");
  holds.end(of("a"));
  holds.release("one");
  sockets["a"]!.resume();
  expect(read()).toEqual(["b"]);
});

test("a connection that leaves is read by its next reader, and a client without connections is forgotten", () => {
  const { holds, sockets, of, add, read } = open("stream", "closed", "later");
  add("one", "stream", "closed");
  holds.hold("one");
  holds.leave(of("stream"));
  expect(read()).toEqual(["stream", "later"]);
  sockets["closed"]!.emit("close");
  add("one", "later");
  expect(read()).toContain("later");
});

// Goal: a pass of the event loop stays short under a flood, since Node accepts one connection in a pass.
test("a listener does not read what a client sends while many of its requests wait, and answers all of them", async () => {
  const counts = { read: 0, carriedOut: 0, aheadMost: 0 };
  const answer = { status: 200, headers: {}, body: "{}" };
  const answering: Answering = {
    handle() {
      // A turn has time for some of them.
      for (const startMs = performance.now(); performance.now() - startMs < 1; );
      counts.carriedOut++;
      return answer;
    },
    refuse: () => answer,
  };
  const listener = await listen(answering);
  onTestFinished(() => listener.close(100));
  listener.server.prependListener("request", () => {
    counts.read++;
    counts.aheadMost = Math.max(counts.aheadMost, counts.read - counts.carriedOut);
  });
  const clients = Array.from({ length: 40 }, () => new RawClient(listener.port));
  const ask = async (ahead: number, answers: number) => {
    for (const client of clients) client.write("GET /api/v1/read HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(ahead));
    await Promise.all(clients.map((client) => client.responses(answers)));
  };
  // Accepted one by one, they would not come all at once.
  await ask(1, 1);
  await ask(20, 21);
  expect(counts.carriedOut).toBe(840);
  expect(counts.aheadMost).toBeGreaterThanOrEqual(MANY);
  expect(counts.aheadMost).toBeLessThan(MANY + 30);
});
