import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { DEVELOPMENT_AUTHORITY_KEYS, developmentGenesis } from "../../../src/server/host/development.ts";
import { type OpenOptions, openHost } from "../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../src/server/host/signingKit.ts";
import { computeRoot, getHead } from "../../../src/venue/engine/commitment/root.ts";
import { computeGenesisHash } from "../../../src/venue/engine/state/genesisHash.ts";
import { TestDisk } from "../../helpers/disk.ts";
import { CLIENT_KEYS, oraclePrice, STEP, submit, TestClient, testGenesis } from "../../helpers/host.ts";

const signing = signingKitAtHand();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function createDirectory(): string {
  folders.push(mkdtempSync(join(tmpdir(), "perplab-host-")));
  return folders.at(-1)!;
}

function open(options: Partial<OpenOptions> = {}) {
  const authorityKeys = DEVELOPMENT_AUTHORITY_KEYS;
  return openHost({
    genesis: testGenesis,
    directory: "disk",
    roomBytes: 0,
    signing,
    time: STEP,
    authorityKeys,
    ...options,
  });
}

const createClients = () => CLIENT_KEYS.map((key) => new TestClient(key, testGenesis));

describe("a host on disk", () => {
  test("reopens after a close with its blocks, its keys and its pending transactions", async () => {
    const directory = createDirectory();
    const [alice, bob] = createClients() as [TestClient, TestClient];
    const host = await open({ directory });
    await host.submitSystem("oracleUpdate", oraclePrice("50000"));
    const [ask, bid] = [alice.order("sell", "0.5", "50000"), bob.order("buy", "0.2", "50000")];
    for (const signed of [ask, bid]) expect(await submit(host, signed)).toMatchObject({ accepted: true });
    const [first, second] = [alice.noop(), alice.noop()];
    const gap = await submit(host, second);
    const late = bob.noop({ nonce: 0, clientTxId: "late" });
    expect(await submit(host, late)).toMatchObject({ refusal: { code: "NONCE_TOO_LOW" } });
    const found = host.transaction(bid.id);
    const blocks = [1, 2, 3].map((height) => host.block(height));
    await host.close();

    const again = await open({ directory });
    expect(getHead(again.state)).toBe(getHead(host.state));
    expect(computeRoot(again.state)).toBe(computeRoot(host.state));
    expect(again.transaction(bid.id)).toEqual(found);
    expect([1, 2, 3].map((height) => again.block(height))).toEqual(blocks);
    expect(again.transaction(second.id)).toMatchObject({ status: "pending", sinceHeight: 3 });
    expect(await submit(again, second)).toEqual({ ...gap, replayed: true });
    expect(await submit(again, bid)).toMatchObject({ accepted: true, replayed: true });
    expect(await again.submit(bob.noop({ nonce: 1 }), late.key)).toMatchObject({ refusal: { kind: "keyReused" } });
    await submit(again, first);
    expect(again.block(4)!.ids).toEqual([first.id, second.id]);
    await again.close();
  });

  test("refuses a folder that another host has open, and frees its own when it closes", async () => {
    const directory = createDirectory();
    const host = await open({ directory });
    await expect(open({ directory })).rejects.toMatchObject({ code: "STORE_LOCKED" });
    await host.close();
    await (await open({ directory })).close();
  });

  test("continues with the genesis of the folder, and with no other", async () => {
    const directory = createDirectory();
    await expect(openHost({ directory })).rejects.toMatchObject({ code: "STORE_FORMAT" });
    await (await open({ directory })).close();
    await expect(open({ directory, genesis: developmentGenesis({ timeMs: 5 }) })).rejects.toMatchObject({
      code: "STORE_GENESIS",
    });
    const host = await openHost({ directory, signing });
    expect(computeGenesisHash(host.genesis)).toBe(computeGenesisHash(testGenesis));
    await host.close();
  });

  test("keeps no more in memory than its option allows, and reads the rest", async () => {
    const host = await open({ files: new TestDisk(), cachedBlocks: 1 });
    const clients = createClients();
    const all = [];
    for (let count = 0; count < 8; count++) {
      all.push(clients[count % 4]!.noop());
      await submit(host, all.at(-1)!);
    }
    for (const [at, { id }] of all.entries()) {
      expect(host.transaction(id)).toMatchObject({
        status: "committed",
        block: { height: at + 1, ids: [id] },
        index: 0,
      });
    }
    await host.close();
  });

  test("reports expired, replaced and reverted transactions also after a restart", async () => {
    const disk = new TestDisk();
    const host = await open({ files: disk, blocks: { mode: "manual" } });
    const [alice, bob] = createClients() as [TestClient, TestClient];
    const kept = bob.noop();
    await submit(host, kept);
    const old = alice.noop();
    await submit(host, old);
    const next = alice.noop({ nonce: 0, replaces: old.id });
    await submit(host, next);
    const gap = alice.noop({ nonce: 7, validUntil: 1 });
    await submit(host, gap);
    await host.mine();
    const reverted = bob.noop();
    await submit(host, reverted);
    await host.mine();
    await host.revert(1);
    const found = [kept, old, next, gap, reverted].map(({ id }) => host.transaction(id));
    expect(found.map((entry) => entry?.status)).toEqual(["committed", "replaced", "committed", "expired", "dropped"]);
    await host.close();
    const again = await open({ files: disk.afterKill(), blocks: { mode: "manual" } });
    expect([kept, old, next, gap, reverted].map(({ id }) => again.transaction(id))).toEqual(found);
    expect([again.epoch, again.state.height]).toEqual([1, 1]);
    expect(await submit(again, reverted)).toMatchObject({ accepted: true, replayed: false });
    await again.mine();
    expect(again.transaction(reverted.id)).toMatchObject({ status: "committed", block: { height: 2 } });
    expect(await submit(again, reverted)).toMatchObject({ accepted: true, replayed: true });
    await again.close();
  });

  test("a revert reaches back before what is in memory", async () => {
    const disk = new TestDisk();
    const host = await open({ files: disk });
    const [alice] = createClients() as [TestClient];
    const roots = [computeRoot(host.state)];
    for (let count = 0; count < 4; count++) {
      await submit(host, alice.noop());
      roots.push(computeRoot(host.state));
    }
    await host.close();
    const again = await open({ files: disk.afterKill() });
    for (const height of [3, 1, 0]) {
      await again.revert(height);
      expect(computeRoot(again.state)).toBe(roots[height]);
    }
    await again.close();
  });
});

