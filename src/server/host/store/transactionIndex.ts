import { randomInt } from "node:crypto";
import { HashIndex } from "./hashIndex.ts";

/** State of a transaction that has no height. */
export const PENDING = -1;
export const ENDED = -2;
/** A revert removed it. */
export const REVERTED = -3;

/** Hashes of keys differ from run to run, so that no client can choose keys that collide. */
const SEED = randomInt(1 << 30);

/**
 * Locations of a store's transactions, by arrival: 0 for the first that was ever accepted. Columns, since there may be
 * millions.
 */
export class TransactionIndex {
  /** Arrival of the first that is kept. */
  readonly first: number;
  #count = 0;
  #locations = new Float64Array(1024);
  #heights = new Int32Array(1024);
  #places = new Int32Array(1024);
  readonly #ids = new HashIndex();
  readonly #keys = new HashIndex();

  constructor(first: number) {
    this.first = first;
  }

  /** Arrival of the next one. */
  get next(): number {
    return this.first + this.#count;
  }

  add(location: number, idHash: number, keyHash: number): number {
    const number = this.#count++;
    if (number >= this.#locations.length) this.#grow();
    this.#locations[number] = location;
    this.#heights[number] = PENDING;
    this.#ids.add(number, idHash);
    this.#keys.add(number, keyHash);
    return this.first + number;
  }

  has(arrival: number): boolean {
    return arrival >= this.first && arrival < this.next;
  }

  location(arrival: number): number {
    return this.#locations[arrival - this.first]!;
  }

  /** Height of its block, or PENDING, ENDED, REVERTED. */
  height(arrival: number): number {
    return this.#heights[arrival - this.first]!;
  }

  /** Index in its block. */
  place(arrival: number): number {
    return this.#places[arrival - this.first]!;
  }

  set(arrival: number, height: number, place = 0): void {
    this.#heights[arrival - this.first] = height;
    this.#places[arrival - this.first] = place;
  }

  findId(hash: number, is: (arrival: number) => boolean): number | undefined {
    return offset(
      this.#ids.find(hash, (number) => is(this.first + number)),
      this.first,
    );
  }

  findKey(hash: number, is: (arrival: number) => boolean): number | undefined {
    return offset(
      this.#keys.find(hash, (number) => is(this.first + number)),
      this.first,
    );
  }

  /** A copy from an arrival on. */
  from(first: number): TransactionIndex {
    const rest = new TransactionIndex(first);
    for (let arrival = first; arrival < this.next; arrival++) {
      const number = arrival - this.first;
      rest.add(this.#locations[number]!, this.#ids.hashOf(number), this.#keys.hashOf(number));
      rest.set(arrival, this.#heights[number]!, this.#places[number]!);
    }
    return rest;
  }

  #grow(): void {
    const size = this.#locations.length * 2;
    const [locations, heights, places] = [this.#locations, this.#heights, this.#places];
    this.#locations = new Float64Array(size);
    this.#heights = new Int32Array(size);
    this.#places = new Int32Array(size);
    this.#locations.set(locations);
    this.#heights.set(heights);
    this.#places.set(places);
  }
}

function offset(number: number | undefined, first: number): number | undefined {
  return number === undefined ? undefined : first + number;
}

/** Ids are hashes already. @param at offset of the id */
export function hashOfId(bytes: Uint8Array, at = 0): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

const SIGNER_BYTES = 20;

/**
 * Hash of a key of a signer.
 *
 * @param signerAt offset of the signer's 20 bytes, likewise of the key
 */
export function hashOfKey(signer: Uint8Array, key: Uint8Array, signerAt = 0, keyAt = 0, keyEnd = key.length): number {
  let hash = SEED;
  for (let at = signerAt; at < signerAt + SIGNER_BYTES; at += 4)
    hash = mix(hash, signer[at]! | (signer[at + 1]! << 8) | (signer[at + 2]! << 16) | (signer[at + 3]! << 24));
  for (let at = keyAt; at < keyEnd; at++) hash = mix(hash, key[at]!);
  return hash;
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
