import { mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { addressFromKey } from "../../../src/client/signing/sign.ts";
import type { Amount, PriceE8 } from "../../../src/ground/math/fixed.ts";
import { AccountKey } from "../../../src/protocol/accountKey.ts";
import type { ActionName, Payloads } from "../../../src/protocol/actions/index.ts";
import { createTransaction } from "../../../src/protocol/createTransaction.ts";
import { createGenesis } from "../../../src/protocol/genesis.ts";
import { PLAIN_ORDER } from "../../../src/protocol/plainOrder.ts";
import type { Transaction } from "../../../src/protocol/transaction.ts";
import { computeRoot, getHead } from "../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { BlockLog } from "../../../src/venue/simulation/log/blockLog.ts";
import { BlockLogReader } from "../../../src/venue/simulation/log/readBlockLog.ts";
import { replayLog, verifyLog } from "../../../src/venue/simulation/log/verifyLog.ts";
import type { SealedBlock } from "../../../src/venue/simulation/observer.ts";
import { openSignatures } from "../../../src/venue/simulation/signatures.ts";
import { Simulation } from "../../../src/venue/simulation/simulation.ts";

const keyOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as const;
const authorities = {
  oracle: addressFromKey(keyOf(1)),
  faucet: addressFromKey(keyOf(2)),
  operator: addressFromKey(keyOf(3)),
};
const genesis = createGenesis({
  timeMs: 1_000,
  authorities,
  // Not in alphabetical order: the log's genesis is, and must make the same venue.
  markets: [{ name: "BTC", preset: "minimal", parameters: { tickSize: "1", lotSize: "0.01" } }],
  insurance: "5",
});
const trader = new AccountKey(addressFromKey(keyOf(9)), 0);

/** Deposits, prices and orders: 40 blocks with something in each. */
function* makeBlocks(seal: (transaction: Transaction) => Uint8Array | undefined): Generator<SealedBlock> {
  const nonces = new Map<string, number>();
  const make = <A extends ActionName>(action: A, account: AccountKey, payload: Payloads[A]) => {
    const lane = `${account.address} ${action === "placeOrder" ? "trading" : "system"}`;
    const nonce = nonces.get(lane) ?? 0;
    nonces.set(lane, nonce + 1);
    return createTransaction({ action, account, nonce, payload }) as Transaction;
  };
  const oracle = new AccountKey(authorities.oracle, 0);
  const operator = new AccountKey(authorities.operator, 0);
  for (let height = 1; height <= 40; height++) {
    const price = (10_000 + ((height * 37) % 50)) * 1e8;
    const transactions: Transaction[] = [
      make("oracleUpdate", oracle, {
        market: "BTC",
        sources: [],
        price: price as PriceE8,
        mark: 0 as PriceE8,
        fundingRate: 0 as Payloads["oracleUpdate"]["fundingRate"],
        settleFunding: false,
      }),
      make("deposit", operator, {
        to: trader.address,
        toSubaccount: 0,
        amount: (height * 1_000_000) as Amount,
        reference: `d${height}`,
      }),
    ];
    if (height > 2) {
      transactions.push(
        make("placeOrder", trader, {
          ...PLAIN_ORDER,
          market: "BTC",
          side: height % 2,
          size: 1e6 as Payloads["placeOrder"]["size"],
          price: ((9_000 + height + (height % 2) * 2_000) * 1e8) as PriceE8,
          clientOrderId: `o${height}`,
        }),
      );
    }
    const signatures = transactions.map(seal);
    yield {
      height,
      timeMs: 1_000 + height,
      transactions,
      ...(signatures.some((signature) => signature !== undefined) ? { signatures } : {}),
    };
  }
}

function write(path: string, seal: (transaction: Transaction) => Uint8Array | undefined = () => undefined): State {
  const state = createVenue(genesis);
  new Simulation(state, [new BlockLog(path, { headEvery: 8, rootEvery: 10 })]).run(makeBlocks(seal));
  return state;
}

const folder = mkdtempSync(join(tmpdir(), "perplab-log-"));
const path = join(folder, "run.log");
let state: State;
let bytes: Buffer;
/** Where each record starts. */
const starts: number[] = [];

beforeAll(() => {
  state = write(path);
  bytes = readFileSync(path);
  const reader = new BlockLogReader(path);
  for (const record of reader) starts.push(record.offset);
  reader.close();
});

let copies = 0;
function copyWith(change: (copy: Buffer) => Buffer | undefined): string {
  const copy = Buffer.from(bytes);
  const file = join(folder, `copy-${copies++}.log`);
  writeFileSync(file, change(copy) ?? copy);
  return file;
}

test("a log replays to the same root and head", async () => {
  const found = await verifyLog(path);
  expect(found).toMatchObject({ height: 40, blocks: 40, transactions: 118, heads: 5, roots: 5, torn: undefined });
  expect(found.root).toBe(computeRoot(state));
  expect(found.head).toBe(getHead(state));
});

test("a venue rebuilt at a height equals the venue of that height, and is independent", async () => {
  const again = replayLog(path, 17);
  const live = createVenue(genesis);
  const blocks = [...makeBlocks(() => undefined)];
  new Simulation(live).run(blocks.slice(0, 17));
  expect(computeRoot(again)).toBe(computeRoot(live));
  expect(getHead(again)).toBe(getHead(live));
  expect(() => replayLog(path, 41)).toThrow(expect.objectContaining({ code: "LOG_HEIGHT" }));
});

test("verification continues from a snapshot as from genesis", async () => {
  const from = forkState(replayLog(path, 23));
  const found = await verifyLog(path, { from });
  expect(found).toMatchObject({ height: 40, blocks: 17, root: computeRoot(state), head: getHead(state) });
});

// A crash leaves any prefix. Method: cut at every byte of the last records and at many others.
test("a file that stops inside a record has a torn tail, and everything before it is intact", async () => {
  const last = starts.at(-3)!;
  const cuts = Array.from({ length: bytes.length - last }, (_, at) => last + at);
  for (const cut of cuts) {
    const file = copyWith((copy) => copy.subarray(0, cut));
    const found = await verifyLog(file);
    const whole = starts.includes(cut) || cut === bytes.length;
    expect(found.torn === undefined, `cut at ${cut}`).toBe(whole);
    if (found.torn !== undefined) expect(found.torn.offset + found.torn.bytes).toBe(cut);
  }
});

test("a tail of zeros, as a file system leaves it, is torn and not corrupt", async () => {
  const cut = starts.at(-1)! + 7;
  const file = copyWith((copy) => Buffer.concat([copy.subarray(0, starts.at(-1)), Buffer.alloc(4_096)]));
  expect((await verifyLog(file)).torn).toEqual({ offset: starts.at(-1), bytes: 4_096 });
  truncateSync(file, cut);
  expect((await verifyLog(file)).torn).toMatchObject({ offset: starts.at(-1) });
});

test("any changed byte before the end is corruption with its place, never a torn tail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: starts[1]!, max: starts.at(-1)! - 1 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, change) => {
        const file = copyWith((copy) => {
          copy[at]! ^= change;
          return copy;
        });
        const record = starts.findLast((start) => start <= at);
        await expect(verifyLog(file)).rejects.toMatchObject({ code: "LOG_CORRUPT", offset: record, file });
      },
    ),
    { numRuns: 60 },
  );
});

