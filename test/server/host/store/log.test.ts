import { expect, test } from "vitest";
import { createLog, openLog } from "../../../../src/server/host/store/openLog.ts";
import { bindBody } from "../../../../src/server/host/store/records.ts";
import { TestDisk } from "../../../helpers/disk.ts";
import { testGenesis } from "../../../helpers/host.ts";

const OPTIONS = { segmentBytes: 1 << 20, roomBytes: 0 };
const next = () => ({ epoch: 0, arrival: 0, height: 0 });

/** A record that a start reads, and its bytes, which the next record overwrites. */
function record(number: number): Uint8Array {
  const id = `0x${String(number).padStart(64, "0")}` as const;
  const signer = `0x${"1".repeat(40)}` as const;
  return bindBody(signer, `key-${number}`, { id, receivedAtMs: number, validUntil: 9, code: undefined }).slice();
}

// A large record is written in slices, while the transactions of others are accepted.
test("a buffer that is written in slices has each record once, with those that are appended meanwhile", async () => {
  const disk = new TestDisk();
  const { log } = createLog(disk, testGenesis, next(), OPTIONS);
  const first = record(1);
  const locations = [log.append(first.subarray(0, 10), first.subarray(10))];
  for (let number = 2; log.buffered > 7 * (number - 2); number++) {
    log.writeAhead(7);
    if (number < 5) locations.push(log.append(record(number)));
  }
  expect(locations.map((location) => log.read(location))).toEqual([1, 2, 3, 4].map(record));
  await log.commit(next);
  expect(log.buffered).toBe(0);
  locations.push(log.append(record(5)));
  await log.commit(next);
  expect(locations.map((location) => log.read(location))).toEqual([1, 2, 3, 4, 5].map(record));
  log.close();
  const opened = openLog(disk, OPTIONS)!;
  expect(opened.torn?.bytes ?? 0).toBe(0);
  expect([...opened.index.bound.values()].map(({ receivedAtMs }) => receivedAtMs)).toEqual([1, 2, 3, 4, 5]);
});
