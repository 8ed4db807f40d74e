/**
 * Bytes as 0x and lower-case hex digits. Nothing here checks: text comes from the codec or from the project's own code.
 */

const DIGITS = "0123456789abcdef";
const BYTE_TEXT: readonly string[] = Array.from({ length: 256 }, (_, byte) => DIGITS[byte >> 4]! + DIGITS[byte & 15]!);
const NIBBLES: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = DIGITS.indexOf(String.fromCharCode(code).toLowerCase());
  return digit < 0 ? 0 : digit;
});

export function formatHex(bytes: Uint8Array): `0x${string}` {
  let text: `0x${string}` = "0x";
  for (let at = 0; at < bytes.length; at++) text += BYTE_TEXT[bytes[at]!]!;
  return text;
}

/** Writes the bytes of `0x…` text at a place. */
export function writeHex(text: string, out: Uint8Array, at: number): void {
  const end = text.length;
  for (let digit = 2; digit < end; digit += 2) {
    out[at++] = (NIBBLES[text.charCodeAt(digit)]! << 4) | NIBBLES[text.charCodeAt(digit + 1)]!;
  }
}

export function bytesOfHex(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - 2) >> 1);
  writeHex(text, bytes, 0);
  return bytes;
}
