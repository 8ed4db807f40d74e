import { Type } from "typebox";
import { expect, onTestFinished, test, vi } from "vitest";
import type { VenueEndpoint } from "../../../src/client/api/endpoint.ts";
import type { NetworkChange } from "../../../src/client/sdk/index.ts";
import { createVenueClient, inProcess, privateKeyToAccount, runStrategy } from "../../../src/client/sdk/index.ts";
import { defineStrategy } from "../../../src/client/strategy/index.ts";
import { type CreateDevnetOptions, createDevnet, type Devnet } from "../../../src/server/devnet/createDevnet.ts";

// Goal: a client that stays while the venue at its address is started again keeps nothing of the old chain, and its
// user hears of it. Method: one transport, two venues in memory one after the other.

const ORDER = { market: "BTC-PERP", side: "buy", size: "0.1", orderType: "limit" } as const;

async function arrange(options: CreateDevnetOptions = {}) {
  let devnet: Devnet = await createDevnet(options);
  let connections = 0;
  const endpoint: VenueEndpoint = {
    request: (request) => devnet.endpoint.request(request),
    connect(listener) {
      connections++;
      return devnet.endpoint.connect(listener);
    },
  };
  const changes: NetworkChange[] = [];
  const account = privateKeyToAccount(devnet.accounts[0]!.privateKey);
  const client = createVenueClient({
    transport: inProcess(endpoint),
    account,
    retry: { baseMs: 1, mostMs: 5 },
    statusMaxAgeMs: 0,
    onNetworkChange: (change) => changes.push(change),
  });
  onTestFinished(() => devnet.close());
  return {
    account,
    client,
    changes,
    /** How often the client has connected. */
    connections: () => connections,
    current: () => devnet,
    /** Ends the venue and starts another one in its place, after these blocks. */
    async restart(prepare: (next: Devnet) => Promise<unknown> = async () => {}) {
      const before = devnet;
      const next = await createDevnet(options);
      await prepare(next);
      devnet = next;
      before.service.hub.close("restart", 1);
      await before.close();
    },
  };
}

test("a venue that was started again is reported once, its books begin again, and nothing is signed until accepted", async () => {
  const { client, changes, restart, current, account } = await arrange();
  const before = current().host.domain.genesisHash;
  const shown: string[] = [];
  const followed = client.followBook({
    market: "BTC-PERP",
    onChange: ({ isReady, book }) => shown.push(`${isReady ? "ready" : "dropped"} ${book.bids.length}`),
  });
  await followed.ready();
  for (const price of ["59000", "58000"]) await (await client.placeOrder({ ...ORDER, price })).wait();
  await vi.waitFor(() => expect(shown.at(-1)).toBe("ready 2"));

  await restart();
  const now = current().host.domain.genesisHash;
  await vi.waitFor(() => expect(shown.slice(-2)).toEqual(["dropped 0", "ready 0"]));
  expect(changes).toEqual([{ field: "genesisHash", before, now }]);
  await expect(client.placeOrder({ ...ORDER, price: "57000" })).rejects.toMatchObject({
    code: "NETWORK_CHANGED",
    details: { field: "genesisHash", before, now },
  });

  client.network.accept();
  const order = await client.placeOrder({ ...ORDER, price: "57000" });
  expect([order.nonce, (await order.wait()).status]).toEqual([0, "applied"]);
  expect((await client.listOrders({ address: account.address })).data).toHaveLength(1);
  expect(changes).toHaveLength(1);
  followed.close();
});

test("a change is reported once, however often the client connects to the new chain", async () => {
  const { account, client, changes, connections, restart, current } = await arrange();
  const followed = client.followBook({ market: "BTC-PERP" });
  await followed.ready();
  // A signature pins the network, and each connection compares with what was pinned.
  await (await client.placeOrder({ ...ORDER, price: "58000" })).wait();
  await restart();
  await vi.waitFor(() => expect(changes).toHaveLength(1));
  const before = connections();
  current().faults.add({ kind: "streamDrop", times: 1 });
  const other = createVenueClient({ transport: inProcess(current().endpoint), account });
  await (await other.placeOrder({ ...ORDER, price: "59000" })).wait();
  await vi.waitFor(() => expect(connections()).toBeGreaterThan(before));
  await vi.waitFor(() => expect(followed.book.bids).toHaveLength(1));
  expect(changes).toHaveLength(1);
  followed.close();
});

test("without a stream, the next signature finds the change and reports it", async () => {
  const { client, changes, restart } = await arrange();
  await (await client.placeOrder({ ...ORDER, price: "59000" })).wait();
  await restart();
  await expect(client.placeOrder({ ...ORDER, price: "58000" })).rejects.toMatchObject({ code: "NETWORK_CHANGED" });
  await expect(client.placeOrder({ ...ORDER, price: "58000" })).rejects.toMatchObject({ code: "NETWORK_CHANGED" });
  expect(changes.map(({ field }) => field)).toEqual(["genesisHash"]);
});

test("of the same genesis and epoch, a chain with other blocks is found by the block that a resume names", async () => {
  const { client, changes, restart, current } = await arrange({ networkSalt: "fixed" });
  const followed = client.followBook({ market: "BTC-PERP" });
  await followed.ready();
  await (await client.placeOrder({ ...ORDER, price: "59000" })).wait();
  await vi.waitFor(() => expect(followed.book.bids).toHaveLength(1));
  const before = current().host.block(followed.height)!.hash;

  await restart(async (next) => {
    for (let count = 0; count < 5; count++) await next.setPrice("BTC-PERP", `${61_000 + count}`);
  });
  await vi.waitFor(() => expect(followed.isReady && followed.book.bids.length).toBe(0));
  expect(changes).toMatchObject([{ field: "block", before }]);
  await expect(client.placeOrder({ ...ORDER, price: "58000" })).rejects.toMatchObject({ code: "NETWORK_CHANGED" });
  client.network.accept();
  expect((await (await client.placeOrder({ ...ORDER, price: "58000" })).wait()).status).toBe("applied");
  followed.close();
});

test("a chain that is continued is resumed, and nothing is reported", async () => {
  const { client, changes, current } = await arrange();
  const followed = client.followBook({ market: "BTC-PERP" });
  await followed.ready();
  await (await client.placeOrder({ ...ORDER, price: "59000" })).wait();
  current().faults.add({ kind: "streamDrop", times: 1 });
  await (await client.placeOrder({ ...ORDER, price: "58000" })).wait();
  await vi.waitFor(() => expect(followed.book.bids).toHaveLength(2));
  expect(changes).toEqual([]);
  followed.close();
});

test("a strategy ends on another chain, since its state is of the old one", async () => {
  const { client, changes, restart, current } = await arrange();
  const control = current();
  const runner = await runStrategy(client, defineStrategy({ id: "idle", params: Type.Object({}), onBlock() {} }));
  await control.setPrice("BTC-PERP", "60100");
  await vi.waitFor(async () => expect(await runner.step()).toBe(true));
  await restart();
  await vi.waitFor(() => expect(changes).toHaveLength(1));
  await expect(runner.step()).rejects.toMatchObject({ code: "NETWORK_CHANGED" });
  runner.end();
});
