import { formatHex } from "../../protocol/codecHex.ts";
import type { Address } from "../../protocol/fields.ts";
import { plainKeccak } from "../../protocol/typedDataDigest.ts";

const encoder = new TextEncoder();

/** An address in mixed case, where the case of the letters is a checksum (EIP-55). Wallets write it so. */
export function checksumAddress(address: Address): Address {
  const digits = address.slice(2).toLowerCase();
  const hash = formatHex(plainKeccak(encoder.encode(digits)));
  let text = "0x";
  for (let at = 0; at < digits.length; at++) {
    text += Number.parseInt(hash[at + 2]!, 16) >= 8 ? digits[at]!.toUpperCase() : digits[at]!;
  }
  return text as Address;
}
