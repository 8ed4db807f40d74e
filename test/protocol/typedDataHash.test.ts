import fc from "fast-check";
import * as viem from "viem";
import { describe, expect, test } from "vitest";
import { encodeTransaction } from "../../src/protocol/codec.ts";
import { isValidationError } from "../../src/protocol/errors.ts";
import { typedDataOf } from "../../src/protocol/typedData.ts";
import { createDigester, digestOf } from "../../src/protocol/typedDataDigest.ts";
import { hashDomain, hashStruct, hashTypedData, type TypedMessage } from "../../src/protocol/typedDataHash.ts";
import { arbitraryDomain, arbitrarySignatureBytes, arbitraryTransaction } from "../helpers/arbitraries.ts";

/** The example of EIP-712. */
const MAIL: TypedMessage = {
  domain: {
    name: "Ether Mail",
    version: "1",
    chainId: 1,
    verifyingContract: "0xcccccccccccccccccccccccccccccccccccccccc",
  },
  types: {
    Person: [
      { name: "name", type: "string" },
      { name: "wallet", type: "address" },
    ],
    Mail: [
      { name: "from", type: "Person" },
      { name: "to", type: "Person" },
      { name: "contents", type: "string" },
    ],
  },
  primaryType: "Mail",
  message: {
    from: { name: "Cow", wallet: "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826" },
    to: { name: "Bob", wallet: "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" },
    contents: "Hello, Bob!",
  },
};

test("the standard's example has the standard's hashes", () => {
  expect(hashDomain(MAIL.domain)).toBe("0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f");
  expect(hashStruct("Mail", MAIL.message, MAIL.types)).toBe(
    "0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e",
  );
  expect(hashTypedData(MAIL)).toBe("0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2");
});

describe("any domain and any value has the digest that viem computes", () => {
  const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((list) => viem.toHex(list));
  const integer = (bits: bigint, signed: boolean) =>
    fc.bigInt(signed ? -(1n << (bits - 1n)) : 0n, (1n << (signed ? bits - 1n : bits)) - 1n);
  const types = {
    Item: [
      { name: "small", type: "uint8" },
      { name: "signed", type: "int128" },
      { name: "tag", type: "bytes3" },
    ],
    Root: [
      { name: "items", type: "Item[]" },
      { name: "pair", type: "uint256[2]" },
      { name: "grid", type: "int64[][]" },
      { name: "text", type: "string" },
      { name: "raw", type: "bytes" },
      { name: "flag", type: "bool" },
      { name: "who", type: "address" },
    ],
  };
  const item = fc.record({ small: fc.integer({ min: 0, max: 255 }), signed: integer(128n, true), tag: hex(3) });
  const message = fc.record({
    items: fc.array(item, { maxLength: 3 }),
    pair: fc.tuple(integer(256n, false), integer(256n, false)),
    grid: fc.array(fc.array(integer(64n, true), { maxLength: 3 }), { maxLength: 3 }),
    text: fc.string({ unit: "grapheme" }),
    raw: fc.nat(40).chain(hex),
    flag: fc.boolean(),
    who: hex(20),
  });
  const domain = fc.record(
    {
      name: fc.string(),
      // viem takes an empty version for absent.
      version: fc.string({ minLength: 1 }),
      chainId: fc.nat(),
      verifyingContract: hex(20),
      salt: hex(32),
    },
    { requiredKeys: [] },
  );

  test("drawn", () => {
    fc.assert(
      fc.property(domain, message, (given, value) => {
        const typed = { domain: given, types, primaryType: "Root", message: value } as TypedMessage;
        expect(hashTypedData(typed)).toBe(viem.hashTypedData(typed as never));
        expect(hashStruct("Root", value, types)).toBe(
          viem.hashStruct({ data: value, primaryType: "Root", types } as never),
        );
      }),
      { numRuns: 200 },
    );
  });
});

test("a transaction of the venue has the digest of the fixed-schema digester", () => {
  fc.assert(
    fc.property(arbitraryTransaction(), arbitraryDomain, arbitrarySignatureBytes, (transaction, domain, signature) => {
      const typed = typedDataOf(encodeTransaction({ transaction, signature }), domain);
      expect(hashTypedData(typed)).toBe(digestOf(transaction, domain));
      expect(hashDomain(typed.domain)).toBe(createDigester(domain).domainSeparator);
    }),
    { numRuns: 60 },
  );
});

describe("values that the standard does not allow are refused with their place", () => {
  const types = { Root: [{ name: "a", type: "uint8" }], Bad: [{ name: "a", type: "Nothing" }] };
  const faultOf = (type: string, value: Readonly<Record<string, unknown>>, of: TypedMessage["types"] = types) => {
    try {
      return hashStruct(type, value, of);
    } catch (error) {
      if (!isValidationError(error)) throw error;
      return `${error.fault} ${error.path}`;
    }
  };

  test.each<[string, unknown, string]>([
    ["uint8", 256, "range a"],
    ["uint8", -1, "range a"],
    ["int8", 128, "range a"],
    ["int8", -129, "range a"],
    ["uint256", 1.5, "wrongType a"],
    ["uint256", 2 ** 53, "wrongType a"],
    ["uint256", "0x1", "wrongType a"],
    ["bytes4", "0x010203", "range a"],
    ["bytes", "0x0", "malformed a"],
    ["bytes", "text", "malformed a"],
    ["address", "0x00", "range a"],
    ["bool", 1, "wrongType a"],
    ["string", 1, "wrongType a"],
    ["uint8[]", 1, "wrongType a"],
    ["uint8[2]", [1], "range a"],
    ["uint8[]", [1, 300], "range a[1]"],
    ["uint8", undefined, "missingField a"],
    ["Nothing", 1, "unknownWord a"],
  ])("%s of %s: %s", (type, value, expected) => {
    expect(faultOf("Root", { a: value }, { Root: [{ name: "a", type }] })).toBe(expected);
  });

  test("a type that is not defined, and a value that is no object", () => {
    expect(faultOf("Other", {})).toBe("unknownWord ");
    expect(faultOf("Outer", { inner: 1 }, { ...types, Outer: [{ name: "inner", type: "Root" }] })).toBe(
      "wrongType inner",
    );
  });
});