describe("a store that fails", () => {
  test.each(["full", "sync"] as const)(
    "stops the host (%s): what was under way may be there, nothing more is taken",
    async (fault) => {
      const disk = new TestDisk();
      const host = await open({ files: disk });
      const [alice, bob] = createClients() as [TestClient, TestClient];
      const kept = alice.noop();
      await submit(host, kept);
      const reasons: string[] = [];
      host.onFailure((reason) => reasons.push(reason));
      disk.fault = fault;
      const [lost, other] = [alice.noop(), bob.noop()];
      expect(await submit(host, lost)).toMatchObject({ refusal: { kind: "unavailable", maybeSubmitted: true } });
      expect(await submit(host, other)).toMatchObject({ refusal: { kind: "unavailable", maybeSubmitted: false } });
      await expect(host.mine()).rejects.toMatchObject({ code: "HOST_STOPPED" });
      expect(reasons).toEqual([host.failure]);
      expect(host.transaction(lost.id)).toBeUndefined();
      // What it holds can still be read.
      expect(host.transaction(kept.id)).toMatchObject({ status: "committed" });
      expect(host.state.height).toBe(1);
      await host.close();

      const again = await open({ files: disk.afterKill() });
      expect(again.transaction(kept.id)).toMatchObject({ status: "committed" });
      expect(await submit(again, lost)).toMatchObject({ accepted: true });
      expect(again.transaction(lost.id)).toMatchObject({ status: "committed" });
      await again.close();
    },
  );
});
