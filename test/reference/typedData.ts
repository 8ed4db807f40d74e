/**
 * EIP-712 as the standard writes it, for any types and values: the slow, plain twin of the fixed-schema digester.
 * Written from the standard's text alone and tested against its published vectors.
 */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export interface Member {
  readonly name: string;
  readonly type: string;
}
export type Types = Readonly<Record<string, readonly Member[]>>;
type Value = unknown;
type Struct = Readonly<Record<string, Value>>;

const bytesOf = (hex: string) => hexToBytes(hex.slice(2));

/** Every struct that a type refers to, itself included. */
function structsOf(type: string, types: Types, found = new Set<string>()): Set<string> {
  const base = type.replace(/(\[\d*\])+$/, "");
  if (found.has(base) || types[base] === undefined) return found;
  found.add(base);
  for (const member of types[base]) structsOf(member.type, types, found);
  return found;
}

export function encodeType(type: string, types: Types): string {
  const others = [...structsOf(type, types)].filter((name) => name !== type).sort();
  return [type, ...others]
    .map((name) => `${name}(${types[name]!.map((member) => `${member.type} ${member.name}`).join(",")})`)
    .join("");
}

export const hashType = (type: string, types: Types) => keccak_256(utf8ToBytes(encodeType(type, types)));

function word(value: bigint): Uint8Array {
  return hexToBytes(BigInt.asUintN(256, value).toString(16).padStart(64, "0"));
}

function encodeValue(type: string, value: Value, types: Types): Uint8Array {
  const list = /^(.*)\[\d*\]$/.exec(type);
  if (list !== null) {
    return keccak_256(concatBytes(...(value as Value[]).map((item) => encodeValue(list[1]!, item, types))));
  }
  if (types[type] !== undefined) {
    // A struct that is not there, as recursive types allow.
    return value === null || value === undefined ? new Uint8Array(32) : hashStruct(type, value as Struct, types);
  }
  // The standard knows no missing value. In the vectors null hashes as empty, and one that is left out is an error.
  if ((type === "string" || type === "bytes") && value === null) return keccak_256(new Uint8Array(0));
  if (type === "string") return keccak_256(utf8ToBytes(value as string));
  if (type === "bytes") return keccak_256(value instanceof Uint8Array ? value : bytesOf(value as string));
  if (type === "bool") return word(value === true || value === "true" ? 1n : 0n);
  if (type === "address" || /^u?int\d*$/.test(type)) return word(BigInt(value as string | number | bigint));
  if (/^bytes\d+$/.test(type)) {
    const padded = new Uint8Array(32);
    padded.set(bytesOf(value as string));
    return padded;
  }
  throw new Error(`unknown type ${type}`);
}

/** The 32-byte pieces of a struct: its type hash, then every member. */
export function encodePieces(type: string, value: Struct, types: Types): { name: string; word: Uint8Array }[] {
  const members = types[type]!.map((member) => ({
    name: member.name,
    word: encodeValue(member.type, value[member.name], types),
  }));
  return [{ name: "typeHash", word: hashType(type, types) }, ...members];
}

export function encodeData(type: string, value: Struct, types: Types): Uint8Array {
  return concatBytes(...encodePieces(type, value, types).map((piece) => piece.word));
}

export function hashStruct(type: string, value: Struct, types: Types): Uint8Array {
  return keccak_256(encodeData(type, value, types));
}

export interface Message {
  readonly types: Types;
  readonly primaryType: string;
  readonly domain: Struct;
  readonly message: Struct;
}

/** The digest that is signed. Types must hold `EIP712Domain`. A message of the domain alone has no second hash. */
export function hashMessage({ types, primaryType, domain, message }: Message): Uint8Array {
  const parts = [Uint8Array.of(0x19, 0x01), hashStruct("EIP712Domain", domain, types)];
  if (primaryType !== "EIP712Domain") parts.push(hashStruct(primaryType, message, types));
  return keccak_256(concatBytes(...parts));
}

export const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`;
