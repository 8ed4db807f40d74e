/**
 * A thousand clients in another process follow streams over real sockets and read nothing, while the venue makes
 * blocks. Measures the memory of the service and its waiting bytes. Half of the clients follow a book and prices, whose
 * messages are held back; half follow trades and blocks, and are disconnected. Results go to
 * `docs/evidence/stalled.json`.
 *
 *     npm run campaign:stalled              npm run campaign:stalled -- --clients 200 --blocks 2000
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BUFFERS_MOST } from "../src/server/face/socket/hub.ts";
import { listenBusy } from "../test/helpers/busyVenue.ts";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "1000" },
    blocks: { type: "string", default: "900" },
    orders: { type: "string", default: "40" },
    ping: { type: "string", default: "60000" },
  },
});
const [count, blocks, orders] = [Number(values.clients), Number(values.blocks), Number(values.orders)];
// Clients that answer no ping are disconnected, too; the interval is long enough that slow clients are disconnected
// first.
const pingMs = Number(values.ping);
const busy = await listenBusy({ pingMs });
const { venue, hub } = busy;
const child = fork(join(import.meta.dirname, "stalledClients.ts"), [busy.socketUrl, String(count)]);
await once(child, "message");
console.log(`${hub.connections} clients follow and do not read`);

const mebibytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10;
const samples: object[] = [];
let [mostWaiting, mostOfOne, mostRss] = [0, 0, 0];
const startMs = performance.now();
const measure = (block: number): void => {
  const waiting = hub.waiting();
  const total = waiting.reduce((sum, bytes) => sum + bytes, 0);
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  mostWaiting = Math.max(mostWaiting, total);
  mostOfOne = Math.max(mostOfOne, ...waiting);
  mostRss = Math.max(mostRss, rss);
  if (block % Math.ceil(blocks / 30) !== 0) return;
  const sample = {
    block,
    seconds: Math.round((performance.now() - startMs) / 1_000),
    connections: waiting.length,
    waitingMiB: mebibytes(total),
    rssMiB: mebibytes(rss),
    heapMiB: mebibytes(heapUsed),
    arrayBuffersMiB: mebibytes(arrayBuffers),
  };
  samples.push(sample);
  console.log(JSON.stringify(sample));
};
const release = async (kind: string): Promise<Record<string, number>> => {
  child.send(kind);
  const [codes] = (await once(child, "message")) as [Record<string, number>];
  return codes;
};
let cutAtBlock: number | undefined;
let events: Record<string, number> | undefined;
measure(0);
for (let block = 1; block <= blocks; block++) {
  venue.step(orders);
  await new Promise(setImmediate);
  if (block % 10 === 0) measure(block);
  // A disconnected client reads the reason as soon as it continues reading.
  if (events === undefined && hub.connections <= count / 2) {
    cutAtBlock = block;
    events = await release("events");
  }
}
const connectionsAtEnd = hub.connections;
const state = await release("state");
child.disconnect();
const report = {
  clients: count,
  blocks,
  ordersOfBlock: orders,
  pingMs,
  seconds: Math.round((performance.now() - startMs) / 1_000),
  cutAtBlock,
  connectionsAtEnd,
  allowedMiB: mebibytes(BUFFERS_MOST),
  mostWaitingMiB: mebibytes(mostWaiting),
  mostOfOneMiB: mebibytes(mostOfOne),
  mostRssMiB: mebibytes(mostRss),
  /** Clients by the code with which their connections ended. */
  ends: { events, state },
  samples,
};
writeFileSync(
  join(import.meta.dirname, "..", "docs", "evidence", "stalled.json"),
  `${JSON.stringify(report, null, 2)}\n`,
);
console.log({ ...report, samples: samples.length });
await busy.close();
process.exitCode = mostWaiting < BUFFERS_MOST * 1.25 ? 0 : 1;
process.exit();