/** Changes the body of a record and repairs its checksums, as a forger would. */
function forge(place: number, change: (body: Buffer) => void): string {
  return copyWith((copy) => {
    const start = starts[place]!;
    const length = copy.readUInt32LE(start);
    const body = copy.subarray(start + 12, start + 12 + length);
    change(body);
    copy.writeUInt32LE(crc32(body), start + 4);
    copy.writeUInt32LE(crc32(copy.subarray(start, start + 8)), start + 8);
    return copy;
  });
}

test("a forged transaction shows at its own height", async () => {
  // Record 0 is the root of genesis, then blocks; the last byte of a deposit's reference, just before the crc.
  const reader = new BlockLogReader(path);
  const heights = [...reader].map((record) => (record.kind === "block" ? record.block.height : -1));
  reader.close();
  for (const height of [1, 2]) {
    const place = heights.indexOf(height);
    const file = forge(place, (body) => {
      const at = body.lastIndexOf(`d${height}`);
      body[at - 2]! ^= 1; // the amount's last group
    });
    await expect(verifyLog(file)).rejects.toMatchObject({ code: "LOG_DIFFERS", height });
  }
});

test("a forged root and a forged head show", async () => {
  const rootPlace = starts.length - 1;
  const root = forge(rootPlace, (body) => {
    body[body.length - 1]! ^= 1;
  });
  await expect(verifyLog(root)).rejects.toMatchObject({ code: "LOG_DIFFERS", height: 40 });
  const headPlace = 8; // root of genesis, blocks 1 to 8
  const head = forge(headPlace, (body) => {
    body[body.length - 1]! ^= 1;
  });
  await expect(verifyLog(head)).rejects.toMatchObject({ code: "LOG_DIFFERS", height: 8 });
});

