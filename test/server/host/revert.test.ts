import { expect, test } from "vitest";
import { computeRoot } from "../../../src/venue/engine/commitment/root.ts";
import { openTestHost, submit } from "../../helpers/host.ts";

test("a revert removes later blocks, drops pending transactions, and lets the same transactions be sent again", async () => {
  const { host, clients } = openTestHost();
  const early = clients[0]!.noop();
  await submit(host, early);
  const height = host.checkpoint();
  const root = computeRoot(host.state);
  const late = clients[0]!.noop();
  await submit(host, late);
  const gap = clients[0]!.noop({ nonce: 9 });
  await submit(host, gap);
  const { hash } = host.block(2)!;
  const reasons: string[] = [];
  host.onEpoch((reason) => reasons.push(reason));

  await host.revert(height);
  expect([host.epoch, reasons, host.state.height]).toEqual([1, ["reverted"], 1]);
  expect(computeRoot(host.state)).toBe(root);
  expect(host.block(2)).toBeUndefined();
  expect(host.transaction(early.id)).toMatchObject({ status: "committed" });
  expect(host.transaction(late.id)).toMatchObject({ status: "dropped" });
  expect(host.transaction(gap.id)).toMatchObject({ status: "dropped" });
  expect(host.pool.size).toBe(0);

  // Under its own key, and under one of another transaction.
  expect(await submit(host, late)).toMatchObject({ accepted: true, replayed: false });
  expect(host.transaction(late.id)).toMatchObject({ status: "committed", block: { height: 2, hash } });
  expect(await submit(host, early)).toMatchObject({ accepted: true, replayed: true });
});

test("any kept height can be gone back to, from genesis on; others are refused and change nothing", async () => {
  const { host, clients } = openTestHost({ keepBlocks: 3 });
  const roots = [computeRoot(host.state)];
  for (let count = 0; count < 3; count++) {
    await submit(host, clients[0]!.noop());
    roots.push(computeRoot(host.state));
  }
  await host.revert(1);
  expect(computeRoot(host.state)).toBe(roots[1]);
  await host.revert(0);
  expect(computeRoot(host.state)).toBe(roots[0]);
  for (let count = 0; count < 5; count++) await submit(host, clients[1]!.noop());
  for (const height of [6, -1, 1.5, 4]) {
    await expect(host.revert(height)).rejects.toMatchObject({ code: "HEIGHT_NOT_KEPT" });
  }
  expect([host.epoch, host.state.height, host.oldestHeight]).toEqual([2, 5, 3]);
});
