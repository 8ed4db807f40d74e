import type { Address } from "./fields.ts";

/**
 * Names an account: address and subaccount. The address is kept as text for people and as words for the engine's
 * index; drivers make one key per account and reuse it.
 */
export class AccountKey {
  readonly address: Address;
  readonly subaccount: number;
  /** The address as five big-endian 32-bit words, signed. */
  readonly w0: number;
  readonly w1: number;
  readonly w2: number;
  readonly w3: number;
  readonly w4: number;
  /** Hash of the address, for indexes. */
  readonly hash: number;
  /** Cache: the venue's index in which this key was found last, and the row that it has there. */
  #index: object | undefined = undefined;
  #row = -1;

  /** @param address 0x and 40 lower-case hex digits, checked by the decoder of the text */
  constructor(address: Address, subaccount: number) {
    this.address = address;
    this.subaccount = subaccount;
    this.w0 = wordAt(address, 2);
    this.w1 = wordAt(address, 10);
    this.w2 = wordAt(address, 18);
    this.w3 = wordAt(address, 26);
    this.w4 = wordAt(address, 34);
    this.hash = hashAddress(this.w0, this.w1, this.w2, this.w3, this.w4);
  }

  /** Row that was kept for an index; -1 if it was another index, or none. */
  getRow(index: object): number {
    return this.#index === index ? this.#row : -1;
  }

  /** Keeps the row of an account that this index will never remove or move. */
  keepRow(index: object, row: number): void {
    this.#index = index;
    this.#row = row;
  }
}

/** An address as the engine's index takes it. */
export type AddressWords = Pick<AccountKey, "w0" | "w1" | "w2" | "w3" | "w4" | "hash">;

/** Hash of the five words of an address. */
export function hashAddress(w0: number, w1: number, w2: number, w3: number, w4: number): number {
  let hash = Math.imul(w0, 0x9e3779b1) ^ w1;
  hash = Math.imul(hash, 0x85ebca6b) ^ w2;
  hash = Math.imul(hash, 0xc2b2ae35) ^ w3;
  hash = Math.imul(hash, 0x9e3779b1) ^ w4;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function wordAt(address: string, at: number): number {
  return Number.parseInt(address.slice(at, at + 8), 16) | 0;
}

/** The address of five words, as text. */
export function addressOfWords(w0: number, w1: number, w2: number, w3: number, w4: number): Address {
  return `0x${hexOfWord(w0)}${hexOfWord(w1)}${hexOfWord(w2)}${hexOfWord(w3)}${hexOfWord(w4)}`;
}

const HEX_OF_BYTE: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A 32-bit word as eight hex digits, by its bytes: restoring a venue makes many. */
export function hexOfWord(word: number): string {
  const [a, b] = [HEX_OF_BYTE[word >>> 24]!, HEX_OF_BYTE[(word >>> 16) & 255]!];
  return a + b + HEX_OF_BYTE[(word >>> 8) & 255]! + HEX_OF_BYTE[word & 255]!;
}
