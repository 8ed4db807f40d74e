import { expect, test } from "vitest";
import { createHost } from "../../../../src/server/host/createHost.ts";
import { openHost } from "../../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../../src/server/host/signingKit.ts";
import { readDump, writeDump } from "../../../../src/server/host/store/dump.ts";
import { computeRoot, getHead } from "../../../../src/venue/engine/commitment/root.ts";
import { TestDisk } from "../../../helpers/disk.ts";
import { openTestHost, oraclePrice, STEP, submit, testGenesis } from "../../../helpers/host.ts";

async function createVenueWithOrders() {
  const { host, clients } = openTestHost();
  await host.submitSystem("oracleUpdate", oraclePrice("50000"));
  await submit(host, clients[0]!.order("sell", "0.5", "50000"));
  await submit(host, clients[1]!.order("buy", "0.2", "50000"));
  return { host, clients, dump: writeDump(host) };
}

test("a venue continues from its dump as it would have without, in memory and on disk, and is there again after a restart", async () => {
  const { host, clients, dump } = await createVenueWithOrders();
  const copy = createHost({ genesis: testGenesis, from: readDump(dump), time: STEP });
  const disk = new TestDisk();
  const options = { directory: "disk", roomBytes: 0, files: disk, signing: signingKitAtHand(), time: STEP };
  const stored = await openHost({ ...options, from: readDump(dump) });
  const signed = clients[2]!.order("buy", "0.1", "50000");
  for (const each of [host, copy, stored]) {
    expect(await submit(each, signed)).toMatchObject({ accepted: true });
    expect(each.transaction(signed.id)).toMatchObject({ status: "committed", block: { height: 4 } });
  }
  expect([copy.epoch, stored.epoch]).toEqual([1, 1]);
  expect([copy.oldestHeight, stored.oldestHeight]).toEqual([4, 4]);
  await expect(stored.revert(2)).rejects.toMatchObject({ code: "HEIGHT_NOT_KEPT" });
  const cut = disk.afterPowerCut(() => false);
  await stored.close();
  for (const found of [cut, disk.afterKill()]) {
    const again = await openHost({ ...options, files: found });
    expect(again.epoch).toBe(1);
    expect(getHead(again.state)).toBe(getHead(host.state));
    expect(computeRoot(again.state)).toBe(computeRoot(host.state));
    await again.revert(3);
    expect(computeRoot(again.state)).toBe(computeRoot(readDump(dump).state));
    await again.close();
  }
});

test("a state is not loaded over a chain", async () => {
  const { dump } = await createVenueWithOrders();
  const files = new TestDisk();
  const options = { directory: "disk", roomBytes: 0, files, signing: signingKitAtHand() };
  await (await openHost({ ...options, genesis: testGenesis })).close();
  await expect(openHost({ ...options, from: readDump(dump) })).rejects.toMatchObject({ code: "STORE_EXISTS" });
});

test("a file that is no dump, of another version, cut short or damaged is refused", async () => {
  const { dump } = await createVenueWithOrders();
  const codeOf = (bytes: Uint8Array) => {
    try {
      readDump(bytes);
    } catch (error) {
      return (error as { code: string }).code;
    }
    return "read";
  };
  expect(codeOf(dump)).toBe("read");
  expect(codeOf(new TextEncoder().encode("{}"))).toBe("DUMP_FORMAT");
  const other = dump.slice();
  other[8] = 2;
  expect(codeOf(other)).toBe("DUMP_VERSION");
  const protocol = dump.slice();
  protocol[12] = 0;
  expect(codeOf(protocol)).toBe("DUMP_VERSION");
  for (let length = 0; length < dump.length; length += 7)
    expect(codeOf(dump.slice(0, length)), `${length}`).toBe("DUMP_FORMAT");
  for (let at = 0; at < dump.length; at += 3) {
    const hurt = dump.slice();
    hurt[at]! ^= 1 << (at % 8);
    expect(codeOf(hurt), `byte ${at}`).toMatch(/^DUMP_/);
  }
});
