import { expect, test } from "vitest";
import { createServices } from "../../../../src/server/face/services/services.ts";
import { BUFFER_MOST } from "../../../../src/server/face/socket/connection.ts";
import { BUFFERS_MOST, SocketHub } from "../../../../src/server/face/socket/hub.ts";
import { BusyVenue, listenBusy } from "../../../helpers/busyVenue.ts";
import { openStalled } from "../../../helpers/stalledClients.ts";

const turn = () => new Promise(setImmediate);

// Goal: clients that follow and never read cost a bounded memory, and are informed when they read again; one that reads
// is not disturbed. Method: real sockets, whose buffers take some megabytes before anything waits in the service.
test("of fifty clients over real sockets that read nothing, none has more waiting than its share; those of events are cut", async () => {
  // A client that reads nothing answers no ping either: it is not to be cut for that, however long this takes.
  const busy = await listenBusy({ pingMs: 3_600_000 });
  const { venue, hub } = busy;
  const clients = await openStalled(busy.socketUrl, 50);
  const [reader] = await openStalled(busy.socketUrl, 1);
  reader!.socket.resume();
  const ofEvents = clients.filter(({ follows }) => follows === "events");
  let most = 0;
  for (let block = 0; block < 4_000 && hub.connections > clients.length - ofEvents.length + 1; block++) {
    venue.step(40);
    await turn();
    most = Math.max(most, ...hub.waiting());
  }
  expect(hub.connections).toBe(clients.length - ofEvents.length + 1);
  // One message may come on top of what is allowed, and the farewell.
  expect(most).toBeLessThan(BUFFER_MOST + 256_000);
  expect(most).toBeGreaterThan(BUFFER_MOST / 2);
  const codes = await Promise.all(ofEvents.map((client) => client.release()));
  expect(new Set(codes)).toEqual(new Set([4408]));
  for (const { socket } of [...clients, reader!]) socket.terminate();
  await busy.close();
});

test("many clients share what may wait in all", () => {
  const { host } = new BusyVenue();
  const hub = new SocketHub(createServices(host.asHost, { limits: "off" }));
  const connect = () => hub.connect({ client: "x", buffered: 0, send() {}, close() {} })!;
  const shares: number[] = [];
  for (let count = 1; count <= 10_000; count++) {
    connect();
    if ([1, 256, 257, 1_000, 8_192, 8_193, 10_000].includes(count)) shares.push(hub.bufferMost);
  }
  const share = (count: number) => Math.floor(BUFFERS_MOST / count);
  expect(shares).toEqual([BUFFER_MOST, BUFFER_MOST, share(257), share(1_000), 32_768, 32_768, 32_768]);
  expect(hub.bufferMost * 10_000).toBeLessThan(BUFFERS_MOST * 1.5);
});

test("a client that keeps sending and does not read is cut, and not answered", () => {
  const { host } = new BusyVenue();
  const hub = new SocketHub(createServices(host.asHost, { limits: "off" }));
  const sent: string[] = [];
  let code = 0;
  const peer = {
    client: "x",
    buffered: 0,
    send: (text: string) => void sent.push(text),
    close: (given: number) => {
      code = given;
    },
  };
  const connection = hub.connect(peer)!;
  peer.buffered = hub.bufferMost;
  connection.receive('{"op":"ping","id":1}');
  expect(sent.at(-1)).toContain('"pong"');
  peer.buffered = hub.bufferMost + 1;
  connection.receive('{"op":"ping","id":2}');
  expect(sent.at(-1)).toContain('"SLOW_CONSUMER"');
  expect(code).toBe(4408);
});
