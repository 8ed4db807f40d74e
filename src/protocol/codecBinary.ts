/**
 * Transactions as bytes, for block logs and for handing batches to other threads. Compact, and canonical: one decoded
 * transaction has one form, and every other form is refused on reading.
 *
 *     action u8 · flags u8 · header · payload in the order of its fields · signature (65 bytes, if flagged)
 *
 * Whole numbers are in groups of seven bits, lowest first, high bit set on all but the last, without padding. Text is a
 * length byte and ASCII. Addresses, hashes and signatures are raw. A signed number has its sign in a byte before it.
 */
import type { ByteReader } from "../ground/collections/byteReader.ts";
import type { ByteWriter } from "../ground/collections/byteWriter.ts";
import { LIMIT } from "../ground/math/fixed.ts";
import { AccountKey } from "./accountKey.ts";
import { DOMAINS } from "./action.ts";
import { ACTION_CODES, ACTION_NAMES, type ActionName, actions, type Payloads } from "./actions/index.ts";
import { SIGNATURE_BYTES } from "./codec.ts";
import { bytesOfHex, formatHex } from "./codecHex.ts";
import { COUNT_MOST, refuse } from "./codecJson.ts";
import { type Address, type Bytes32, type Field, type Fields, TEXT_MOST } from "./fields.ts";
import { type Transaction, ZERO_BYTES32 } from "./transaction.ts";

/** Bits of the second byte. A bit says that a part differs from its default and follows. */
const FLAG = { verdict: 1, signature: 2, signer: 4, authorization: 8, replaces: 16, clientTxId: 32 } as const;
const FLAGS_ALL = 63;

/** Result of `readTransaction`. */
export interface ReadTransaction {
  readonly transaction: Transaction;
  /** Undefined where none was written. */
  readonly signature: Uint8Array | undefined;
}

/**
 * Writes a decoded transaction, its verdict included.
 *
 * @param signature 65 bytes, where the log keeps signatures
 * @throws {RangeError} on text that no decoded transaction can hold
 */
export function writeTransaction(writer: ByteWriter, transaction: Transaction, signature?: Uint8Array): void {
  const { action, header, payload, verdict } = transaction;
  const { account } = header;
  const flags =
    (verdict ? FLAG.verdict : 0) |
    (signature === undefined ? 0 : FLAG.signature) |
    (header.signer === account.address ? 0 : FLAG.signer) |
    (header.authorization === ZERO_BYTES32 ? 0 : FLAG.authorization) |
    (header.replaces === ZERO_BYTES32 ? 0 : FLAG.replaces) |
    (header.clientTxId === "" ? 0 : FLAG.clientTxId);
  writer.u8(ACTION_CODES[action]);
  writer.u8(flags);
  writeText(writer, header.network);
  writeWhole(writer, header.protocolVersion);
  writeWhole(writer, header.envelopeVersion);
  writeWordBytes(writer, account.w0);
  writeWordBytes(writer, account.w1);
  writeWordBytes(writer, account.w2);
  writeWordBytes(writer, account.w3);
  writeWordBytes(writer, account.w4);
  writeWhole(writer, account.subaccount);
  if (flags & FLAG.signer) writer.raw(bytesOfHex(header.signer));
  if (flags & FLAG.authorization) writer.raw(bytesOfHex(header.authorization));
  writer.u8(DOMAINS.indexOf(header.nonceDomain));
  writeWhole(writer, header.nonce);
  writeWhole(writer, header.validFrom);
  writeWhole(writer, header.validUntil);
  if (flags & FLAG.replaces) writer.raw(bytesOfHex(header.replaces));
  if (flags & FLAG.clientTxId) writeText(writer, header.clientTxId);
  payloadWriters[action](writer, payload);
  if (signature === undefined) return;
  if (signature.length !== SIGNATURE_BYTES) throw new RangeError(`a signature of ${signature.length} bytes`);
  writer.raw(signature);
}

/**
 * Reads what `writeTransaction` wrote.
 *
 * @param keys accounts seen before, so that a long log makes one key per account
 * @throws {ValidationError} on bytes that `writeTransaction` does not write
 * @throws {RangeError} when the bytes end too early
 */
