/** The first reading of the past after a restart, while others are answered. */
import { describe, expect, test, vi } from "vitest";
import { API_PREFIX } from "../../../src/client/api/endpoint.ts";
import { createService } from "../../../src/server/face/service.ts";
import { History } from "../../../src/server/history/history.ts";
import { HISTORY_LIMITS } from "../../../src/server/history/limits.ts";
import { hostOfFlow } from "../helpers/flowHost.ts";

/** A clock on which every look takes 4 ms, so that a slice has two or three blocks on any machine. */
function slowClock(): void {
  let ms = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (ms += 4));
}

const ordersOf = (history: History) =>
  [...history.read().orders.ofAccount(1)].map(({ id, status }) => `${id} ${status}`);

describe("the past of a venue", () => {
  test("is read in slices, and is the same as if it was read at once", async () => {
    const { host, flow } = hostOfFlow(3, 60);
    slowClock();
    const sliced = new History(host.asHost, HISTORY_LIMITS);
    let blocks = 0;
    const block = host.block.bind(host);
    host.block = (height) => {
      blocks++;
      return block(height);
    };
    const prepared = sliced.prepare();
    expect(sliced.isReady).toBe(false);
    expect(blocks).toBeLessThan(10);
    // The venue advances meanwhile.
    host.apply(flow.next(host.state));
    await prepared;
    expect(sliced.isReady).toBe(true);
    vi.restoreAllMocks();
    expect(sliced.read().asOf.height).toBe(61);
    expect(ordersOf(sliced)).toEqual(ordersOf(new History(host.asHost, HISTORY_LIMITS)));
  });

  test("that is asked for before it is read is read to its end at once", () => {
    const { host } = hostOfFlow(3, 60);
    slowClock();
    const history = new History(host.asHost, HISTORY_LIMITS);
    void history.prepare();
    expect(history.read().asOf.height).toBe(60);
    expect(history.isReady).toBe(true);
    vi.restoreAllMocks();
  });

  test("of another chain is read from scratch", async () => {
    const { host } = hostOfFlow(3, 40);
    slowClock();
    const history = new History(host.asHost, HISTORY_LIMITS);
    const prepared = history.prepare();
    host.raiseEpoch("reverted");
    await prepared;
    expect([history.isReady, history.read().epoch]).toEqual([true, host.epoch]);
    vi.restoreAllMocks();
  });
});

test("requests that need no past are answered while it is read, and streams keep the order of their messages", async () => {
  const { host } = hostOfFlow(3, 60);
  slowClock();
  const { endpoint, hub } = createService(host.asHost, { limits: "off" });
  const answered: string[] = [];
  const ask = async (path: string) => {
    const { status } = await endpoint.request({ method: "GET", path: `${API_PREFIX}${path}` });
    answered.push(`${path} ${status}`);
  };
  const types: string[] = [];
  const send = (text: string) => types.push((JSON.parse(text) as { type: string }).type);
  const connection = hub.connect({ client: "x", buffered: 0, send, close() {} })!;
  const events = ask("/blocks/60/events");
  connection.receive(JSON.stringify({ op: "subscribe", id: 1, channel: "blocks" }));
  connection.receive(JSON.stringify({ op: "ping", id: 2 }));
  await Promise.all([events, ask("/status"), ask("/blocks/60")]);
  expect(answered).toEqual(["/status 200", "/blocks/60 200", "/blocks/60/events 200"]);
  expect(types).toEqual(["welcome", "subscribed", "snapshot", "pong"]);
  vi.restoreAllMocks();
});
