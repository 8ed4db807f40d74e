import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportBlockLog } from "../../../../src/server/host/store/exportBlockLog.ts";
import { computeRoot } from "../../../../src/venue/engine/commitment/root.ts";
import { verifyLog } from "../../../../src/venue/simulation/log/verifyLog.ts";
import { openTestHost, oraclePrice, submit } from "../../../helpers/host.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-export-"));

test("a host's chain is a block log that verifies, signatures included, also after a revert", async () => {
  const { host, clients } = openTestHost();
  await host.submitSystem("oracleUpdate", oraclePrice("50000"));
  await submit(host, clients[0]!.order("sell", "0.5", "50000"));
  await submit(host, clients[2]!.noop());
  await host.revert(2);
  await submit(host, clients[1]!.order("buy", "0.2", "50000"));
  const path = join(folder, "chain.perplog");
  exportBlockLog(host, path);
  const verified = await verifyLog(path);
  expect(verified).toMatchObject({ height: 3, signatures: 3, root: computeRoot(host.state) });
  rmSync(folder, { recursive: true });
});

test("a chain that is not kept from genesis on is no block log", async () => {
  const { host, clients } = openTestHost({ keepBlocks: 1 });
  for (let count = 0; count < 3; count++) await submit(host, clients[0]!.noop());
  const path = join(folder, "part.perplog");
  expect(() => exportBlockLog(host, path)).toThrow("begins at genesis");
  expect(existsSync(path)).toBe(false);
});
