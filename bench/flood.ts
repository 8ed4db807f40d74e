/**
 * One address that floods the venue, and another that asks it: `perplab serve` in a process of its own, on disk, and
 * the flood in another one at the lowest priority. What is measured is the server's CPU time between a request of the
 * other address and its answer, so that a busy machine changes little.
 *
 *     npm run bench -- flood         node bench/flood.ts [--seconds 8] [--only valid] [--small] [--json] [--record]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { FloodCounts } from "./lib/flooder.ts";
import { FLOODING, FLOODS, type FloodName, validRequests } from "./lib/floodFlow.ts";
import { type Figure, report } from "./lib/measure.ts";
import { cpuOfProcess, serveVenue } from "./lib/servedVenue.ts";
import { getRequest, HttpLine } from "./lib/wireClient.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    only: { type: "string" },
    small: { type: "boolean", default: false },
  },
  strict: false,
});
const small = values.small === true;
/** Longest time of a measurement, and most reads of it, with as many submissions. */
const measuredMs = small ? 1_000 : Number(values.seconds) * 1_000;
const probes = small ? 6 : 200;
const quietProbes = small ? 6 : 60;
const PAUSE_MS = 10;
/** Time for the flood to reach its bound before it is measured. */
const warmMs = small ? 200 : 1_500;
/** Longest wait for a new connection, ms. A longer one shows as this time. */
const CONNECT_MOST_MS = small ? 2_000 : 20_000;
/** Connections of the flooding address, and the answer that shows that the flood arrived. */
const KINDS: Readonly<Record<FloodName, { readonly connections: number; readonly answer: string }>> = {
  valid: { connections: 300, answer: "202" },
  invalid: { connections: 300, answer: "422" },
  largeBodies: { connections: 300, answer: "400" },
  slowBodies: { connections: 1_000, answer: "bytes" },
  messages: { connections: 100, answer: "101" },
};
const READ = getRequest("/api/v1/markets/BTC-PERP/book?depth=50");

/** By clock: CPU time of the thread that runs the event loop, of all threads, and wall time where neither is known. */
type Delays = Record<"event loop" | "all threads" | "wall time", number[]>;

/** The server's time until each answer on an open connection, ms, sorted. */
async function probe(line: HttpLine, pid: number, submissions: readonly Buffer[]): Promise<Record<string, Delays>> {
  const empty = (): Delays => ({ "event loop": [], "all threads": [], "wall time": [] });
  const found = { read: empty(), submission: empty() };
  const startMs = performance.now();
  for (const [place, submission] of submissions.entries()) {
    if (place > 0 && performance.now() - startMs > measuredMs) break;
    for (const [name, request, wanted] of [
      ["read", READ, 200],
      ["submission", submission, 202],
    ] as const) {
      const [before, beforeMs] = [cpuOfProcess(pid), performance.now()];
      const status = await line.ask(request);
      if (status !== wanted) throw new Error(`the ${name} of another address was answered ${status}, not ${wanted}`);
      const [after, afterMs] = [cpuOfProcess(pid), performance.now()];
      if (before === undefined || after === undefined) {
        found[name]["wall time"].push(afterMs - beforeMs);
      } else {
        found[name]["event loop"].push(after.loopMs - before.loopMs);
        found[name]["all threads"].push(after.allMs - before.allMs);
      }
      await sleep(PAUSE_MS);
    }
  }
  for (const delays of Object.values(found)) for (const list of Object.values(delays)) list.sort((a, b) => a - b);
  return found;
}

/**
 * Time until a new connection is answered, wall time in ms; at most `CONNECT_MOST_MS`. Node accepts one connection in a
 * pass of its event loop, so a flood that opens many keeps others waiting.
 */
async function connectOnce(port: number): Promise<number> {
  const startMs = performance.now();
  const opened = HttpLine.open(port).then(async (line) => {
    const status = await line.ask(READ);
    line.close();
    if (status !== 200) throw new Error(`the read of a new connection was answered ${status}`);
  });
  opened.catch(() => {});
  await Promise.race([opened, sleep(CONNECT_MOST_MS, undefined, { ref: false })]);
  return Math.min(CONNECT_MOST_MS, performance.now() - startMs);
}

function figuresOf(during: string, found: Record<string, Delays>): Figure[] {
  return Object.entries(found).flatMap(([name, delays]) =>
    Object.entries(delays)
      .filter(([, list]) => list.length > 0)
      .flatMap(([clock, list]) => [
        { name: `${during}: ${name}, ${clock}, median`, value: list[list.length >> 1]!, unit: "ms" },
        { name: `${during}: ${name}, ${clock}, p99`, value: list[Math.ceil(list.length * 0.99) - 1]!, unit: "ms" },
        { name: `${during}: ${name}, ${clock}, most`, value: list.at(-1)!, unit: "ms" },
      ]),
  );
}

/** The text of a flood's output up to its next line. */
const lineOf = async (flooder: ChildProcess): Promise<string> =>
  String((await once(flooder.stdout!, "data"))[0]).trim();

const figures: Figure[] = [];
for (const kind of FLOODS) {
  if (values.only !== undefined && values.only !== kind) continue;
  // Each flood has a venue of its own: what the one before left in it would be measured with the next.
  const venue = await serveVenue("dev");
  const { chainId, genesisHash } = venue.domain;
  const connections = small ? 10 : KINDS[kind].connections;
  const flooder = spawn(
    process.execPath,
    [
      join(import.meta.dirname, "lib", "flooder.ts"),
      ...[kind, String(venue.port), String(connections), small ? "20" : "300", String(chainId), genesisHash],
    ],
    { stdio: ["pipe", "pipe", "inherit"], detached: true },
  );
  const gone = once(flooder, "exit").then(([code]) => {
    throw new Error(`the flood ended with ${code}`);
  });
  gone.catch(() => {});
  try {
    await Promise.race([lineOf(flooder), gone]);
    const submissions = validRequests(FLOODING, FLOODING + 2, probes, venue.digester);
    const line = await HttpLine.open(venue.port);
    const quiet = await probe(line, venue.pid, submissions.slice(0, quietProbes));
    if (figures.length === 0) figures.push(...figuresOf("no flood", quiet));
    flooder.stdin!.write("\n");
    await sleep(warmMs);
    const flooded = await probe(line, venue.pid, submissions.slice(quietProbes));
    line.close();
    const connectMs = await connectOnce(venue.port);
    const said = lineOf(flooder);
    flooder.stdin!.end();
    const counts = JSON.parse(await said) as FloodCounts;
    if (!((counts[KINDS[kind].answer] ?? 0) > 0)) throw new Error(`no flood of ${kind}: ${JSON.stringify(counts)}`);
    console.error(
      `${kind}: ${Object.values(flooded["read"]!).find(({ length }) => length > 0)!.length} probes; of the flood ${JSON.stringify(counts)}`,
    );
    figures.push(...figuresOf(kind, flooded));
    figures.push({
      name: `${kind}: a new connection, until its first answer, wall time`,
      value: connectMs,
      unit: "ms",
    });
  } finally {
    flooder.kill("SIGKILL");
    await venue.close();
  }
}
report("flood", figures);
