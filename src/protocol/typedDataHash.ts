/**
 * Hashes of EIP-712 typed data for any domain and any types: what `eth_signTypedData_v4` signs. The venue's own
 * transactions have fixed types and a faster digest (`typedDataDigest.ts`); the results are equal.
 */
import { formatHex, writeHex } from "./codecHex.ts";
import { ValidationError, type ValidationFault } from "./errors.ts";
import type { Address, Bytes32 } from "./fields.ts";
import { encodeType, type TypedDataMember, type TypedDataTypes } from "./typedData.ts";
import { type Keccak, plainKeccak } from "./typedDataDigest.ts";

/** A signing domain of EIP-712. A member that is left out is not part of the domain's type. */
export interface TypedDataDomain {
  readonly name?: string;
  readonly version?: string;
  /** Whole number; a `bigint` or decimal text above 2^53. */
  readonly chainId?: number | bigint | string;
  readonly verifyingContract?: Address;
  /** 32 bytes. */
  readonly salt?: Bytes32;
}

/** A message of any domain: the form that wallets and typed-data libraries take. */
export interface TypedMessage {
  readonly domain: TypedDataDomain;
  /** Structs by name. `EIP712Domain` may be left out: it follows from the members of `domain`. */
  readonly types: TypedDataTypes;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

const DOMAIN_TYPE = "EIP712Domain";
/** Members that a domain may have, in the order of the standard. */
const DOMAIN_FIELDS: readonly TypedDataMember[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];

const ARRAY = /^(.*)\[([0-9]*)\]$/;
const INTEGER = /^(u?)int([0-9]{0,3})$/;
const FIXED_BYTES = /^bytes([0-9]{1,2})$/;
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;

/**
 * `hashStruct` of the standard: keccak256(typeHash ‖ encodeData(value)).
 *
 * Integers are `number` (safe integers), `bigint` or decimal text; `bytes`, `bytesN` and `address` are 0x and hex
 * digits; a `string` is hashed in UTF-8. No member has a default.
 *
 * @param keccak a faster hash; default: plain JavaScript
 * @throws {ValidationError} with the place of a type or value that the standard does not take
 */
export function hashStruct(
  type: string,
  value: Readonly<Record<string, unknown>>,
  types: TypedDataTypes,
  keccak: Keccak = plainKeccak,
): Bytes32 {
  return formatHex(structHash(type, value, "", { types, keccak }));
}

/** The domain separator: `hashStruct` of the domain, with the members that it has. */
export function hashDomain(domain: TypedDataDomain, keccak: Keccak = plainKeccak): Bytes32 {
  return hashStruct(DOMAIN_TYPE, { ...domain }, { [DOMAIN_TYPE]: domainMembers(domain) }, keccak);
}

/**
 * The digest that is signed: keccak256(0x1901 ‖ domainSeparator ‖ hashStruct(message)).
 *
 * @throws {ValidationError} as `hashStruct`
 */
export function hashTypedData(typed: TypedMessage, keccak: Keccak = plainKeccak): Bytes32 {
  const { domain, primaryType, message } = typed;
  const types = { [DOMAIN_TYPE]: domainMembers(domain), ...typed.types };
  const context = { types, keccak };
  const bytes = new Uint8Array(66);
  bytes[0] = 0x19;
  bytes[1] = 0x01;
  bytes.set(structHash(DOMAIN_TYPE, { ...domain }, "domain", context), 2);
  // A message of the domain's own type is the domain alone.
  if (primaryType === DOMAIN_TYPE) return formatHex(keccak(bytes.subarray(0, 34)));
  bytes.set(structHash(primaryType, message, "message", context), 34);
  return formatHex(keccak(bytes));
}

function domainMembers(domain: TypedDataDomain): TypedDataMember[] {
  return DOMAIN_FIELDS.filter(({ name }) => (domain as Readonly<Record<string, unknown>>)[name] !== undefined);
}

interface Context {
  readonly types: TypedDataTypes;
  readonly keccak: Keccak;
}

function structHash(type: string, value: unknown, path: string, context: Context): Uint8Array {
  const { types, keccak } = context;
  const members = Object.hasOwn(types, type) ? types[type] : undefined;
  if (members === undefined) throw fault("unknownWord", path, `there is no type ${type}`, "define it in `types`");
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fault("wrongType", path, `is no ${type}`, "give an object");
  }
  const words = new Uint8Array((1 + members.length) * 32);
  words.set(keccak(utf8(encodeType(type, types))));
  members.forEach((member, index) => {
    const place = path === "" ? member.name : `${path}.${member.name}`;
    const given = Object.hasOwn(value, member.name)
      ? (value as Readonly<Record<string, unknown>>)[member.name]
      : undefined;
    words.set(wordOf(member.type, given, place, context), (1 + index) * 32);
  });
  return keccak(words);
}