export function readTransaction(reader: ByteReader, keys: AccountKeys = new AccountKeys()): ReadTransaction {
  const code = reader.u8();
  const action = ACTION_NAMES[code] ?? refuse("range", "action", `code ${code} is not known`, DAMAGED);
  const flags = reader.u8();
  if (flags > FLAGS_ALL) refuse("range", "flags", `flags ${flags} are not known`, DAMAGED);
  const network = readText(reader, "header.network");
  const protocolVersion = readWhole(reader, "header.protocolVersion", 0xffff);
  const envelopeVersion = readWhole(reader, "header.envelopeVersion", 0xffff);
  const account = keys.read(reader);
  const signer = flags & FLAG.signer ? formatHex(reader.raw(20)) : account.address;
  const authorization = flags & FLAG.authorization ? formatHex(reader.raw(32)) : ZERO_BYTES32;
  const nonceDomain = DOMAINS[reader.u8()] ?? refuse("range", "header.nonceDomain", "unknown domain", DAMAGED);
  const nonce = readWhole(reader, "header.nonce", LIMIT);
  const validFrom = readWhole(reader, "header.validFrom", LIMIT);
  const validUntil = readWhole(reader, "header.validUntil", LIMIT);
  const replaces = flags & FLAG.replaces ? formatHex(reader.raw(32)) : ZERO_BYTES32;
  const clientTxId = flags & FLAG.clientTxId ? readText(reader, "header.clientTxId") : "";
  if (
    (flags & FLAG.signer && signer === account.address) ||
    (flags & FLAG.authorization && authorization === ZERO_BYTES32) ||
    (flags & FLAG.replaces && replaces === ZERO_BYTES32) ||
    (flags & FLAG.clientTxId && clientTxId === "")
  ) {
    refuse("malformed", "flags", "a default is written out", DAMAGED);
  }
  const payload = payloadReaders[action](reader, "payload") as Payloads[ActionName];
  return {
    transaction: {
      action,
      code,
      header: {
        network,
        protocolVersion,
        envelopeVersion,
        account,
        signer: signer as Address,
        authorization: authorization as Bytes32,
        nonceDomain,
        nonce,
        validFrom,
        validUntil,
        replaces: replaces as Bytes32,
        clientTxId,
      },
      payload,
      verdict: (flags & FLAG.verdict) !== 0,
    },
    signature: flags & FLAG.signature ? reader.raw(SIGNATURE_BYTES).slice() : undefined,
  };
}

/** Account keys by their bytes. Holds at most one key per hash: chosen addresses cannot make it slow. */
export class AccountKeys {
  private readonly known = new Map<number, AccountKey>();

  /** Reads address and subaccount. */
  read(reader: ByteReader): AccountKey {
    const bytes = reader.raw(20);
    const w0 = wordOfBytes(bytes, 0);
    const w1 = wordOfBytes(bytes, 4);
    const w2 = wordOfBytes(bytes, 8);
    const w3 = wordOfBytes(bytes, 12);
    const w4 = wordOfBytes(bytes, 16);
    const subaccount = readWhole(reader, "header.subaccount", COUNT_MOST);
    const hash = Math.imul(w0 ^ Math.imul(w1, 31) ^ Math.imul(w4 ^ Math.imul(subaccount, 127), 0x9e3779b1), 0x85ebca6b);
    const known = this.known.get(hash);
    if (
      known !== undefined &&
      known.w0 === w0 &&
      known.w1 === w1 &&
      known.w2 === w2 &&
      known.w3 === w3 &&
      known.w4 === w4 &&
      known.subaccount === subaccount
    ) {
      return known;
    }
    if (this.known.size >= KEYS_MOST) this.known.clear();
    const key = new AccountKey(formatHex(bytes), subaccount);
    this.known.set(hash, key);
    return key;
  }
}

const KEYS_MOST = 1 << 20;
const DAMAGED = "the bytes are damaged or of another version";

type Write = (writer: ByteWriter, value: unknown) => void;
type Read = (reader: ByteReader, path: string) => unknown;

