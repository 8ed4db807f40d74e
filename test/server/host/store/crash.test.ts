import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FAULT_POINTS, type FaultPoint } from "../../../../src/client/api/schemas/faults.ts";
import type { Bytes32 } from "../../../../src/protocol/fields.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../../../src/server/host/development.ts";
import type { BlockEntry, VenueHost } from "../../../../src/server/host/host.ts";
import { type OpenOptions, openHost } from "../../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../../src/server/host/signingKit.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { TestDisk } from "../../../helpers/disk.ts";
import { CLIENT_KEYS, STEP, submit, TestClient, testGenesis } from "../../../helpers/host.ts";

const signing = signingKitAtHand();

function open(files: TestDisk, options: Partial<OpenOptions> = {}) {
  const authorityKeys = DEVELOPMENT_AUTHORITY_KEYS;
  return openHost({
    genesis: testGenesis,
    directory: "disk",
    roomBytes: 0,
    files,
    signing,
    time: STEP,
    authorityKeys,
    ...options,
  });
}

type Sent = ReturnType<TestClient["noop"]>;

/** Position of each committed transaction; none is there twice. */
function committedOf(host: VenueHost): Map<Bytes32, number> {
  const at = new Map<Bytes32, number>();
  for (let height = host.oldestHeight; height <= host.state.height; height++) {
    const { ids, receipts } = host.block(height)!;
    for (const [index, id] of ids.entries()) {
      if (receipts[index]!.status === "invalid") continue;
      expect(at.has(id), `${id} is there twice`).toBe(false);
      at.set(id, height);
    }
  }
  return at;
}

/** State of the disk at a crash, and what was acknowledged until then. */
interface Crash {
  readonly point: FaultPoint;
  readonly disk: TestDisk;
  readonly acknowledged: readonly Sent[];
  readonly announced: readonly BlockEntry[];
}

// Goal: whenever the machine loses power, or the process is killed, nothing that was acknowledged is lost, nothing
// commits twice, and no acknowledged block is replaced.
// Method: at points of a run the disk is copied as a crash would leave it, torn at random; each copy is started again,
// all transactions are sent once more, and in the end every one of them is in the chain once.
test("a crash at any point loses nothing that was acknowledged and commits nothing twice", async () => {
  const reached = new Set<FaultPoint>();
  let restarts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3), { minLength: 1, maxLength: 24 }),
      fc.infiniteStream(fc.nat(99)),
      async (senders, chance) => {
        const draw = () => chance.next().value as number;
        const clients = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis));
        const disk = new TestDisk();
        const crashes: Crash[] = [];
        const acknowledged: Sent[] = [];
        const announced: BlockEntry[] = [];
        const onPoint = (point: FaultPoint) => {
          if (draw() > 25) return;
          const torn = draw() < 30 ? disk.afterKill() : disk.afterPowerCut(() => draw() < 50);
          crashes.push({ point, disk: torn, acknowledged: [...acknowledged], announced: [...announced] });
        };
        const host = await open(disk, { onPoint, segmentBytes: 4_000, snapshotBytes: 1_500, roomBytes: 900 });
        host.onBlock((entry) => announced.push(entry));
        const sent: Sent[] = [];
        const answers: Promise<void>[] = [];
        for (const sender of senders) {
          const signed = clients[sender]!.noop();
          sent.push(signed);
          answers.push(submit(host, signed).then(({ accepted }) => void (accepted && acknowledged.push(signed))));
          if (draw() < 60) await answers.at(-1);
        }
        await Promise.all(answers);
        await host.close();
        for (const crash of crashes) {
          reached.add(crash.point);
          restarts++;
          const again = await open(crash.disk, { segmentBytes: 4_000, roomBytes: 300 });
          for (const entry of crash.announced) expect(again.block(entry.height)).toEqual(entry);
          for (const { id } of crash.acknowledged) {
            expect(again.transaction(id)?.status, crash.point).toMatch(/pending|committed/);
          }
          for (const signed of sent) expect(await submit(again, signed)).toMatchObject({ accepted: true });
          const at = committedOf(again);
          for (const { id } of sent) expect(at.has(id), crash.point).toBe(true);
          expect(again.pool.size).toBe(0);
          await again.close();
          const last = await open(crash.disk);
          expect(computeRoot(last.state)).toBe(computeRoot(again.state));
          await last.close();
        }
      },
    ),
    { numRuns: 25 },
  );
  expect(restarts).toBeGreaterThan(100);
  expect([...reached].sort()).toEqual([...FAULT_POINTS].sort());
});

