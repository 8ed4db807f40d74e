import { keccak_256 } from "@noble/hashes/sha3.js";
import { actions } from "../../../protocol/actions/index.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import type { Transaction } from "../../../protocol/transaction.ts";

/** Decimal places of each kind of decimal (NUM-1). */
const DIGITS: Readonly<Record<string, number>> = { price: 8, size: 8, amount: 6, rate: 9 };

/** The header's type in the signature (TX-1). */
const HEADER =
  "TxHeader(string network,uint16 protocolVersion,uint16 envelopeVersion,address account,uint32 subaccount,address signer," +
  "bytes32 authorization,string nonceDomain,uint64 nonce,uint64 validFrom,uint64 validUntil,bytes32 replaces,string clientTxId)";
const DOMAIN = "EIP712Domain(string name,string version,uint256 chainId,bytes32 salt)";

/** The domain of a chain's signatures. */
interface Salted {
  readonly chainId: number;
  readonly genesisHash: string;
}

/**
 * The EIP-712 digest of a transaction, built as hexadecimal text from the list of an action's fields alone. It shares
 * no line with the venue's own signing code, nor with its writer of decimals. Whole numbers from 0 to 2^53.
 *
 * @param hashes of texts so far: most texts of a transaction are those of the one before
 */
export function plainDigest(
  transaction: Transaction,
  { chainId, genesisHash }: Salted,
  hashes: Map<string, string> = new Map(),
): string {
  const { header, payload, action } = transaction;
  const hashText = (text: string) => findHash(hashes, text);
  const { primaryType, fields } = actions[action];
  const separator = hash([
    ...[hashText(DOMAIN), hashText("perplab"), hashText(`${header.envelopeVersion}`)],
    ...[word(chainId), genesisHash.slice(2)],
  ]);
  const { account } = header;
  const signed = hash([
    ...[hashText(HEADER), hashText(header.network), word(header.protocolVersion), word(header.envelopeVersion)],
    ...[pad(account.address), word(account.subaccount), pad(header.signer), header.authorization.slice(2)],
    ...[hashText(header.nonceDomain), word(header.nonce), word(header.validFrom), word(header.validUntil)],
    ...[header.replaces.slice(2), hashText(header.clientTxId)],
  ]);
  const types = new Map([["TxHeader", HEADER]]);
  collect(fields, types);
  const others = [...types].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  const type = `${primaryType}(TxHeader header${Object.entries(fields)
    .map(([name, field]) => `,${typeOf(field)} ${name}`)
    .join("")})`;
  const message = hash([hashText(type + others.join("")), signed, ...encodeAll(fields, payload, hashText)]);
  return `0x${hash(["1901", separator, message])}`;
}

/** Record types that some fields use, by type name. */
function collect(fields: Fields, types: Map<string, string>): void {
  for (const field of Object.values(fields)) {
    const inner = field.kind === "list" ? (field.item as Field) : field;
    if (inner.kind !== "record") continue;
    types.set(inner.name, writeRecord(inner.name, inner.members as Fields));
    collect(inner.members as Fields, types);
  }
}

function writeRecord(name: string, members: Fields): string {
  return `${name}(${Object.entries(members)
    .map(([member, field]) => `${typeOf(field)} ${member}`)
    .join(",")})`;
}

function typeOf(field: Field): string {
  switch (field.kind) {
    case "flag":
      return "bool";
    case "count":
      return "uint32";
    case "id":
    case "time":
      return "uint64";
    case "address":
    case "bytes":
    case "bytes32":
      return field.kind;
    case "list":
      return `${typeOf(field.item as Field)}[]`;
    case "record":
      return field.name;
    default:
      return "string";
  }
}

type HashText = (text: string) => string;

function encodeAll(fields: Fields, value: unknown, hashText: HashText): string[] {
  const members = value as Readonly<Record<string, unknown>>;
  return Object.entries(fields).map(([name, field]) => encode(field, members[name], hashText));
}

/** A value as 32 bytes. */
function encode(field: Field, value: unknown, hashText: HashText): string {
  switch (field.kind) {
    case "text":
    case "market":
      return hashText(value as string);
    case "word":
      return hashText(field.words[value as number]!);
    case "price":
    case "size":
    case "amount":
    case "rate":
      return hashText(value === 0 && field.optional ? "" : writeDecimal(value as number, DIGITS[field.kind]!));
    case "flag":
      return word(value === true ? 1 : 0);
    case "id":
    case "count":
    case "time":
      return word(value as number);
    case "address":
      return pad(value as string);
    case "bytes32":
      return (value as string).slice(2);
    case "bytes":
      return toHex(keccak_256(value as Uint8Array));
    case "list":
      return hash((value as readonly unknown[]).map((item) => encode(field.item as Field, item, hashText)));
    case "record": {
      const types = new Map<string, string>();
      collect(field.members as Fields, types);
      const others = [...types.values()].sort();
      const type = [writeRecord(field.name, field.members as Fields), ...others].join("");
      return hash([hashText(type), ...encodeAll(field.members as Fields, value, hashText)]);
    }
  }
}

/** Units as decimal text with this many decimal places. */
function writeDecimal(value: number, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const units = BigInt(value);
  const size = units < 0n ? -units : units;
  const whole = `${units < 0n ? "-" : ""}${size / unit}`;
  let rest = size % unit;
  if (rest === 0n) return whole;
  let places = digits;
  for (; rest % 10n === 0n; places--) rest /= 10n;
  let text = `${rest}`;
  while (text.length < places) text = `0${text}`;
  return `${whole}.${text}`;
}

function word(value: number): string {
  return BigInt(value).toString(16).padStart(64, "0");
}

function pad(hex: string): string {
  return hex.slice(2).padStart(64, "0");
}

/** Texts whose hashes are remembered at most. */
const TEXTS_MOST = 1024;

function findHash(hashes: Map<string, string>, text: string): string {
  let found = hashes.get(text);
  if (found === undefined) {
    if (hashes.size >= TEXTS_MOST) hashes.clear();
    found = toHex(keccak_256(new TextEncoder().encode(text)));
    hashes.set(text, found);
  }
  return found;
}

function hash(parts: readonly string[]): string {
  return toHex(keccak_256(Uint8Array.from(Buffer.from(parts.join(""), "hex"))));
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
