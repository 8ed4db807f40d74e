import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader } from "../../src/ground/collections/byteReader.ts";
import { ByteWriter } from "../../src/ground/collections/byteWriter.ts";
import type { Ppb, PriceE8, SizeE8 } from "../../src/ground/math/fixed.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { ACTION_NAMES } from "../../src/protocol/actions/index.ts";
import { AccountKeys, readTransaction, writeTransaction } from "../../src/protocol/codecBinary.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import { isValidationError } from "../../src/protocol/errors.ts";
import type { OrderId } from "../../src/protocol/fields.ts";
import type { Transaction } from "../../src/protocol/transaction.ts";
import { arbitrarySignatureBytes, arbitraryTransaction } from "../helpers/arbitraries.ts";

function bytesOf(transaction: Transaction, signature?: Uint8Array): Uint8Array {
  const writer = new ByteWriter(1);
  writeTransaction(writer, transaction, signature);
  return writer.view8().slice();
}

const account = new AccountKey(`0x${"a1".repeat(20)}`, 300);
const noop = createTransaction({ action: "noop", account, nonce: 200, payload: {} });

describe.each(ACTION_NAMES)("%s", (action) => {
  test("reads back as it was written, alone and in a row", () => {
    const one = fc.tuple(arbitraryTransaction(action), fc.option(arbitrarySignatureBytes, { nil: undefined }));
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 3 }), (batch) => {
        const writer = new ByteWriter(1);
        for (const [transaction, signature] of batch) writeTransaction(writer, transaction, signature);
        const reader = new ByteReader(writer.view8());
        const keys = new AccountKeys();
        for (const [transaction, signature] of batch) {
          expect(readTransaction(reader, keys)).toEqual({ transaction, signature });
        }
        expect(reader.left()).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});

// Goal: one transaction, one byte string. Method: whatever is read from damaged bytes must write back to the same
// bytes.
test("every byte sequence that is read is the one that would be written", () => {
  const damage = fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { minLength: 1, maxLength: 3 });
  const seen = { read: 0, refused: 0, short: 0 };
  fc.assert(
    fc.property(
      arbitraryTransaction(),
      fc.option(arbitrarySignatureBytes, { nil: undefined }),
      damage,
      (tx, sig, faults) => {
        const bytes = bytesOf(tx, sig);
        for (const { at, byte } of faults) bytes[at % bytes.length] = byte;
        const reader = new ByteReader(bytes);
        try {
          const { transaction, signature } = readTransaction(reader);
          expect(bytesOf(transaction, signature)).toEqual(bytes.subarray(0, reader.at));
          seen.read++;
        } catch (error) {
          if (isValidationError(error)) seen.refused++;
          else if (error instanceof RangeError) seen.short++;
          else throw error;
        }
      },
    ),
    { numRuns: 1500 },
  );
  expect(seen.read).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(20);
  expect(seen.short).toBeGreaterThan(0);
});

test("every cut of a transaction ends in RangeError, never in a shorter transaction", () => {
  fc.assert(
    fc.property(arbitraryTransaction(), arbitrarySignatureBytes, (transaction, signature) => {
      const bytes = bytesOf(transaction, signature);
      for (let size = 0; size < bytes.length; size += 1 + (size >> 3)) {
        expect(() => readTransaction(new ByteReader(bytes.subarray(0, size)))).toThrow(RangeError);
      }
    }),
    { numRuns: 30 },
  );
});

test("a short header is short, and in the order that the format states", () => {
  const hex = Buffer.from(bytesOf(noop)).toString("hex");
  // action 9, verdict; "perplab"; versions 1 and 1; address; subaccount 300; trading; nonce 200; from 0; until 1200
  expect(hex).toBe(`0901${"07"}${Buffer.from("perplab").toString("hex")}0101${"a1".repeat(20)}ac0200c80100b009`);
});

test.each([
  ["an unknown action", (bytes: Uint8Array) => (bytes[0] = 250), "action"],
  ["an unknown flag", (bytes: Uint8Array) => (bytes[1] = 64), "flags"],
  ["an unknown nonce domain", (bytes: Uint8Array) => (bytes[34] = 9), "header.nonceDomain"],
  ["text that is too long", (bytes: Uint8Array) => (bytes[2] = 65), "header.network"],
  ["text that is not printable", (bytes: Uint8Array) => (bytes[3] = 10), "header.network"],
  ["a number that ends in padding", (bytes: Uint8Array) => (bytes[33] = 0), "header.subaccount"],
])("%s is refused", (_name, damage, path) => {
  const bytes = bytesOf(noop);
  expect(readTransaction(new ByteReader(bytes)).transaction).toEqual(noop);
  damage(bytes);
  expect(() => readTransaction(new ByteReader(bytes))).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", path }),
  );
});

