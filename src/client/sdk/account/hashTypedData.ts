import { bytesOfHex } from "../../../protocol/codecHex.ts";
import { DOMAIN_MEMBERS, encodeType, type TypedData, type TypedDataTypes } from "../../../protocol/typedData.ts";
import { plainKeccak } from "../../../protocol/typedDataDigest.ts";

/**
 * Digest of typed data (EIP-712), computed directly from its types. The client's own transactions use the protocol's
 * faster digester. This one signs arbitrary typed data; a test checks that both agree.
 */
export function hashTypedData({ domain, types, primaryType, message }: TypedData): Uint8Array {
  const all: TypedDataTypes = { EIP712Domain: DOMAIN_MEMBERS, ...types };
  const bytes = new Uint8Array(66);
  bytes.set([0x19, 0x01]);
  bytes.set(hashStruct("EIP712Domain", all, domain), 2);
  bytes.set(hashStruct(primaryType, all, message), 34);
  return plainKeccak(bytes);
}

function hashStruct(name: string, types: TypedDataTypes, value: unknown): Uint8Array {
  const members = types[name]!;
  const words = new Uint8Array(32 * (1 + members.length));
  words.set(hashText(encodeType(name, types)));
  members.forEach((member, place) => {
    words.set(encodeWord(member.type, types, (value as Record<string, unknown>)[member.name]), 32 * (1 + place));
  });
  return plainKeccak(words);
}

function encodeWord(type: string, types: TypedDataTypes, value: unknown): Uint8Array {
  if (type.endsWith("[]")) {
    const items = value as readonly unknown[];
    const words = new Uint8Array(32 * items.length);
    items.forEach((item, place) => {
      words.set(encodeWord(type.slice(0, -2), types, item), 32 * place);
    });
    return plainKeccak(words);
  }
  if (Object.hasOwn(types, type)) return hashStruct(type, types, value);
  if (type === "string") return hashText(value as string);
  if (type === "bytes") return plainKeccak(bytesOfHex(value as string));
  if (type === "bytes32") return bytesOfHex(value as string);
  const digits =
    type === "address" ? (value as string).slice(2) : BigInt(value as string | number | bigint).toString(16);
  return bytesOfHex(`0x${digits.toLowerCase().padStart(64, "0")}`);
}

function hashText(text: string): Uint8Array {
  return plainKeccak(new TextEncoder().encode(text));
}
