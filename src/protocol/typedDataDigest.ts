/**
 * Digests of decoded transactions. The schema of each action is fixed, so its type hashes are computed once. Every
 * field has a fixed 32-byte place in a reused buffer, and words and common names are hashed once. Values write the
 * canonical text of NUM-5, so a decoded transaction and its JSON have one digest.
 */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { formatDecimal } from "../ground/math/decimal.ts";
import { DOMAINS } from "./action.ts";
import { type ActionName, actions } from "./actions/index.ts";
import { formatHex, writeHex } from "./codecHex.ts";
import { type Bytes32, DECIMALS, type Field, type Fields } from "./fields.ts";
import { HEADER_FIELDS, HEADER_TYPE } from "./header.ts";
import type { Transaction, TxHeader } from "./transaction.ts";
import {
  DOMAIN_MEMBERS,
  encodeType,
  SIGNING_NAME,
  SIGNING_VERSION,
  type SigningDomain,
  typedDataTypes,
} from "./typedData.ts";

/** Keccak-256: 32 new bytes. */
export type Keccak = (bytes: Uint8Array) => Uint8Array;

/** Hashes transactions of one signing domain. Holds buffers and is not re-entrant: one per thread. */
export interface Digester {
  /** The digest that is signed, as 32 new bytes. */
  digest(transaction: Transaction): Uint8Array;
  /** The digest as text, which is the transaction's id (TX-3). */
  digestOf(transaction: Transaction): Bytes32;
  /** Domain separator of the signed messages. */
  readonly domainSeparator: Bytes32;
}

/** Keccak-256 in plain JavaScript: runs everywhere, slower than a compiled one. */
export const plainKeccak: Keccak = (bytes) => keccak_256(bytes);

/** Writes one value as the 32 bytes at a place. Unsigned numbers leave the high bytes, which stay zero. */
type WriteWord = (value: unknown, out: Uint8Array, at: number) => void;
type HashStruct = (value: unknown) => Uint8Array;

/** Cached hashes of names: markets, networks, presets. Unknown names from outside only clear the cache. */
const NAMES_MOST = 4096;

/**
 * @param domain chain id and genesis that signatures are bound to
 * @param keccak a faster hash, `loadKeccak` of signing for example; default plain JavaScript
 */
