/**
 * How a host keeps what it has acknowledged. First the bare question of the decision: a log of its own against SQLite,
 * by groups of several sizes. Then the whole: signed transactions through a host on disk, each answered when it is
 * durable; the time from submission to answer at a low rate; and the start with a long log.
 *
 *     npm run bench -- store          node bench/store.ts [--count 20000] [--past 1000000] [--small] [--json] [--record]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createDigester } from "../src/protocol/typedDataDigest.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../src/server/host/development.ts";
import { openHost } from "../src/server/host/openHost.ts";
import { loadSigningKit } from "../src/server/host/signingKit.ts";
import { openFolder } from "../src/server/host/store/files.ts";
import { createLog } from "../src/server/host/store/openLog.ts";
import { signingDomainOf } from "../src/venue/simulation/signatures.ts";
import { type Figure, report, timeTask } from "./lib/measure.ts";
import { benchGenesis, oraclePayload, signOrders } from "./lib/serviceFlow.ts";
import { writePast } from "./lib/servicePast.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20000" },
    past: { type: "string", default: "1000000" },
    small: { type: "boolean", default: false },
  },
  strict: false,
});
const count = values.small ? 400 : Number(values.count);
const past = values.small ? 2000 : Number(values.past);

const folder = mkdtempSync(join(tmpdir(), "perplab-bench-"));
const figures: Figure[] = [];

/** A record as large as an order, and a name as long as a key. */
const body = new Uint8Array(420).fill(7);
body[0] = 2;

for (const group of [1, 16, 256]) {
  const groups = values.small ? 4 : Math.min(1500, Math.ceil(count / group));
  const log = createLog(
    openFolder(join(folder, `log${group}`)),
    benchGenesis,
    { height: 0, epoch: 0 },
    {
      segmentBytes: 1 << 26,
      roomBytes: 1 << 20,
    },
  ).log;
  const own = await timeTask(async () => {
    for (let done = 0; done < groups; done++) {
      for (let place = 0; place < group; place++) log.append(body);
      await log.commit(() => ({ epoch: 0, arrival: 0, height: 0 }));
    }
  });
  const database = new DatabaseSync(join(folder, `${group}.db`));
  database.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table taken(arrival integer primary key, id blob unique, body blob);
    create table keys(name text primary key, arrival integer) without rowid`);
  const insert = database.prepare("insert into taken values(?, ?, ?)");
  const bind = database.prepare("insert into keys values(?, ?)");
  let arrival = 0;
  const sqlite = await timeTask(() => {
    for (let done = 0; done < groups; done++) {
      database.exec("begin");
      for (let place = 0; place < group; place++) {
        const id = new Uint8Array(32);
        new DataView(id.buffer).setUint32(0, Math.imul(++arrival, 0x9e3779b1));
        new DataView(id.buffer).setUint32(28, arrival);
        insert.run(arrival, id, body);
        bind.run(Buffer.from(id).toString("hex"), arrival);
      }
      database.exec("commit");
    }
  });
  database.close();
  log.close();
  const records = groups * group;
  for (const [name, { wall, cpu }] of Object.entries({ log: own, SQLite: sqlite })) {
    figures.push({ name: `${name}, groups of ${group}: durable records`, value: records / wall, unit: "/s" });
    figures.push({ name: `${name}, groups of ${group}: CPU of a record`, value: (cpu * 1e6) / records, unit: "us" });
  }
}

const signing = await loadSigningKit();
const digester = createDigester(signingDomainOf(benchGenesis), signing.keccak);
const open = (name: string) =>
  openHost({
    genesis: benchGenesis,
    directory: join(folder, name),
    signing,
    authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
    pool: { most: 1 << 20, lanesMost: 1 << 20 },
  });

{
  const host = await open("orders");
  await host.submitSystem("oracleUpdate", oraclePayload("50000"));
  const orders = signOrders(0, count, digester);
  let fills = 0;
  let blocks = 0;
  host.onBlock(({ receipts }) => {
    blocks++;
    for (const { results } of receipts) if (results?.[0]?.status === "filled") fills++;
  });
  let refused = 0;
  const IN_FLIGHT = 400;
  const { wall, cpu } = await timeTask(async () => {
    let next = 0;
    const lane = async () => {
      while (next < orders.length) {
        const { signed, key } = orders[next++]!;
        if (!(await host.submit(signed, key)).accepted) refused++;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  });
  if (refused > 0) throw new Error(`${refused} orders were refused`);
  figures.push({ name: "host: signed durable transactions", value: count / wall, unit: "/s", target: ">= 5000" });
  figures.push({ name: "host: CPU of a transaction", value: (cpu * 1e6) / count, unit: "us" });
  figures.push({ name: "host: transactions of a block", value: count / blocks, unit: "" });
  figures.push({ name: "host: takers that filled", value: (fills / count) * 100, unit: "%" });
  await host.close();
}

{
  const host = await open("slow");
  await host.submitSystem("oracleUpdate", oraclePayload("50000"));
  const orders = signOrders(0, values.small ? 50 : 2000, digester);
  const took: number[] = [];
  const answers: Promise<void>[] = [];
  const begin = performance.now();
  for (const [place, { signed, key }] of orders.entries()) {
    const due = begin + place * 2;
    if (due > performance.now()) await sleep(due - performance.now());
    const from = performance.now();
    answers.push(host.submit(signed, key).then(() => void took.push(performance.now() - from)));
  }
  await Promise.all(answers);
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)]!;
  figures.push({ name: "submission at 500/s: median", value: at(0.5), unit: "ms", target: "<= 3" });
  figures.push({ name: "submission at 500/s: 99 of 100", value: at(0.99), unit: "ms", target: "<= 20" });
  await host.close();
}

{
  // Signatures were checked when these were taken, so a past can be made without them: a start does not look at them.
  const name = join(folder, "past");
  const { ids, head } = await writePast(name, past);
  const start = await timeTask(() => openHost({ genesis: benchGenesis, directory: name, signing }));
  const host = start.result;
  if (host.state.height !== head) throw new Error("the past was not found");
  for (const id of ids) if (host.transaction(id)?.status !== "committed") throw new Error(`${id} was not found`);
  figures.push({ name: `start with ${past} transactions and a state`, value: start.wall, unit: "s", target: "<= 5" });
  figures.push({ name: "CPU of it", value: start.cpu, unit: "s" });
  figures.push({ name: "memory after it", value: process.memoryUsage().rss / 2 ** 20, unit: "MiB" });
  await host.close();
}

rmSync(folder, { recursive: true });
report("store", figures);
