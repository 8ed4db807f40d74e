import type { BookLevel } from "./schemas/markets.ts";

const LEVELS = 10;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; bit++) word = (word & 1) === 0 ? word >>> 1 : (word >>> 1) ^ 0xedb88320;
  return word;
});

/**
 * Checksum with which a client verifies its book: CRC-32 over the ten best asks, then the ten best bids. Each level is
 * its price and its size, without point and leading zeros. Source: Kraken, second version of its book checksum.
 */
export function computeBookChecksum(bids: readonly BookLevel[], asks: readonly BookLevel[]): number {
  return crc32(digitsOf(asks) + digitsOf(bids));
}

function digitsOf(levels: readonly BookLevel[]): string {
  let digits = "";
  for (const [price, size] of levels.slice(0, LEVELS)) digits += strip(price) + strip(size);
  return digits;
}

function strip(text: string): string {
  return text.replace(".", "").replace(/^0+/, "");
}

function crc32(ascii: string): number {
  let word = -1;
  for (let at = 0; at < ascii.length; at++) word = TABLE[(word ^ ascii.charCodeAt(at)) & 0xff]! ^ (word >>> 8);
  return ~word >>> 0;
}
