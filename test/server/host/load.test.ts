import fc from "fast-check";
import { expect, test } from "vitest";
import { createHost } from "../../../src/server/host/createHost.ts";
import { developmentGenesis } from "../../../src/server/host/development.ts";
import type { VenueHost } from "../../../src/server/host/host.ts";
import { openHost } from "../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../src/server/host/signingKit.ts";
import { readDump, writeDump } from "../../../src/server/host/store/dump.ts";
import { computeRoot, getHead } from "../../../src/venue/engine/commitment/root.ts";
import { TestDisk } from "../../helpers/disk.ts";
import { CLIENT_KEYS, openTestHost, oraclePrice, STEP, submit, TestClient, testGenesis } from "../../helpers/host.ts";

const signing = signingKitAtHand();
const onDisk = (files: TestDisk, more: object = {}) =>
  openHost({ genesis: testGenesis, directory: "disk", files, signing, time: STEP, roomBytes: 0, ...more });

/** The dump of a venue with two orders, at height 3. */
async function createDump() {
  const { host, clients } = openTestHost();
  await host.submitSystem("oracleUpdate", oraclePrice("50000"));
  await submit(host, clients[0]!.order("sell", "0.5", "50000"));
  await submit(host, clients[1]!.order("buy", "0.2", "50000"));
  return { dump: writeDump(host), root: computeRoot(host.state) };
}

const clientAt = (nonce: number, key = 2) => {
  const client = new TestClient(CLIENT_KEYS[key]!, testGenesis);
  for (let used = 0; used < nonce; used++) client.noop();
  return client;
};

test.each(["memory", "disk"] as const)("in %s, a venue replaces another, whose chain is dropped", async (kind) => {
  const { dump, root } = await createDump();
  const disk = new TestDisk();
  const host = kind === "disk" ? await onDisk(disk) : createHost({ genesis: testGenesis, time: STEP });
  const client = clientAt(0);
  const old = Array.from({ length: 7 }, () => client.noop());
  for (const signed of old) await submit(host, signed);
  const waiting = client.noop({ nonce: 20 });
  await submit(host, waiting);
  const reasons: string[] = [];
  host.onEpoch((reason) => reasons.push(reason));
  await host.load(readDump(dump));
  expect([computeRoot(host.state), host.state.height, host.oldestHeight]).toEqual([root, 3, 4]);
  expect([host.epoch, reasons, host.pool.size]).toEqual([1, ["loaded"], 0]);
  expect([1, 3, 7].map((height) => host.block(height))).toEqual([undefined, undefined, undefined]);
  for (const { id } of [...old, waiting]) expect(host.transaction(id)?.status).toBe("dropped");
  await expect(host.revert(2)).rejects.toMatchObject({ code: "HEIGHT_NOT_KEPT" });
  // Dropped transactions are accepted again.
  expect(await submit(host, old[0]!)).toMatchObject({ accepted: true, replayed: false });
  expect(host.transaction(old[0]!.id)).toMatchObject({ status: "committed", block: { height: 4 } });
  const after = computeRoot(host.state);
  await host.revert(3);
  expect([computeRoot(host.state), host.epoch]).toEqual([root, 2]);
  expect(await submit(host, old[0]!)).toMatchObject({ accepted: true });
  expect(computeRoot(host.state)).toBe(after);
  await host.close();
});

test("a venue of another genesis is refused, and nothing changes", async () => {
  const { host } = openTestHost();
  await host.mine();
  const other = createHost({ genesis: developmentGenesis({ timeMs: 5 }) });
  await expect(host.load(readDump(writeDump(other)))).rejects.toMatchObject({ code: "GENESIS_DIFFERS" });
  expect([host.epoch, host.state.height, host.block(1)?.height]).toEqual([0, 1, 1]);
});

/** State of the disk at a crash, and what was acknowledged until then. */
interface Left {
  readonly disk: TestDisk;
  readonly hash: string;
  readonly epoch: number;
}

// Method: blocks, loads and reverts in any order. The disk is copied at points of the store as a crash would leave it.
// Each copy restarts to a chain that existed at some time, not before the last acknowledged one.
test("after any loads and reverts, a restart ends at the same state, after crashes, too", async () => {
  const { dump } = await createDump();
  let restarts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("block", "block", "block", "load", "revert"), { minLength: 4, maxLength: 20 }),
      fc.infiniteStream(fc.nat(99)),
      async (steps, chance) => {
        const draw = () => chance.next().value as number;
        const disk = new TestDisk();
        const lefts: Left[] = [];
        const seen = [{ hash: "", epoch: 0 }];
        const onPoint = () => {
          if (draw() < 70) return;
          const torn = draw() < 50 ? disk.afterKill() : disk.afterPowerCut(() => draw() < 50);
          lefts.push({ disk: torn, ...seen.at(-1)! });
        };
        const host: VenueHost = await onDisk(disk, { onPoint, snapshotBytes: 900, segmentBytes: 30_000 });
        const note = () => seen.push({ hash: getHead(host.state), epoch: host.epoch });
        seen[0] = { hash: getHead(host.state), epoch: 0 };
        for (const step of steps) {
          if (step === "block") await host.mine();
          else if (step === "load") await host.load(readDump(dump));
          else await host.revert(Math.max(host.oldestHeight - 1, host.state.height - (draw() % 4)));
          note();
        }
        await host.close();
        for (const { disk: found, hash, epoch } of [...lefts, { disk: disk.afterKill(), ...seen.at(-1)! }]) {
          restarts++;
          const again = await onDisk(found);
          const acknowledged = seen.findIndex((one) => one.hash === hash && one.epoch === epoch);
          const now = seen.findLastIndex((one) => one.hash === getHead(again.state) && one.epoch === again.epoch);
          expect(now).toBeGreaterThanOrEqual(acknowledged);
          await again.mine();
          const root = computeRoot(again.state);
          await again.close();
          const last = await onDisk(found.afterKill());
          expect([computeRoot(last.state), last.epoch]).toEqual([root, again.epoch]);
          await last.close();
        }
      },
    ),
    { numRuns: 12 },
  );
  expect(restarts).toBeGreaterThan(40);
});

test("a state of the chain that was left is not taken for the venue that was loaded, though it has its height", async () => {
  const { dump, root } = await createDump();
  const disk = new TestDisk();
  const host = await onDisk(disk);
  for (let count = 0; count < 3; count++) await host.mine();
  await host.close();
  const [name] = disk.list().filter((file) => file.startsWith("state-")) as [string];
  const left = disk.files.get(name)!;
  const again = await onDisk(disk);
  await again.load(readDump(dump));
  expect(disk.files.has(name)).toBe(false);
  // As a crash leaves it that comes before it is removed.
  const crashed = disk.afterKill();
  crashed.files.set(name, left);
  await again.close();
  for (const found of [crashed, disk.afterKill()]) {
    const last = await onDisk(found);
    expect([last.state.height, computeRoot(last.state)]).toEqual([3, root]);
    await last.close();
  }
});

test("the epoch rises above that of both venues", async () => {
  const { host } = openTestHost();
  await host.revert(0);
  const { state } = createHost({ genesis: testGenesis });
  await host.load(readDump(writeDump({ state, epoch: 5 })));
  expect(host.epoch).toBe(6);
  await host.load(readDump(writeDump({ state, epoch: 2 })));
  expect(host.epoch).toBe(7);
});
