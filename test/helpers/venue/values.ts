/** Values as tests write them: numbers as decimal text, and accounts by name. */
import { parseDecimal } from "../../../src/ground/math/decimal.ts";
import { AccountKey } from "../../../src/protocol/accountKey.ts";
import type { Address } from "../../../src/protocol/fields.ts";

export const price = (text: string) => parseDecimal(text, 8);

export const size = (text: string) => parseDecimal(text, 8);

export const amount = (text: string) => parseDecimal(text, 6);

export const rate = (text: string) => parseDecimal(text, 9);

/** Address of an account name: the same for all its subaccounts. */
export function addressOf(name: string): Address {
  const [owner] = name.split("/");
  const hex = [...owner!].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return `0x${hex.padEnd(40, "0").slice(0, 40)}`;
}

export function keyOf(name: string): AccountKey {
  return new AccountKey(addressOf(name), Number(name.split("/")[1] ?? 0));
}
