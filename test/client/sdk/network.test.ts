import { describe, expect, test } from "vitest";
import type { Status } from "../../../src/client/sdk/resources.ts";
import { compareVersions } from "../../../src/client/sdk/versions.ts";
import { createFake, order } from "./helpers/fakeClient.ts";

describe("before the first signature", () => {
  test("the status is read", async () => {
    const { venue, client } = createFake();
    await client.placeOrder(order);
    const status = venue.requests.indexOf("GET /status");
    expect(status).toBeGreaterThanOrEqual(0);
    expect(status).toBeLessThan(venue.requests.indexOf("POST /transactions"));
  });

  test.each([
    ["protocol", { protocol: [0, 2] }],
    ["envelope", { envelope: [2] }],
    ["api", { api: "2.0.0" }],
    ["sdk", { sdk: { typescript: { minimum: "0.2.0", current: "0.2.0" } } }],
  ])("a venue of another %s version is refused", async (of, versions) => {
    const { venue, client } = createFake();
    venue.status = { ...venue.status, versions: { ...venue.status.versions, ...versions } as Status["versions"] };
    await expect(client.placeOrder(order)).rejects.toMatchObject({ code: "VERSION_UNSUPPORTED", details: { of } });
    expect(venue.attempts).toEqual([]);
  });

  test("a venue that takes this version among others is not", async () => {
    const { venue, client } = createFake();
    venue.status = { ...venue.status, versions: { ...venue.status.versions, protocol: [0, 1, 2], envelope: [1, 2] } };
    expect((await (await client.placeOrder(order)).wait()).status).toBe("applied");
  });

  test.each([
    ["name", { name: "mainnet" }],
    ["chainId", { chainId: 1 }],
    ["genesisHash", { genesisHash: `0x${"00".repeat(32)}` as const }],
  ])("a venue of another %s than the client is meant for is refused", async (field, network) => {
    const { venue, client } = createFake({ network });
    await expect(client.placeOrder(order)).rejects.toMatchObject({ code: "NETWORK_MISMATCH", details: { field } });
    expect(venue.attempts).toEqual([]);
  });
});

describe("later", () => {
  test.each([
    ["epoch", { epoch: 2 }],
    ["genesisHash", { genesisHash: `0x${"00".repeat(32)}` }],
    ["chainId", { chainId: 1 }],
    ["name", { name: "other" }],
  ])("a venue whose %s has changed is not signed for until the client accepts it", async (field, change) => {
    const { venue, clock, client } = createFake();
    await (await client.placeOrder(order)).wait();
    venue.status = { ...venue.status, network: { ...venue.status.network, ...change } };
    clock.now += 2_000;
    await expect(client.placeOrder(order)).rejects.toMatchObject({ code: "NETWORK_CHANGED", details: { field } });
    expect(venue.attempts.length).toBe(1);
    client.network.accept();
    expect((await (await client.placeOrder(order)).wait()).status).toBe("applied");
  });

  test("the status is read again when it is old, and not before", async () => {
    const { venue, clock, client } = createFake();
    const reads = () => venue.requests.filter((request) => request === "GET /status").length;
    for (let count = 0; count < 3; count++) await client.network.check();
    expect(reads()).toBe(1);
    clock.now += 1_000;
    await client.network.check();
    expect(reads()).toBe(1);
    clock.now += 1;
    await Promise.all([client.network.check(), client.network.check()]);
    expect(reads()).toBe(2);
  });
});

test("a signed transaction is valid from the last height of any answer", async () => {
  const { venue, client } = createFake({ validityBlocks: 50 });
  await client.network.check();
  client.core.onHeight(70);
  client.core.onHeight(60);
  await client.placeOrder(order);
  const { header } = JSON.parse(venue.attempts[0]!.body) as { header: { validFrom: number; validUntil: number } };
  expect(header).toMatchObject({ validFrom: 70, validUntil: 120 });
});

test("a client without an account signs nothing", async () => {
  const { client } = createFake({ account: undefined as never });
  await expect(client.placeOrder(order)).rejects.toMatchObject({ code: "ACCOUNT_MISSING" });
});

test("versions compare by their numbers", () => {
  expect(compareVersions("0.10.0", "0.9.9")).toBeGreaterThan(0);
  expect(compareVersions("1.0.0", "1.0.0")).toBe(0);
  expect(compareVersions("0.1.0", "0.1.1")).toBeLessThan(0);
  expect(compareVersions("2.0.0-beta", "1.9.9")).toBeGreaterThan(0);
});
