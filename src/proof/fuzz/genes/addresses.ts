import type { Address } from "../../../protocol/fields.ts";

/** The five words of address 0. */
const WORDS = [0xc0ffee00, 0x00000000, 0x7fffffff, 0x80000000, 0xfffffff0] as const;
/** Odd: no two multiples have the same low 32 bits. */
const STRIDE = 0x9e3779b1;

/**
 * An address by number. Each differs from the one before in exactly one of its five words, in turn. Code that ignores a
 * word, or its sign, then confuses neighbours.
 */
export function addressOf(index: number): Address {
  const words = WORDS.map((word, place) => {
    const changes = Math.floor((index + 4 - place) / 5);
    return (word + Math.imul(STRIDE, changes)) >>> 0;
  });
  return `0x${words.map((word) => word.toString(16).padStart(8, "0")).join("")}`;
}
