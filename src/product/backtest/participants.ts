/**
 * Who takes part in a replay. Keys are the small whole numbers that every reader can check; they guard nothing, and the
 * same addresses act whether signatures are made or left out, so that both give the same roots.
 */
import { AccountKey } from "../../protocol/accountKey.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";

const keyOf = (number: number): Bytes32 => `0x${number.toString(16).padStart(64, "0")}`;

/** Private keys 1 to 5. */
export const KEYS = {
  oracle: keyOf(1),
  faucet: keyOf(2),
  operator: keyOf(3),
  house: keyOf(4),
  strategy: keyOf(5),
} as const;

/** Their addresses; a test holds them to the keys. */
export const AUTHORITIES: Genesis["authorities"] = {
  oracle: "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",
  faucet: "0x2b5ad5c4795c026514f8317c7a215e218dccd6cf",
  operator: "0x6813eb9362372eef6200f3b1dbc3f819671cba69",
};

/** The strategy's account. */
export const STRATEGY = new AccountKey("0xe1ab8145f7e55dc933d51a18c793f901a3a0b276", 0);

export const ORACLE = new AccountKey(AUTHORITIES.oracle, 0);
export const OPERATOR = new AccountKey(AUTHORITIES.operator, 0);