/** A log of a few groups, with how long it was when each transaction was acknowledged. */
async function writeLog(): Promise<{ disk: TestDisk; name: string; sent: { id: Bytes32; bytes: number }[] }> {
  const disk = new TestDisk();
  const host = await open(disk);
  const [name] = disk.list() as [string];
  const [alice] = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis)) as [TestClient];
  const sent: { id: Bytes32; bytes: number }[] = [];
  for (let count = 0; count < 3; count++) {
    const signed = alice.noop();
    // A transaction that only waits makes a group without a block.
    const waiting = alice.noop({ nonce: 100 + count });
    await submit(host, waiting);
    await submit(host, signed);
    for (const { id } of [signed, waiting]) sent.push({ id, bytes: disk.files.get(name)!.durable.length });
  }
  return { disk: disk.afterKill(), name, sent };
}

describe("a log that was damaged", () => {
  test("cut at any byte, it opens with everything that was durable there, and continues", async () => {
    const { disk, name, sent } = await writeLog();
    const { bytes } = disk.files.get(name)!;
    const first = sent.at(-3)!.bytes;
    for (let length = first; length < bytes.length; length++) {
      const cut = disk.afterKill();
      cut.files.get(name)!.bytes = bytes.slice(0, length);
      const host = await open(cut);
      for (const { id, bytes: needed } of sent) {
        if (needed <= length) expect(host.transaction(id)?.status, `${length}`).toMatch(/pending|committed/);
      }
      committedOf(host);
    }
  });

  test("damaged at any byte before its last group, it is refused: nothing that was durable is lost in silence", async () => {
    const { disk, name, sent } = await writeLog();
    const { bytes } = disk.files.get(name)!;
    const durable = sent.at(-3)!.bytes;
    for (let at = 0; at < durable; at += 5) {
      const hurt = disk.afterKill();
      const file = hurt.files.get(name)!;
      file.bytes = bytes.slice();
      file.bytes[at]! ^= 1 << (at % 8);
      const code = await open(hurt).then(
        () => "opened",
        (error: { code: string }) => error.code,
      );
      expect(code, `byte ${at}`).toMatch(/^STORE_(CORRUPT|FORMAT|VERSION)$/);
    }
  });

  test("a missing segment is reported, an unfinished one is not", async () => {
    const disk = new TestDisk();
    const host = await open(disk, { segmentBytes: 4_000 });
    const [alice] = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis)) as [TestClient];
    for (let count = 0; count < 12; count++) await submit(host, alice.noop());
    const parts = disk.list().filter((name) => name.startsWith("log-"));
    expect(parts.length).toBeGreaterThan(2);
    const hole = disk.afterKill();
    hole.remove(parts[1]!);
    await expect(open(hole)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    // Damage in a segment differs from a torn tail by what later segments hold.
    const hurt = disk.afterKill();
    const file = hurt.files.get(parts[0]!)!;
    file.bytes = file.bytes.slice(0, -1);
    await expect(open(hurt)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    const begun = disk.afterKill();
    begun.open(`log-${String(parts.length).padStart(8, "0")}.perpstor`, "create").write(new Uint8Array(11), 0);
    const again = await open(begun);
    expect(computeRoot(again.state)).toBe(computeRoot(host.state));
    await again.close();
  });

  test("a state file that is damaged is passed over", async () => {
    const disk = new TestDisk();
    const host = await open(disk);
    const [alice] = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis)) as [TestClient];
    for (let count = 0; count < 3; count++) await submit(host, alice.noop());
    await host.close();
    const name = disk.list().find((file) => file.startsWith("state-"))!;
    for (let at = 0; at < disk.files.get(name)!.bytes.length; at += 997) {
      const hurt = disk.afterKill();
      hurt.files.get(name)!.bytes[at]! ^= 4;
      const again = await open(hurt);
      expect(computeRoot(again.state)).toBe(computeRoot(host.state));
      await again.close();
    }
  });
});