export function createDigester(domain: SigningDomain, keccak: Keccak = plainKeccak): Digester {
  let scratch = new Uint8Array(256);
  const names = new Map<string, Uint8Array>();

  function hashText(text: string): Uint8Array {
    const size = text.length;
    if (size > scratch.length) scratch = new Uint8Array(size * 2);
    for (let at = 0; at < size; at++) {
      const code = text.charCodeAt(at);
      if (code > 127) throw new RangeError(`${JSON.stringify(text)} is not ASCII: decode transactions before hashing`);
      scratch[at] = code;
    }
    return keccak(scratch.subarray(0, size));
  }

  function hashName(text: string): Uint8Array {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= NAMES_MOST) names.clear();
    const hash = hashText(text);
    names.set(text, hash);
    return hash;
  }

  const emptyHash = hashText("");
  const writeText: WriteWord = (value, out, at) => out.set(value === "" ? emptyHash : hashText(value as string), at);
  const writeName: WriteWord = (value, out, at) => out.set(hashName(value as string), at);

  function writerOf(field: Field): WriteWord {
    switch (field.kind) {
      case "text":
        return writeText;
      case "market":
        return writeName;
      case "word": {
        const hashes = field.words.map((word) => hashText(word));
        return (value, out, at) => out.set(hashes[value as number]!, at);
      }
      case "price":
      case "size":
      case "amount":
      case "rate": {
        const decimals = DECIMALS[field.kind];
        const zero = field.optional ? emptyHash : hashText("0");
        return (value, out, at) => out.set(value === 0 ? zero : hashText(formatDecimal(value as number, decimals)), at);
      }
      case "id":
      case "count":
      case "time":
        return writeNumber;
      case "flag":
        return (value, out, at) => {
          out[at + 31] = value === true ? 1 : 0;
        };
      case "address":
        return (value, out, at) => writeHex(value as string, out, at + 12);
      case "bytes32":
        return (value, out, at) => writeHex(value as string, out, at);
      case "bytes":
        return (value, out, at) => out.set(keccak(value as Uint8Array), at);
      case "list": {
        const item = writerOf(field.item as Field);
        return (value, out, at) => {
          const items = value as readonly unknown[];
          const words = new Uint8Array(items.length * 32);
          for (let index = 0; index < items.length; index++) item(items[index], words, index * 32);
          out.set(keccak(words), at);
        };
      }
      case "record": {
        const name = field.name;
        const members = field.members as Fields;
        const hash = structOf(typeHashes(name), members, 0);
        return (value, out, at) => out.set(hash(value), at);
      }
    }
  }

  const allTypes = Object.assign({}, ...Object.keys(actions).map((action) => typedDataTypes(action as ActionName)));
  const typeHashes = (name: string) => hashText(encodeType(name, allTypes));

  /** @param reserved words between the type hash and the fields, for the caller to fill */
  function structOf(
    typeHash: Uint8Array,
    fields: Fields,
    reserved: number,
    words = wordsOf(typeHash, fields, reserved),
  ) {
    const columns = Object.keys(fields);
    const writers = columns.map((name) => writerOf(fields[name]!));
    return (value: unknown): Uint8Array => {
      const members = value as Readonly<Record<string, unknown>>;
      for (let index = 0, at = (1 + reserved) * 32; index < columns.length; index++, at += 32) {
        writers[index]!(members[columns[index]!], words, at);
      }
      return keccak(words);
    };
  }

  function wordsOf(typeHash: Uint8Array, fields: Fields, reserved: number): Uint8Array {
    const words = new Uint8Array((1 + reserved + Object.keys(fields).length) * 32);
    words.set(typeHash);
    return words;
  }

  const headerWords = new Uint8Array((1 + HEADER_FIELDS.length) * 32);
  headerWords.set(typeHashes(HEADER_TYPE));
  const domainHashes = Object.fromEntries(DOMAINS.map((name) => [name, hashText(name)]));

  function hashHeader(header: TxHeader): Uint8Array {
    const words = headerWords;
    writeName(header.network, words, 32);
    writeNumber(header.protocolVersion, words, 64);
    writeNumber(header.envelopeVersion, words, 96);
    writeHex(header.account.address, words, 128 + 12);
    writeNumber(header.account.subaccount, words, 160);
    writeHex(header.signer, words, 192 + 12);
    writeHex(header.authorization, words, 224);
    words.set(domainHashes[header.nonceDomain]!, 256);
    writeNumber(header.nonce, words, 288);
    writeNumber(header.validFrom, words, 320);
    writeNumber(header.validUntil, words, 352);
    writeHex(header.replaces, words, 384);
    writeText(header.clientTxId, words, 416);
    return keccak(words);
  }

  function createPrimary(action: ActionName): HashStruct {
    const { primaryType, fields } = actions[action];
    const typeHash = typeHashes(primaryType);
    const words = wordsOf(typeHash, fields, 1);
    const hash = structOf(typeHash, fields, 1, words);
    return (value) => {
      const { header, payload } = value as Transaction;
      words.set(hashHeader(header), 32);
      return hash(payload);
    };
  }
  const primaries = new Map<ActionName, HashStruct>();

  const separator = hashDomain(domain, keccak, hashText);
  const message = new Uint8Array(66);
  message[0] = 0x19;
  message[1] = 0x01;
  message.set(separator, 2);

  function digest(transaction: Transaction): Uint8Array {
    let hash = primaries.get(transaction.action);
    if (hash === undefined) {
      hash = createPrimary(transaction.action);
      primaries.set(transaction.action, hash);
    }
    message.set(hash(transaction), 34);
    return keccak(message);
  }

  return { digest, digestOf: (transaction) => formatHex(digest(transaction)), domainSeparator: formatHex(separator) };
}

/** The id of one transaction (TX-3). For many, keep a digester. */
export function digestOf(transaction: Transaction, domain: SigningDomain, keccak: Keccak = plainKeccak): Bytes32 {
  return createDigester(domain, keccak).digestOf(transaction);
}

function hashDomain(domain: SigningDomain, keccak: Keccak, hashText: (text: string) => Uint8Array): Uint8Array {
  const words = new Uint8Array(5 * 32);
  words.set(hashText(encodeType("EIP712Domain", { EIP712Domain: DOMAIN_MEMBERS })));
  words.set(hashText(SIGNING_NAME), 32);
  words.set(hashText(SIGNING_VERSION), 64);
  writeNumber(domain.chainId, words, 96);
  writeHex(domain.genesisHash, words, 128);
  return keccak(words);
}

/** A whole number from 0 to 2^53 in the last eight bytes; the others of a number's place are never written. */
function writeNumber(value: unknown, out: Uint8Array, at: number): void {
  const number = value as number;
  const high = Math.floor(number / 4_294_967_296);
  const low = number >>> 0;
  out[at + 24] = 0;
  out[at + 25] = high >>> 16;
  out[at + 26] = high >>> 8;
  out[at + 27] = high;
  out[at + 28] = low >>> 24;
  out[at + 29] = low >>> 16;
  out[at + 30] = low >>> 8;
  out[at + 31] = low;
}
