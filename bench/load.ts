/**
 * The whole service under load: `perplab serve` in a process of its own, on disk, and everything by sockets. Orders are
 * signed before anything is timed, and every second one fills. Both processes share the machine, as a bot and its venue
 * do.
 *
 *     npm run bench -- load          node bench/load.ts [--count 30000] [--followers 200] [--small] [--json] [--record]
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { encodeTransaction } from "../src/protocol/codec.ts";
import { type Figure, report, timeTask } from "./lib/measure.ts";
import { serveVenue } from "./lib/servedVenue.ts";
import { signOrders } from "./lib/serviceFlow.ts";
import { Follower, getRequest, HttpLine, postRequest } from "./lib/wireClient.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "30000" },
    followers: { type: "string", default: "200" },
    small: { type: "boolean", default: false },
  },
  strict: false,
});
const count = values.small === true ? 600 : Number(values.count);
const followers = values.small === true ? 10 : Number(values.followers);
const paced = values.small === true ? 200 : 5_000;
const reads = values.small === true ? 2_000 : 100_000;
const PACE = 500;
/** Connections that submit and read at a time. */
const LINES = 256;

const { port, digester, readyMs, close } = await serveVenue("off");
const figures: Figure[] = [];
try {
  const signed = signOrders(0, count + paced * 2, digester).map(({ signed: one, key }) =>
    postRequest("/api/v1/transactions", JSON.stringify(encodeTransaction(one)), `idempotency-key: ${key}\r\n`),
  );
  const lines = await Promise.all(Array.from({ length: LINES }, () => HttpLine.open(port)));
  const bookPath = "/api/v1/markets/BTC-PERP/book?depth=50";

  /** Sends everything, each line the next as soon as it is answered. */
  const drain = async (requests: readonly Buffer[], wanted: number, over = lines): Promise<void> => {
    let next = 0;
    await Promise.all(
      over.map(async (line) => {
        while (next < requests.length) {
          const status = await line.ask(requests[next++]!);
          if (status !== wanted) throw new Error(`an answer was ${status}, not ${wanted}`);
        }
      }),
    );
  };
  /** Sends at a pace, and returns how long each took, in milliseconds. */
  const pace = async (requests: readonly Buffer[]): Promise<number[]> => {
    const free = [...lines];
    const waits: number[] = [];
    const beganMs = performance.now();
    const under: Promise<void>[] = [];
    for (const [place, request] of requests.entries()) {
      const dueMs = beganMs + (place * 1_000) / PACE;
      const early = dueMs - performance.now();
      if (early > 1) await sleep(early);
      const line = free.pop() ?? (await HttpLine.open(port));
      under.push(
        line.ask(request).then((status) => {
          if (status !== 202) throw new Error(`an answer was ${status}, not 202`);
          waits.push(performance.now() - dueMs);
          free.push(line);
        }),
      );
    }
    await Promise.all(under);
    return waits.sort((a, b) => a - b);
  };

  const submission = await timeTask(() => drain(signed.slice(0, count), 202));
  const waits = await pace(signed.slice(count, count + paced));
  const reading = await timeTask(() => drain(Array<Buffer>(reads).fill(getRequest(bookPath)), 200));

  const streams = ["blocks", "trades", "book", "prices"].map((channel, id) => ({
    op: "subscribe",
    id,
    channel,
    ...(channel === "blocks" ? {} : { market: "BTC-PERP" }),
  }));
  const listening = await Promise.all(Array.from({ length: followers }, () => Follower.open(port, streams)));
  await sleep(500);
  const heard = () => listening.reduce((sum, { messages }) => sum + messages, 0);
  const before = heard();
  const beganMs = performance.now();
  let endedMs = beganMs;
  // A few at a time, so that blocks are many and small: more blocks mean more messages.
  await drain(signed.slice(count + paced), 202, lines.slice(0, 4));
  for (let quiet = 0, last = 0; quiet < 10; quiet++) {
    const now = heard();
    if (now !== last) [last, quiet, endedMs] = [now, 0, performance.now()];
    await sleep(20);
  }
  const messages = heard() - before;
  for (const one of [...listening, ...lines]) one.close();

  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!;
  figures.push(
    {
      name: "signed transactions by HTTP, each durable when answered",
      value: count / submission.wall,
      unit: "/s",
      target: ">= 5000",
    },
    { name: `time to the answer at ${PACE} transactions/s, median`, value: at(0.5), unit: "ms" },
    { name: `time to the answer at ${PACE} transactions/s, p99`, value: at(0.99), unit: "ms", target: "<= 20" },
    { name: "reads of a book at one height", value: reads / reading.wall, unit: "/s", target: ">= 25000" },
    {
      name: `messages to ${followers} followers of 4 streams`,
      value: (messages * 1_000) / (endedMs - beganMs),
      unit: "/s",
      target: ">= 100000",
    },
    { name: "start of the process to the first answer", value: readyMs, unit: "ms", target: "<= 1000" },
  );
} finally {
  await close();
}
report("load", figures);