test("another protocol or format version is refused by its number", () => {
  const protocol = copyWith((copy) => {
    copy.writeUInt32LE(7, 12);
    return copy;
  });
  expect(() => new BlockLogReader(protocol)).toThrow(
    expect.objectContaining({ code: "LOG_VERSION", message: expect.stringContaining("protocol version 7") }),
  );
  const format = copyWith((copy) => {
    copy.writeUInt32LE(9, 8);
    return copy;
  });
  expect(() => new BlockLogReader(format)).toThrow(expect.objectContaining({ code: "LOG_VERSION" }));
});

test("a file that is no block log is refused as such", () => {
  expect(() => new BlockLogReader(join(folder, "none.log"))).toThrow(expect.objectContaining({ code: "LOG_MISSING" }));
  for (const text of ["", "time,price\n1,2\n", "perplog\n"]) {
    const file = join(folder, `other-${copies++}`);
    writeFileSync(file, text);
    expect(() => new BlockLogReader(file)).toThrow(expect.objectContaining({ code: "LOG_FORMAT" }));
  }
  const damaged = copyWith((copy) => {
    copy[40]! ^= 1;
    return copy;
  });
  expect(() => new BlockLogReader(damaged)).toThrow(expect.objectContaining({ code: "LOG_FORMAT" }));
});

test("signatures in a log are checked, or elided, with the same root", async () => {
  const signatures = await openSignatures(genesis, [keyOf(1), keyOf(2), keyOf(3), keyOf(9)]);
  const signed = join(folder, "signed.log");
  write(signed, (transaction) => signatures.sign(transaction).signature);
  const verified = await verifyLog(signed);
  expect(verified).toMatchObject({ signatures: 118, root: computeRoot(state) });
  expect(await verifyLog(signed, { signatures: "elide" })).toMatchObject({ signatures: 0, root: computeRoot(state) });

  // Signed by another key: the verdict in the block differs.
  const wrong = await openSignatures({ ...genesis, chainId: 5 }, [keyOf(1), keyOf(2), keyOf(3), keyOf(9)]);
  const forged = join(folder, "forged.log");
  write(forged, (transaction) => wrong.sign(transaction).signature);
  await expect(verifyLog(forged)).rejects.toMatchObject({ code: "LOG_SIGNATURE", height: 1 });
});

test("a log is never written over a file", () => {
  expect(() => new BlockLog(path)).toThrow(expect.objectContaining({ code: "EEXIST" }));
});
