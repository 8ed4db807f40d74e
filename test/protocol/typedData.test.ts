import fc from "fast-check";
import { hashTypedData } from "viem";
import { describe, expect, test } from "vitest";
import { loadKeccak } from "../../src/client/signing/keccak.ts";
import { ACTION_NAMES, actions } from "../../src/protocol/actions/index.ts";
import { encodeTransaction } from "../../src/protocol/codec.ts";
import type { Field, Fields } from "../../src/protocol/fields.ts";
import { DOMAIN_MEMBERS, encodeType, typedDataOf, typedDataTypes } from "../../src/protocol/typedData.ts";
import { createDigester, digestOf } from "../../src/protocol/typedDataDigest.ts";
import { arbitraryDomain, arbitrarySignatureBytes, arbitraryTransaction } from "../helpers/arbitraries.ts";
import * as reference from "../reference/typedData.ts";

const compiled = await loadKeccak();
const domain = { chainId: 31337, genesisHash: `0x${"ab".repeat(32)}` } as const;

// Goal: what a wallet signs is what the venue hashes. Method: the fast digest of the decoded value, the plain encoder
// of test/reference and viem, both on the JSON form, for every action; one digester hashes all, so that nothing of one
// transaction may linger in the buffers of the next.
describe.each(ACTION_NAMES)("%s", (action) => {
  const plain = createDigester(domain);
  const fast = createDigester(domain, compiled);

  test("has the digest that viem and the plain encoder compute", () => {
    fc.assert(
      fc.property(arbitraryTransaction(action), (transaction) => {
        const digest = plain.digestOf(transaction);
        expect(fast.digestOf(transaction)).toBe(digest);
        const json = encodeTransaction({ transaction, signature: new Uint8Array(65) });
        const typed = typedDataOf(json, domain);
        expect(hashTypedData(typed as never)).toBe(digest);
        const types = { ...typed.types, EIP712Domain: DOMAIN_MEMBERS };
        expect(reference.toHex(reference.hashMessage({ ...typed, types }))).toBe(digest);
      }),
      { numRuns: 60 },
    );
  });

  test("has the type text that the plain encoder writes", () => {
    const types = typedDataTypes(action);
    const { primaryType } = actions[action];
    expect(encodeType(primaryType, types)).toBe(reference.encodeType(primaryType, types));
    expect(Object.keys(types)[0]).toBe(primaryType);
    expect(types[primaryType]![0]).toEqual({ name: "header", type: "TxHeader" });
  });
});

test("a digest depends on chain id and genesis, and on no other transaction", () => {
  fc.assert(
    fc.property(arbitraryTransaction(), arbitraryTransaction(), arbitraryDomain, arbitraryDomain, (a, b, one, two) => {
      const digester = createDigester(one);
      const first = digester.digestOf(a);
      digester.digest(b);
      expect(digester.digestOf(a)).toBe(first);
      expect(digestOf(a, one)).toBe(first);
      expect(digestOf(a, two)).not.toBe(first);
      const typed = typedDataOf(encodeTransaction({ transaction: a, signature: new Uint8Array(65) }), one);
      expect(hashTypedData(typed as never)).toBe(first);
    }),
    { numRuns: 40 },
  );
});

// Goal: no field is left out of what is signed. Method: encode, change one leaf of the JSON at a time, compare digests.
test("every leaf of header and payload changes the digest", () => {
  const changed = (value: unknown): unknown => {
    if (typeof value === "boolean") return !value;
    if (typeof value === "number") return value === 0 ? 1 : value - 1;
    const text = value as string;
    if (/^0x(..)+$/.test(text)) return text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
    return /^\d+$/.test(text) ? String(BigInt(text) + 1n) : `${text}x`;
  };
  type Node = Record<string, unknown>;
  const leaves = (node: Node): { at: Node; name: string }[] =>
    Object.entries(node).flatMap(([name, value]) =>
      typeof value === "object" && value !== null ? leaves(value as Node) : [{ at: node, name }],
    );
  let count = 0;
  fc.assert(
    fc.property(arbitraryTransaction(), arbitrarySignatureBytes, (transaction, signature) => {
      const json = structuredClone(encodeTransaction({ transaction, signature })) as unknown as Node;
      const digest = digestOf(transaction, domain);
      for (const { at, name } of [...leaves(json.header as Node), ...leaves(json.payload as Node)].slice(0, 40)) {
        const before = at[name];
        at[name] = changed(before);
        expect(hashTypedData(typedDataOf(json as never, domain) as never), name).not.toBe(digest);
        at[name] = before;
        count++;
      }
    }),
    { numRuns: 20 },
  );
  expect(count).toBeGreaterThan(250);
});

test("a struct has one meaning in all actions, and no name that the standard or the header uses", () => {
  const seen = new Map<string, string>();
  const walk = (fields: Fields) => {
    for (let field of Object.values(fields)) {
      while (field.kind === "list") field = field.item as Field;
      if (field.kind !== "record") continue;
      const members = JSON.stringify(Object.entries(field.members as Fields).map(([name, { kind }]) => [name, kind]));
      expect(seen.get(field.name) ?? members).toBe(members);
      seen.set(field.name, members);
      walk(field.members as Fields);
    }
  };
  for (const { fields } of Object.values(actions)) {
    expect(Object.keys(fields)).not.toContain("header");
    walk(fields as Fields);
  }
  const primaries: string[] = Object.values(actions).map(({ primaryType }) => primaryType);
  for (const name of [...primaries, "TxHeader", "EIP712Domain"]) expect(seen.has(name)).toBe(false);
});

test("text that is not ASCII is never hashed", () => {
  fc.assert(
    fc.property(arbitraryTransaction("cancelAll"), fc.constantFrom("é", "\u{1F600}", "\u0080"), (transaction, text) => {
      const bad = { ...transaction, payload: { market: `BTC${text}` } };
      expect(() => digestOf(bad, domain)).toThrow(RangeError);
    }),
    { numRuns: 5 },
  );
});
