import { appendFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createVenueClient } from "../../../src/client/sdk/createVenueClient.ts";
import { fileOutbox as openFile } from "../../../src/client/sdk/outbox/fileOutbox.ts";
import { indexedDbOutbox } from "../../../src/client/sdk/outbox/indexedDbOutbox.ts";
import { memoryOutbox, type Outbox, type OutboxEntry } from "../../../src/client/sdk/outbox/outbox.ts";
import { storageOutbox, type TextStorage } from "../../../src/client/sdk/outbox/storageOutbox.ts";
import { account, createFake, fakeTransport, order } from "./helpers/fakeClient.ts";
import { FakeDatabases } from "./helpers/fakeDatabase.ts";
import { FakeClock } from "./helpers/fakeVenue.ts";

const opened: Outbox[] = [];
afterEach(async () => {
  for (const outbox of opened.splice(0)) await outbox.close?.().catch(() => undefined);
});

function fileOutbox(path: string): Outbox {
  const outbox = openFile(path);
  opened.push(outbox);
  return outbox;
}

function entry(number: number): OutboxEntry {
  const txId = `0x${String(number).padStart(64, "0")}` as const;
  return {
    txId,
    key: txId.slice(2),
    chainId: 735711,
    genesisHash: `0x${"5a".repeat(32)}`,
    account: account.address,
    subaccount: 0,
    signer: account.address,
    domain: "trading",
    nonce: number,
    validUntil: 130,
    body: `{"number":${number}}`,
  };
}

class FakeStorage implements TextStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

/** How each kind is opened, and opened again after a crash; memory does not live that long. */
const KINDS: Record<string, () => () => Outbox> = {
  memory: () => {
    const one = memoryOutbox();
    return () => one;
  },
  file: () => {
    const path = join(mkdtempSync(join(tmpdir(), "perplab-outbox-")), "outbox");
    return () => fileOutbox(path);
  },
  storage: () => {
    const storage = new FakeStorage();
    return () => storageOutbox(storage);
  },
  database: () => {
    const databases = new FakeDatabases();
    return () => indexedDbOutbox(databases.factory);
  },
};

describe.each(Object.entries(KINDS))("an outbox in a %s", (_, make) => {
  test("keeps what was put until it is removed, in order, over a restart", async () => {
    const open = make();
    const first = open();
    await Promise.all([first.put(entry(1)), first.put(entry(2)), first.put(entry(3))]);
    await first.remove(entry(2).txId);
    expect(await first.list()).toEqual([entry(1), entry(3)]);
    expect(await open().list()).toEqual([entry(1), entry(3)]);
    await open().remove(entry(1).txId);
    await open().remove(entry(9).txId);
    await open().put(entry(3));
    expect((await open().list()).map(({ nonce }) => nonce)).toEqual([3]);
  });
});

describe("an outbox in a file", () => {
  const newPath = () => join(mkdtempSync(join(tmpdir(), "perplab-outbox-")), "outbox");

  // Goal: wherever a crash cuts the file, what was put before the cut line is there, and nothing fails.
  test("drops a last line that was cut anywhere, and nothing before it", async () => {
    const path = newPath();
    const outbox = fileOutbox(path);
    await outbox.put(entry(1));
    const before = readFileSync(path).length;
    await outbox.put(entry(2));
    const whole = readFileSync(path);
    for (let size = before; size < whole.length; size += 7) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      expect(await fileOutbox(path).list(), `${size} bytes`).toEqual([entry(1)]);
    }
  });

  test("refuses a line in the middle that it does not know, and changes nothing", async () => {
    const path = newPath();
    writeFileSync(path, `${JSON.stringify(entry(1))}\n{"txId":1}\n${JSON.stringify(entry(2))}\n`);
    const before = readFileSync(path, "utf8");
    await expect(fileOutbox(path).list()).rejects.toMatchObject({
      code: "OUTBOX_CORRUPT",
      details: { place: `${path}:2` },
    });
    expect(readFileSync(path, "utf8")).toBe(before);
    appendFileSync(path, "x");
  });

  test("stays small: what was removed is forgotten in time", async () => {
    const path = newPath();
    const outbox = fileOutbox(path);
    await outbox.put(entry(0));
    for (let number = 1; number < 1_300; number++) {
      await outbox.put(entry(number));
      await outbox.remove(entry(number).txId);
    }
    expect(readFileSync(path, "utf8").split("\n").length).toBeLessThan(2_000);
    expect(await fileOutbox(path).list()).toEqual([entry(0)]);
  });
});

test("an outbox in a storage that holds something else is refused", async () => {
  const storage = new FakeStorage();
  storage.setItem("perplab:outbox", '{"a":1}');
  await expect(storageOutbox(storage).list()).rejects.toMatchObject({ code: "OUTBOX_CORRUPT" });
  storage.setItem("perplab:outbox", '["0x1"]');
  await expect(storageOutbox(storage).list()).rejects.toMatchObject({ code: "OUTBOX_CORRUPT" });
});

