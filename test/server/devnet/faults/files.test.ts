import { expect, test } from "vitest";
import type { FaultRequest } from "../../../../src/client/api/schemas/faults.ts";
import { FaultyFiles } from "../../../../src/server/devnet/faults/files.ts";
import { FaultPlan } from "../../../../src/server/devnet/faults/plan.ts";
import { openHost } from "../../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../../src/server/host/signingKit.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { TestDisk } from "../../../helpers/disk.ts";
import { CLIENT_KEYS, STEP, submit, TestClient, testGenesis } from "../../../helpers/host.ts";

const signing = signingKitAtHand();

function open(disk: TestDisk, plan: FaultPlan, onWarning: (message: string) => void = () => {}) {
  const wrapFiles = (files: TestDisk) => new FaultyFiles(files, plan);
  return openHost({
    ...{ genesis: testGenesis, directory: "disk", files: disk, signing, time: STEP, roomBytes: 0, snapshotBytes: 500 },
    wrapFiles: wrapFiles as never,
    onWarning,
  });
}

test.each([
  { kind: "diskFull", file: "log", reason: "ENOSPC" },
  { kind: "syncFailure", file: "log", reason: "EIO" },
  { kind: "diskFull", reason: "ENOSPC" },
  { kind: "syncFailure", skip: 2, reason: "EIO" },
] satisfies (FaultRequest & { reason: string })[])(
  "under %o the host stops, and a restart loses nothing that was acknowledged",
  async ({ reason, ...rule }) => {
    const disk = new TestDisk();
    const plan = new FaultPlan();
    const host = await open(disk, plan);
    const clients = CLIENT_KEYS.map((key) => new TestClient(key, testGenesis));
    await submit(host, clients[0]!.noop());
    plan.add({ ...rule, times: 1 });
    const [acknowledged, maybe] = [[] as string[], [] as string[]];
    const sent = Array.from({ length: 8 }, (_, count) => clients[count % 4]!.noop());
    for (const signed of sent) {
      const answer = await submit(host, signed);
      if (answer.accepted) acknowledged.push(signed.id);
      else if (answer.refusal.kind === "unavailable" && answer.refusal.maybeSubmitted) maybe.push(signed.id);
    }
    expect(host.failure).toContain(reason);
    // Only what was on its way to the disk is in doubt.
    expect(maybe).toHaveLength(1);
    expect(plan.list()).toMatchObject([{ struck: 1 }]);
    await host.close();
    const again = await open(disk.afterKill(), new FaultPlan());
    for (const id of acknowledged) expect(again.transaction(id as never)?.status).toBe("committed");
    for (const signed of sent) expect(await submit(again, signed)).toMatchObject({ accepted: true });
    for (const { id } of sent) expect(again.transaction(id)?.status).toBe("committed");
    await again.close();
  },
);

test.each(["diskFull", "syncFailure"] as const)(
  "a state that cannot be written under %s costs a longer start and nothing else",
  async (kind) => {
    const disk = new TestDisk();
    const plan = new FaultPlan();
    const warnings: string[] = [];
    plan.add({ kind, file: "state" });
    const host = await open(disk, plan, (message) => warnings.push(message));
    const alice = new TestClient(CLIENT_KEYS[0]!, testGenesis);
    for (let count = 0; count < 6; count++) expect((await submit(host, alice.noop())).accepted).toBe(true);
    await host.close();
    expect(host.failure).toBe("the host is closed");
    expect(warnings.length).toBeGreaterThan(0);
    expect(disk.list().filter((name) => name.startsWith("state-"))).toEqual([]);
    const again = await open(disk, new FaultPlan());
    expect(computeRoot(again.state)).toBe(computeRoot(host.state));
    await again.close();
  },
);