/** The 32 bytes that a value has in its struct. */
function wordOf(type: string, value: unknown, path: string, context: Context): Uint8Array {
  if (value === undefined) throw fault("missingField", path, "is missing", `give a ${type}`);
  const [, item, count] = ARRAY.exec(type) ?? [];
  if (item !== undefined) return arrayWord(item, count ?? "", value, path, context);
  if (Object.hasOwn(context.types, type)) return structHash(type, value, path, context);
  const { keccak } = context;
  const [, unsigned, bits] = INTEGER.exec(type) ?? [];
  if (bits !== undefined) return integerWord(value, Number(bits === "" ? 256 : bits), unsigned === "u", path);
  const [, size] = FIXED_BYTES.exec(type) ?? [];
  if (size !== undefined) return hexWord(value, Number(size), 0, path);
  switch (type) {
    case "string":
      if (typeof value !== "string") throw fault("wrongType", path, "is no text", "give a string");
      return keccak(utf8(value));
    case "bytes":
      return keccak(bytesOf(value, path));
    case "bool": {
      if (typeof value !== "boolean") throw fault("wrongType", path, "is no flag", "give true or false");
      const word = new Uint8Array(32);
      word[31] = value ? 1 : 0;
      return word;
    }
    case "address":
      return hexWord(value, 20, 12, path);
    default:
      throw fault("unknownWord", path, `there is no type ${type}`, "define it in `types`");
  }
}

function arrayWord(item: string, count: string, value: unknown, path: string, context: Context): Uint8Array {
  if (!Array.isArray(value)) throw fault("wrongType", path, "is no list", "give an array");
  if (count !== "" && value.length !== Number(count)) {
    throw fault("range", path, `has ${value.length} items`, `give ${count}`);
  }
  const words = new Uint8Array(value.length * 32);
  for (let at = 0; at < value.length; at++) words.set(wordOf(item, value[at], `${path}[${at}]`, context), at * 32);
  return context.keccak(words);
}

function integerWord(value: unknown, bits: number, isUnsigned: boolean, path: string): Uint8Array {
  const whole = readInteger(value, path);
  const most = 1n << BigInt(isUnsigned ? bits : bits - 1);
  if (whole >= most || whole < (isUnsigned ? 0n : -most)) {
    throw fault("range", path, `does not fit ${isUnsigned ? "u" : ""}int${bits}`, "give a number within its range");
  }
  const word = new Uint8Array(32);
  writeHex(`0x${BigInt.asUintN(256, whole).toString(16).padStart(64, "0")}`, word, 0);
  return word;
}

function readInteger(value: unknown, path: string): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^-?(?:0|[1-9][0-9]{0,77})$/.test(value)) return BigInt(value);
  throw fault("wrongType", path, "is no whole number", "give a safe integer, a bigint or decimal text");
}

/** @param at first byte of the word that it fills */
function hexWord(value: unknown, size: number, at: number, path: string): Uint8Array {
  const bytes = bytesOf(value, path);
  if (bytes.length !== size) throw fault("range", path, `has ${bytes.length} bytes`, `give ${size}`);
  const word = new Uint8Array(32);
  word.set(bytes, at);
  return word;
}

function bytesOf(value: unknown, path: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== "string" || !HEX.test(value)) {
    throw fault("malformed", path, "is no bytes", "give 0x and hexadecimal digits, two a byte");
  }
  const bytes = new Uint8Array((value.length - 2) / 2);
  writeHex(value, bytes, 0);
  return bytes;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fault(kind: ValidationFault, path: string, reason: string, hint: string): ValidationError {
  return new ValidationError({ fault: kind, path, reason, hint });
}