describe("an outbox in a database", () => {
  test("keeps two entries that are put at once, in order, and clients of other names apart", async () => {
    const databases = new FakeDatabases();
    const outbox = indexedDbOutbox(databases.factory, "one");
    await Promise.all([outbox.put(entry(2)), outbox.put(entry(1))]);
    await indexedDbOutbox(databases.factory, "two").put(entry(3));
    expect((await outbox.list()).map(({ nonce }) => nonce)).toEqual([2, 1]);
    await outbox.close?.();
    expect((await outbox.list()).map(({ nonce }) => nonce)).toEqual([2, 1]);
  });

  test("that holds something else is refused", async () => {
    const databases = new FakeDatabases();
    const outbox = indexedDbOutbox(databases.factory);
    await outbox.put(entry(1));
    databases.stores.get("perplab:outbox")!.set("x", { txId: "x", place: 2, entry: { a: 1 } });
    await expect(outbox.list()).rejects.toMatchObject({
      code: "OUTBOX_CORRUPT",
      details: { place: "perplab:outbox/x" },
    });
  });

  test("a transaction that it could not store is not sent", async () => {
    const databases = new FakeDatabases();
    const { venue, client } = createFake({ outbox: indexedDbOutbox(databases.factory) });
    databases.failure = new Error("no room");
    const handle = await client.placeOrder(order).catch(() => undefined);
    await handle?.wait().catch(() => undefined);
    expect(venue.attempts).toEqual([]);
  });
});

// Goal: a client that dies at any point of a submission leaves enough in its outbox for the next one to finish it, with
// one nonce. Method: the first client's venue never answers (it died), having taken the transaction or not; a second
// client of the same outbox is made.
describe("after a crash", () => {
  test.each([
    ["had arrived", "timeoutAfter"],
    ["had not arrived", "timeoutBefore"],
  ] as const)("a transaction that %s is resolved by its id before any new nonce", async (_, fault) => {
    const path = join(mkdtempSync(join(tmpdir(), "perplab-outbox-")), "outbox");
    const { venue, client } = createFake({ outbox: fileOutbox(path), retry: { submissionMs: 0 } });
    venue.faults.push(fault);
    const lost = await client.placeOrder(order);
    await lost.wait().catch(() => undefined);
    venue.requests.length = 0;

    const clock = new FakeClock();
    const again = createVenueClient({ transport: fakeTransport(venue), account, clock, outbox: fileOutbox(path) });
    const next = await again.placeOrder({ ...order, size: "0.5" });
    expect((await next.wait()).status).toBe("applied");
    expect(next.nonce).toBe(lost.nonce + 1);
    expect(venue.taken.size).toBe(2);
    expect(venue.attempts.filter(({ key }) => key === lost.key).length).toBe(fault === "timeoutAfter" ? 1 : 2);
    const looked = venue.requests.findIndex((request) => request.includes(lost.txId));
    const asked = venue.requests.findIndex((request) => request.includes("/nonce"));
    expect(looked).toBeGreaterThanOrEqual(0);
    expect(looked).toBeLessThan(asked);
    expect(await fileOutbox(path).list()).toEqual([]);
  });

  // The page is gone after the entry was put and before the first byte was sent; or while it was being put.
  test.each([
    ["written", true],
    ["being written", false],
  ] as const)(
    "a transaction that was %s and not sent is sent by the next page, or is not stored",
    async (_, isKept) => {
      const databases = new FakeDatabases();
      const { venue } = createFake({});
      const transport = fakeTransport(venue);
      const gone: typeof transport = {
        ...transport,
        request: (request) => (request.method === "POST" ? new Promise(() => {}) : transport.request(request)),
      };
      const outbox = indexedDbOutbox(databases.factory);
      const first = createVenueClient({
        transport: gone,
        account,
        clock: new FakeClock(),
        outbox: {
          ...outbox,
          put: (one) => {
            databases.isCrashed = !isKept;
            return outbox.put(one);
          },
        },
      });
      void first.placeOrder(order).catch(() => undefined);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      expect(venue.attempts).toEqual([]);
      databases.isCrashed = false;

      const left = await indexedDbOutbox(databases.factory).list();
      expect(left).toHaveLength(isKept ? 1 : 0);
      const again = createVenueClient({
        transport,
        account,
        clock: new FakeClock(),
        outbox: indexedDbOutbox(databases.factory),
      });
      const recovered = await again.recover();
      expect(await Promise.all(recovered.map(async (one) => (await one.wait()).status))).toEqual(
        left.map(() => "applied"),
      );
      expect(venue.attempts.map(({ key }) => key)).toEqual(left.map(({ key }) => key));
      expect((await again.placeOrder({ ...order, size: "0.5" })).nonce).toBe(left.length);
    },
  );

  test("a transaction signed for another network is left to a client of that network", async () => {
    const outbox = memoryOutbox();
    await outbox.put({ ...entry(1), chainId: 1 });
    const { client } = createFake({ outbox });
    expect(await client.recover()).toEqual([]);
    expect((await client.placeOrder(order)).nonce).toBe(0);
    expect(await outbox.list()).toHaveLength(2);
  });
});
