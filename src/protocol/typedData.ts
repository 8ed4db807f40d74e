/**
 * The signed message of every action as EIP-712 typed data (TX-1), derived from the descriptors. `typedDataDigest.ts`
 * hashes it; wallets and other libraries take what `typedDataOf` gives.
 */
import { type ActionName, actions } from "./actions/index.ts";
import type { Bytes32, Field, Fields } from "./fields.ts";
import { HEADER_FIELDS, HEADER_TYPE } from "./header.ts";
import { ENVELOPE_VERSION, type SignedTransaction } from "./transaction.ts";

/** What a signature is bound to: one chain id and one genesis. A fork keeps both. */
export interface SigningDomain {
  /** Whole number from 0. */
  readonly chainId: number;
  readonly genesisHash: Bytes32;
}

export interface TypedDataMember {
  readonly name: string;
  readonly type: string;
}
/** Structs by name. */
export type TypedDataTypes = Readonly<Record<string, readonly TypedDataMember[]>>;

/** Name and version of the signing domain. */
export const SIGNING_NAME = "perplab";
export const SIGNING_VERSION = String(ENVELOPE_VERSION);

/** Members of the signing domain, in the order of the standard. */
export const DOMAIN_MEMBERS: readonly TypedDataMember[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "salt", type: "bytes32" },
];

const HEADER_MEMBERS: readonly TypedDataMember[] = HEADER_FIELDS.map(({ name, type }) => ({ name, type }));

/** Type of a field in the signed message. */
export function typeOfField(field: Field): string {
  switch (field.kind) {
    case "text":
    case "market":
    case "word":
    case "price":
    case "size":
    case "amount":
    case "rate":
      return "string";
    case "id":
    case "time":
      return "uint64";
    case "count":
      return "uint32";
    case "flag":
      return "bool";
    case "bytes32":
      return "bytes32";
    case "address":
      return "address";
    case "bytes":
      return "bytes";
    case "list":
      return `${typeOfField(field.item)}[]`;
    case "record":
      return field.name;
  }
}

/** Members of a struct with these fields. */
export function membersOfFields(fields: Fields): TypedDataMember[] {
  return Object.entries(fields).map(([name, field]) => ({ name, type: typeOfField(field) }));
}

function collectRecords(fields: Fields, types: Record<string, readonly TypedDataMember[]>): void {
  for (let field of Object.values(fields)) {
    while (field.kind === "list") field = field.item as Field;
    if (field.kind !== "record") continue;
    types[field.name] = membersOfFields(field.members as Fields);
    collectRecords(field.members as Fields, types);
  }
}

/** Every struct of an action's message: its primary type first, then the header and the records of its payload. */
export function typedDataTypes(action: ActionName): TypedDataTypes {
  const { primaryType, fields } = actions[action];
  const types: Record<string, readonly TypedDataMember[]> = {
    [primaryType]: [{ name: "header", type: HEADER_TYPE }, ...membersOfFields(fields)],
    [HEADER_TYPE]: HEADER_MEMBERS,
  };
  collectRecords(fields, types);
  return types;
}

/** `encodeType` of the standard: the struct, then all that it refers to by name, sorted. */
export function encodeType(primary: string, types: TypedDataTypes): string {
  const others = Object.keys(referredTypes(primary, types, {}))
    .filter((name) => name !== primary)
    .sort();
  const write = (name: string) => `${name}(${types[name]!.map((member) => `${member.type} ${member.name}`).join(",")})`;
  return [primary, ...others].map(write).join("");
}

function referredTypes(name: string, types: TypedDataTypes, seen: Record<string, true>): Record<string, true> {
  if (Object.hasOwn(seen, name) || !Object.hasOwn(types, name)) return seen;
  seen[name] = true;
  for (const { type } of types[name]!) referredTypes(type.replace(/\[.*$/, ""), types, seen);
  return seen;
}

/** The whole message of a JSON transaction, in the form that wallets and typed-data libraries take. */
export interface TypedData {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly salt: Bytes32;
  };
  /** Without the domain's own type, which libraries derive. */
  readonly types: TypedDataTypes;
  readonly primaryType: string;
  /** Header and payload; 64-bit numbers as bigint. */
  readonly message: Readonly<Record<string, unknown>>;
}

/** @param transaction JSON that `decodeTransaction` accepts; the signature plays no part and may be left out */
export function typedDataOf(transaction: Omit<SignedTransaction, "signature">, domain: SigningDomain): TypedData {
  const { action, header, payload } = transaction;
  const types = typedDataTypes(action);
  const primaryType = actions[action].primaryType;
  const message = convert(primaryType, types, { header, ...payload }) as Readonly<Record<string, unknown>>;
  return {
    domain: { name: SIGNING_NAME, version: SIGNING_VERSION, chainId: domain.chainId, salt: domain.genesisHash },
    types,
    primaryType,
    message,
  };
}

/** JSON writes 64-bit numbers as text; libraries want bigint. */
function convert(type: string, types: TypedDataTypes, value: unknown): unknown {
  if (type.endsWith("[]")) return (value as unknown[]).map((item) => convert(type.slice(0, -2), types, item));
  if (type === "uint64") return BigInt(value as string | number);
  if (!Object.hasOwn(types, type)) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(types[type]!.map(({ name, type: of }) => [name, convert(of, types, members[name])]));
}