test("a small number above its bound is refused, not only a large one", () => {
  const cancel = createTransaction({
    action: "cancelOrders",
    account,
    nonce: 1,
    payload: { orderIds: [], clientOrderIds: [] },
  });
  const bytes = bytesOf(cancel);
  bytes[bytes.length - 2] = 51;
  const long = new Uint8Array(200).fill(1);
  long.set(bytes);
  expect(() => readTransaction(new ByteReader(long))).toThrow(expect.objectContaining({ path: "payload.orderIds" }));
});

test("an empty id is refused where an id is required, and read where it may be left out", () => {
  const cancelOf = (orderId: number) =>
    createTransaction({
      action: "cancelOrders",
      account,
      nonce: 1,
      payload: { orderIds: [orderId as OrderId], clientOrderIds: [] },
    });
  const bytes = bytesOf(cancelOf(1));
  // The payload ends with one id and no names.
  bytes[bytes.length - 2] = 0;
  expect(() => readTransaction(new ByteReader(bytes))).toThrow(
    expect.objectContaining({ path: "payload.orderIds[0]" }),
  );
  const named = createTransaction({
    action: "cancelOrder",
    account,
    nonce: 1,
    payload: { orderId: 0 as OrderId, clientOrderId: "mine" },
  });
  expect(readTransaction(new ByteReader(bytesOf(named))).transaction.payload).toEqual(named.payload);
});

test("a number of eight groups above the limit is refused", () => {
  const bytes = bytesOf(noop);
  const grown = new Uint8Array(bytes.length + 6);
  grown.set(bytes.subarray(0, 35));
  grown.set([255, 255, 255, 255, 255, 255, 255, 127], 35);
  grown.set(bytes.subarray(37), 43);
  expect(() => readTransaction(new ByteReader(grown))).toThrow(expect.objectContaining({ path: "header.nonce" }));
});

test.each([
  ["text that is too long", { network: "x".repeat(65) }],
  ["text that is not ASCII", { network: "é" }],
  ["a negative nonce", { nonce: -1 }],
  ["a broken nonce", { nonce: 1.5 }],
  ["no number", { nonce: Number.NaN }],
  ["a number above the limit", { validUntil: 9e15 + 2 }],
])("%s is never written", (_name, header) => {
  expect(() => bytesOf({ ...noop, header: { ...noop.header, ...header } })).toThrow(RangeError);
});

test("a signature of another length is never written", () => {
  expect(() => bytesOf(noop, new Uint8Array(64))).toThrow(RangeError);
});

test("one key represents an account however often it is read, and keys with one hash stay apart", () => {
  const writer = new ByteWriter();
  const other = createTransaction({
    action: "noop",
    account: new AccountKey(account.address, 301),
    nonce: 1,
    payload: {},
  });
  for (const transaction of [noop, other, noop]) writeTransaction(writer, transaction);
  const reader = new ByteReader(writer.view8());
  const keys = new AccountKeys();
  const [first, second, third] = Array.from(
    { length: 3 },
    () => readTransaction(reader, keys).transaction.header.account,
  );
  expect(third).toBe(first);
  expect(second).toEqual(new AccountKey(account.address, 301));
});

// Some of these have one hash: the key that is remembered must never be used for another.
test("accounts that differ in one byte are never taken for each other", () => {
  const other = (at: number) =>
    new AccountKey(
      `0x${"a1".repeat(at)}${at < 20 ? "a2" : ""}${"a1".repeat(Math.max(0, 19 - at))}`,
      account.subaccount,
    );
  const accounts = [account, ...Array.from({ length: 20 }, (_, at) => other(at))];
  const writer = new ByteWriter();
  for (let round = 0; round < 2; round++) {
    for (const key of accounts) {
      for (const one of [account, key]) {
        writeTransaction(writer, createTransaction({ action: "noop", account: one, nonce: 1, payload: {} }));
      }
    }
  }
  const reader = new ByteReader(writer.view8());
  const keys = new AccountKeys();
  for (let round = 0; round < 2; round++) {
    for (const key of accounts) {
      for (const one of [account, key]) expect(readTransaction(reader, keys).transaction.header.account).toEqual(one);
    }
  }
});

test("minus zero is refused", () => {
  const close = createTransaction({
    action: "closePosition",
    account,
    nonce: 1,
    payload: { market: "M", size: 0 as SizeE8, price: 0 as PriceE8, slippage: 0 as Ppb, clientOrderId: "" },
  });
  const bytes = bytesOf(close);
  // The payload ends with the sign, the rate and the length of the text.
  bytes[bytes.length - 3] = 1;
  expect(() => readTransaction(new ByteReader(bytes))).toThrow(expect.objectContaining({ path: "payload.slippage" }));
  bytes[bytes.length - 2] = 1;
  expect(readTransaction(new ByteReader(bytes)).transaction.payload).toMatchObject({ slippage: -1 });
});
