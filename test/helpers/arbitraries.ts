/**
 * fast-check arbitraries of everything on the wire, derived from the descriptors: a new action or field is covered
 * without a line here. Values are decoded values, which every codec and digest accepts; ask `encodeTransaction` for
 * JSON.
 */
import fc from "fast-check";
import { LIMIT } from "../../src/ground/math/fixed.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { DOMAINS } from "../../src/protocol/action.ts";
import {
  ACTION_CODES,
  ACTION_NAMES,
  type ActionName,
  actions,
  type Payloads,
} from "../../src/protocol/actions/index.ts";
import { formatHex } from "../../src/protocol/codecHex.ts";
import type { Address, Bytes32, Field, Fields } from "../../src/protocol/fields.ts";
import { ENVELOPE_VERSION, type Transaction, type TxHeader, ZERO_BYTES32 } from "../../src/protocol/transaction.ts";
import type { SigningDomain } from "../../src/protocol/typedData.ts";

const hex = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(formatHex);

export const arbitraryAddress: fc.Arbitrary<Address> = hex(20);
export const arbitraryBytes32: fc.Arbitrary<Bytes32> = hex(32);

/** Text of at most 64 printable ASCII characters, often short, sometimes full length. */
export const arbitraryText = (minLength = 0): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme-ascii", minLength, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", minLength, maxLength: 64, size: "max" }) },
  );

/** Whole numbers that a field can store: small ones, round ones, the greatest. */
export const arbitraryWhole = (min = 0): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min, max: 1000 }),
    fc.integer({ min, max: LIMIT }),
    // Trailing zeros: what is 1 or 12.5 in decimal text.
    fc
      .record({ digits: fc.integer({ min: 1, max: 9999 }), zeros: fc.nat(11) })
      .map(({ digits, zeros }) => digits * Number(`1e${zeros}`)),
    fc.constantFrom(Math.max(min, 1), 2 ** 32 - 1, 2 ** 32, LIMIT),
  );

const arbitraryCount = fc.oneof(fc.nat(100), fc.nat(0xffff_ffff), fc.constant(0xffff_ffff));

function arbitraryField(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "text":
    case "market":
      return arbitraryText(field.optional ? 0 : 1);
    case "word":
      return fc.nat(field.words.length - 1);
    case "price":
    case "size":
    case "amount":
    case "rate":
      if (!field.signed) return arbitraryWhole();
      return fc
        .tuple(arbitraryWhole(), fc.boolean())
        .map(([value, negative]) => (negative && value > 0 ? -value : value));
    case "id":
      return arbitraryWhole(field.optional ? 0 : 1);
    case "count":
      return arbitraryCount;
    case "time":
      return arbitraryWhole();
    case "flag":
      return fc.boolean();
    case "address":
      return arbitraryAddress;
    case "bytes32":
      return fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
    case "bytes":
      return fc.uint8Array({ maxLength: 200 });
    case "list":
      return fc.array(arbitraryField(field.item as Field), { maxLength: field.most });
    case "record":
      return arbitraryFields(field.members as Fields);
  }
}

function arbitraryFields(fields: Fields): fc.Arbitrary<unknown> {
  return fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, arbitraryField(field)])), {
    noNullPrototype: true,
  });
}

/** Decoded payloads of one action. */
export function arbitraryPayload<A extends ActionName>(action: A): fc.Arbitrary<Payloads[A]> {
  return arbitraryFields(actions[action].fields) as fc.Arbitrary<Payloads[A]>;
}

export const arbitraryAccount: fc.Arbitrary<AccountKey> = fc
  .record({ address: arbitraryAddress, subaccount: arbitraryCount })
  .map(({ address, subaccount }) => new AccountKey(address, subaccount));

/** Headers of any form, most of which no venue would admit. The owner signs about half of them. */
export const arbitraryHeader: fc.Arbitrary<TxHeader> = fc
  .record(
    {
      network: arbitraryText(1),
      protocolVersion: fc.nat(0xffff),
      envelopeVersion: fc.constant(ENVELOPE_VERSION),
      account: arbitraryAccount,
      signer: fc.option(arbitraryAddress),
      authorization: fc.oneof(fc.constant(ZERO_BYTES32), arbitraryBytes32),
      nonceDomain: fc.constantFrom(...DOMAINS),
      nonce: arbitraryWhole(),
      validFrom: arbitraryWhole(),
      validUntil: arbitraryWhole(),
      replaces: fc.oneof(fc.constant(ZERO_BYTES32), arbitraryBytes32),
      clientTxId: arbitraryText(),
    },
    { noNullPrototype: true },
  )
  .map((header) => ({ ...header, signer: header.signer ?? header.account.address }));

/** Decoded transactions of one action, or of any. */
export function arbitraryTransaction<A extends ActionName>(action: A): fc.Arbitrary<Transaction<A>>;
export function arbitraryTransaction(): fc.Arbitrary<Transaction>;
export function arbitraryTransaction(action?: ActionName): fc.Arbitrary<Transaction> {
  if (action === undefined) return fc.oneof(...ACTION_NAMES.map((name) => arbitraryTransaction(name)));
  return fc.record(
    {
      action: fc.constant(action),
      code: fc.constant(ACTION_CODES[action]),
      header: arbitraryHeader,
      payload: arbitraryPayload(action),
      verdict: fc.boolean(),
    },
    { noNullPrototype: true },
  );
}

/** 65 bytes, hardly ever a good signature. */
export const arbitrarySignatureBytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ minLength: 65, maxLength: 65 });

export const arbitraryDomain: fc.Arbitrary<SigningDomain> = fc.record({
  chainId: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  genesisHash: arbitraryBytes32,
});
