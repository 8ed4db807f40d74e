import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { API_PREFIX } from "../../src/client/api/endpoint.ts";
import { Genesis } from "../../src/client/api/schemas/genesis.ts";
import { createGenesis, genesisText } from "../../src/protocol/genesis.ts";
import { createService } from "../../src/server/face/service.ts";
import { computeRoot } from "../../src/venue/engine/commitment/root.ts";
import { oraclePrice } from "../helpers/host.ts";
import { projectRoot } from "../helpers/project.ts";
import { hostOfFlow } from "./helpers/flowHost.ts";
import { RestIndexer } from "./helpers/restIndexer.ts";
import { expectProblem, openTestService } from "./helpers/service.ts";

// Goal: a client that has nothing but REST holds the whole venue: genesis, blocks and events are complete.
// Method: an indexer that asks and folds, over lively venues; its canonical form is hashed as a state root is.

test.each([2, 5, 11])(
  "genesis and events over REST give the state root after every 25th block, seed %i",
  async (seed) => {
    const { host, flow } = hostOfFlow(seed, 0);
    const { endpoint } = createService(host.asHost, { limits: "off" });
    const indexer = await RestIndexer.start((path) => endpoint.request({ method: "GET", path: API_PREFIX + path }));
    expect(indexer.root()).toBe(computeRoot(host.state));
    for (let height = 1; height <= 150; height++) {
      host.apply(flow.next(host.state));
      await indexer.fold(height);
      if (height % 25 === 0) expect(indexer.root(), `height ${height}`).toBe(computeRoot(host.state));
    }
    expect(host.entries.reduce((sum, entry) => sum + (entry?.events.length ?? 0), 0)).toBeGreaterThan(10_000);
  },
);

test("an indexer that starts later, when most past orders are no longer kept, gives it as well", async () => {
  const { host } = hostOfFlow(5, 150);
  const history = { closedOrders: 5, endedIntents: 2 };
  const { endpoint } = createService(host.asHost, { limits: "off", history });
  const indexer = await RestIndexer.start((path) => endpoint.request({ method: "GET", path: API_PREFIX + path }));
  for (let height = 1; height <= host.state.height; height++) await indexer.fold(height);
  expect(indexer.root()).toBe(computeRoot(host.state));
  expect(indexer.unitsSeen, "no event came without its market").toBeGreaterThan(10);
});

test("the root of the folded state equals the root in the served blocks", async () => {
  const service = openTestService({}, { rootEvery: 4 });
  const { clients, host } = service;
  await host.submitSystem("oracleUpdate", oraclePrice("50000"));
  for (const side of ["buy", "sell"] as const) {
    const order = clients[side === "buy" ? 0 : 1]!.order(side, "0.4", "50000");
    await service.submit(order, order.key);
  }
  while (host.state.height < 8) await host.mine();
  const indexer = await RestIndexer.start((path) => service.ask({ path }));
  expect(indexer.root()).toBe((await indexer.summary(0)).stateRoot);
  let checked = 0;
  for (let height = 1; height <= 8; height++) {
    const { stateRoot } = await indexer.fold(height);
    if (stateRoot === null) continue;
    expect(indexer.root(), `height ${height}`).toBe(stateRoot);
    checked++;
  }
  expect(checked).toBe(2);
  expect(indexer.venue.accounts.flatMap(({ positions }) => [...positions.values()]).length).toBe(2);
});

test("genesis is served with the text that its hash is of, and block 0 leads on to block 1", async () => {
  const service = openTestService();
  await service.host.mine();
  const { body } = await service.call("getGenesis");
  const { data } = body as { data: Genesis };
  const { genesis, domain } = service.host;
  expect(data.text).toBe(genesisText(genesis));
  expect(data.hash).toBe(domain.genesisHash);
  expect(`0x${createHash("sha256").update(data.text!).digest("hex")}`).toBe(data.hash);
  expect(data.content).toEqual(JSON.parse(data.text!));
  const read = async (path: string) => JSON.parse((await service.ask({ path })).body).data;
  const [zero, one] = [await read("/blocks/0"), await read("/blocks/1")];
  expect(zero).toMatchObject({ height: 0, parentHash: data.hash, timeMs: genesis.timeMs, transactionCount: 0 });
  expect(one.parentHash).toBe(zero.hash);
  expect(await read("/blocks/0/transactions")).toEqual([]);
  expect((await read("/blocks/0/events")).map(({ kind }: { kind: string }) => kind)).toContain("marketCreated");
});

/** Members of the type, by its source: optional ones are in no value unless it is set. */
function genesisMembers(): string[] {
  const source = readFileSync(join(projectRoot, "src/protocol/genesis.ts"), "utf8");
  const [, body] = /export interface Genesis \{\n(.*?)\n\}/s.exec(source)!;
  return [...body!.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name!);
}

test("every member of a genesis is in its schema", () => {
  const whole = createGenesis({ nonces: { trading: "window:64" }, salt: "one", origin: `0x${"12".repeat(32)}` });
  const { content } = Genesis.properties;
  // Members that may be absent come with a new version of the text: each needs its line in the schema.
  const optional = genesisMembers().filter((name) => !Object.hasOwn(whole, name));
  expect(optional, "set each optional member of a genesis in this test").toEqual([]);
  expect(Object.keys(JSON.parse(genesisText(whole))).sort()).toEqual(Object.keys(content.properties).sort());
});

test("where accounts are for their owners, genesis is served without them", async () => {
  const service = openTestService({ accountReads: "session" });
  const { body } = await service.call("getGenesis");
  const { data } = body as { data: Genesis };
  expect([data.text, data.content.accounts]).toEqual([null, null]);
  expect(data.hash).toBe(service.host.domain.genesisHash);
  expect(data.content.markets.length).toBeGreaterThan(0);
});

test("a fork with a changed genesis has no block 0 of its own", async () => {
  const { host } = hostOfFlow(2, 3);
  Object.assign(host.genesis, { origin: `0x${"12".repeat(32)}` });
  const { endpoint } = createService(host.asHost, { limits: "off" });
  const answer = await endpoint.request({ method: "GET", path: `${API_PREFIX}/blocks/0` });
  expectProblem(answer, 404, "NOT_FOUND", "PRUNED");
});