function writeWordBytes(writer: ByteWriter, word: number): void {
  // Most significant byte first, as people write addresses; the writer's own order is the other one.
  writer.u32(((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0);
}

function wordOfBytes(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

function writeWhole(writer: ByteWriter, value: number): void {
  if (!(value >= 0 && value <= LIMIT && Math.floor(value) === value))
    throw new RangeError(`${value} is no whole number of the wire`);
  while (value >= 0x8000_0000) {
    writer.u8((value % 128) | 128);
    value = Math.floor(value / 128);
  }
  while (value >= 128) {
    writer.u8((value & 127) | 128);
    value >>>= 7;
  }
  writer.u8(value);
}

function readWhole(reader: ByteReader, path: string, most: number): number {
  let byte = reader.u8();
  if (byte < 128) return byte <= most ? byte : refuse("range", path, `${byte} is above ${most}`, DAMAGED);
  let value = byte & 127;
  let place = 128;
  do {
    byte = reader.u8();
    value += (byte & 127) * place;
    place *= 128;
    if (value > most) refuse("range", path, `a number above ${most}`, DAMAGED);
  } while (byte >= 128 && place <= LIMIT);
  if (byte === 0 || byte >= 128) refuse("malformed", path, "a number with padding", DAMAGED);
  return value;
}

function writeText(writer: ByteWriter, text: string): void {
  const size = text.length;
  if (size > TEXT_MOST) throw new RangeError(`${JSON.stringify(text)} is longer than ${TEXT_MOST} characters`);
  writer.u8(size);
  for (let at = 0; at < size; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 126) throw new RangeError(`${JSON.stringify(text)} is not printable ASCII`);
    writer.u8(code);
  }
}

function readText(reader: ByteReader, path: string): string {
  const size = reader.u8();
  if (size > TEXT_MOST) refuse("tooLarge", path, `${size} characters`, DAMAGED);
  const codes = reader.raw(size);
  for (let at = 0; at < size; at++) {
    const code = codes[at]!;
    if (code < 32 || code > 126) refuse("malformed", path, `byte ${code} in a text`, DAMAGED);
  }
  return String.fromCharCode.apply(null, codes as unknown as number[]);
}

function writerOf(field: Field): Write {
  switch (field.kind) {
    case "text":
    case "market":
      return (writer, value) => writeText(writer, value as string);
    case "word":
      return (writer, value) => writer.u8(value as number);
    case "price":
    case "size":
    case "amount":
    case "rate":
      if (!field.signed) return (writer, value) => writeWhole(writer, value as number);
      return (writer, value) => {
        const number = value as number;
        writer.u8(number < 0 ? 1 : 0);
        writeWhole(writer, Math.abs(number));
      };
    case "id":
    case "count":
    case "time":
      return (writer, value) => writeWhole(writer, value as number);
    case "flag":
      return (writer, value) => writer.u8(value === true ? 1 : 0);
    case "address":
    case "bytes32":
      return (writer, value) => writer.raw(bytesOfHex(value as string));
    case "bytes":
      return (writer, value) => {
        const bytes = value as Uint8Array;
        writeWhole(writer, bytes.length);
        writer.raw(bytes);
      };
    case "list": {
      const item = writerOf(field.item as Field);
      return (writer, value) => {
        const items = value as readonly unknown[];
        writeWhole(writer, items.length);
        for (const entry of items) item(writer, entry);
      };
    }
    case "record":
      return writerOfFields(field.members as Fields);
  }
}

function readerOf(field: Field): Read {
  switch (field.kind) {
    case "text":
    case "market":
      return readText;
    case "word": {
      const most = field.words.length - 1;
      return (reader, path) => readSmall(reader, path, most);
    }
    case "price":
    case "size":
    case "amount":
    case "rate":
      if (!field.signed) return (reader, path) => readWhole(reader, path, LIMIT);
      return (reader, path) => {
        const negative = readSmall(reader, path, 1) === 1;
        const value = readWhole(reader, path, LIMIT);
        if (negative && value === 0) refuse("malformed", path, "minus zero", DAMAGED);
        return negative ? -value : value;
      };
    case "id":
      if (field.optional) return (reader, path) => readWhole(reader, path, LIMIT);
      return (reader, path) => readWhole(reader, path, LIMIT) || refuse("range", path, "no id", DAMAGED);
    case "time":
      return (reader, path) => readWhole(reader, path, LIMIT);
    case "count":
      return (reader, path) => readWhole(reader, path, COUNT_MOST);
    case "flag":
      return (reader, path) => readSmall(reader, path, 1) === 1;
    case "address":
      return (reader) => formatHex(reader.raw(20));
    case "bytes32":
      return (reader) => formatHex(reader.raw(32));
    case "bytes":
      // A copy, because the reader's bytes may be a buffer that is filled again.
      return (reader, path) => reader.raw(readWhole(reader, path, COUNT_MOST)).slice();
    case "list": {
      const item = readerOf(field.item as Field);
      const { most } = field;
      return (reader, path) => {
        const size = readWhole(reader, path, most);
        const items: unknown[] = [];
        for (let index = 0; index < size; index++) items.push(item(reader, `${path}[${index}]`));
        return items;
      };
    }
    case "record":
      return readerOfFields(field.members as Fields, "");
  }
}

function readSmall(reader: ByteReader, path: string, most: number): number {
  const value = reader.u8();
  return value <= most ? value : refuse("range", path, `${value} is above ${most}`, DAMAGED);
}

function writerOfFields(fields: Fields): Write {
  const columns = Object.entries(fields).map(([name, field]) => ({ name, write: writerOf(field) }));
  return (writer, value) => {
    const members = value as Readonly<Record<string, unknown>>;
    for (const { name, write } of columns) write(writer, members[name]);
  };
}

/** @param fixed path of the object where it is always the same, so that reading builds no text */
function readerOfFields(fields: Fields, fixed: string): Read {
  const columns = Object.entries(fields).map(([name, field]) => ({
    name,
    path: `${fixed}.${name}`,
    read: readerOf(field),
  }));
  return (reader, path) => {
    const members: Record<string, unknown> = {};
    for (const { name, path: at, read } of columns) members[name] = read(reader, fixed === "" ? path + at : at);
    return members;
  };
}

const payloadWriters = Object.fromEntries(
  ACTION_NAMES.map((name) => [name, writerOfFields(actions[name].fields)]),
) as Readonly<Record<ActionName, Write>>;
const payloadReaders = Object.fromEntries(
  ACTION_NAMES.map((name) => [name, readerOfFields(actions[name].fields, "payload")]),
) as Readonly<Record<ActionName, Read>>;
