import { expect, test } from "vitest";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import { type OpenOptions, openHost } from "../../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../../src/server/host/signingKit.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { TestDisk } from "../../../helpers/disk.ts";
import { CLIENT_KEYS, STEP, submit, TestClient, testGenesis } from "../../../helpers/host.ts";

const signing = signingKitAtHand();
const HOUR = 3_600_000;

function open(files: TestDisk, options: Partial<OpenOptions> = {}) {
  const sizes = { segmentBytes: 6_000, snapshotBytes: 3_000, keepBlocks: 20, keyMs: HOUR };
  return openHost({
    genesis: testGenesis,
    directory: "disk",
    roomBytes: 0,
    files,
    signing,
    time: STEP,
    ...sizes,
    ...options,
  });
}

const logs = (disk: TestDisk) => disk.list().filter((name) => name.startsWith("log-")).length;

/** One after the other, each in a block of its own, and the disk gets its turns. */
async function send(host: Awaited<ReturnType<typeof open>>, client: TestClient, count: number, validUntil: number) {
  const ids: Bytes32[] = [];
  for (let sent = 0; sent < count; sent++) {
    const signed = client.noop({ validFrom: Math.max(0, validUntil - 1200), validUntil });
    expect(await submit(host, signed)).toMatchObject({ accepted: true });
    ids.push(signed.id);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
  return ids;
}

test("old parts of the log go when their blocks, keys and transactions are needed no more, and the rest opens without them", async () => {
  let now = 1_000_000;
  const clock = () => now;
  const disk = new TestDisk();
  const host = await open(disk, { clock, keyMs: HOUR });
  const [alice, bob, carol] = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis)) as [
    TestClient,
    TestClient,
    TestClient,
  ];
  const early = await send(host, alice, 40, 1000);
  const parts = logs(disk);
  expect(parts).toBeGreaterThan(4);
  // Keys outlive the last height of their transactions, and the time.
  now += 2 * HOUR;
  for (let count = 0; count < 30; count++) await host.mine();
  await send(host, bob, 5, 1000);
  expect([logs(disk) > parts, host.oldestHeight]).toEqual([true, 1]);
  while (host.state.height < 2001) await host.mine();
  now += 2 * HOUR;
  const late = await send(host, carol, 40, 3000);
  expect(host.oldestHeight).toBeGreaterThan(40);
  expect(host.oldestHeight).toBeLessThanOrEqual(host.state.height - 20);
  expect(host.transaction(early[0]!)).toBeUndefined();
  expect(host.block(1)).toBeUndefined();
  const last = host.transaction(late[30]!);
  expect(last).toMatchObject({ status: "committed" });
  const oldest = host.block(host.oldestHeight);
  await host.close();
  expect(() => host.transaction(late[0]!)).toThrow("closed");
  const again = await open(disk.afterKill(), { clock });
  expect(computeRoot(again.state)).toBe(computeRoot(host.state));
  expect(again.oldestHeight).toBe(host.oldestHeight);
  expect(again.block(again.oldestHeight)).toEqual(oldest);
  expect(again.block(again.oldestHeight - 1)).toBeUndefined();
  expect(again.transaction(late[30]!)).toEqual(last);
  await again.revert(again.state.height - 5);
  await expect(again.revert(10)).rejects.toMatchObject({ code: "HEIGHT_NOT_KEPT" });
  await again.close();
});

test("a transaction that waits keeps its part of the log", async () => {
  let now = 1_000_000;
  const disk = new TestDisk();
  const host = await open(disk, { clock: () => now, keyMs: 1, blocks: { mode: "manual" } });
  const [alice] = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis)) as [TestClient];
  const waiting = alice.noop({ nonce: 5, validFrom: 1100, validUntil: 2300 });
  await submit(host, waiting);
  for (let count = 0; count < 1200; count++) await host.mine();
  now += HOUR;
  for (let count = 0; count < 40; count++) {
    await host.mine();
    await new Promise(setImmediate);
  }
  expect(host.oldestHeight).toBe(1);
  expect(host.transaction(waiting.id)).toMatchObject({ status: "pending" });
  await host.close();
  const again = await open(disk.afterKill());
  expect(again.transaction(waiting.id)).toMatchObject({ status: "pending" });
  await again.close();
});
