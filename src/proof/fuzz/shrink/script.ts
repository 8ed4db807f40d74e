import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Domain } from "../../../protocol/action.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Crash } from "../case/crash.ts";

/**
 * A chronicle as a person would write it: one list of transactions and ends of blocks, in which what an earlier line
 * made is named by that line, and nonces, heights and times are distances from what is next. Lines may be left out,
 * moved and changed, and what is left still means the same.
 */
export interface Script {
  readonly genesis: Genesis;
  readonly lines: readonly Line[];
}

export type Line = BlockLine | TransactionLine;

/** The end of a block. */
export interface BlockLine {
  readonly kind: "block";
  /** Time from the block before, in ms; at least 1. */
  readonly afterMs: number;
  /** Behind the block the venue starts again from what it has written. */
  readonly crash?: Crash["way"];
}

export interface TransactionLine {
  readonly kind: "transaction";
  /** By which other lines name it: a whole number from 1, the same however the line is changed. */
  readonly number: number;
  readonly action: ActionName;
  readonly account: AccountKey;
  /** Decoded payload, but for the places that `links` fill in when it is played. */
  readonly payload: object;
  readonly links: readonly Link[];
  readonly signer: Address;
  /** Grant of an agent: the line that granted it, or an id that nothing of the script made; undefined for none. */
  readonly grant: number | Bytes32 | undefined;
  readonly domain: Domain;
  /** Distance from the next nonce of its lane: 0 as it should be. */
  readonly nonce: number;
  /** Distances from the height of its block. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** Undefined for those of the chain. */
  readonly network: string | undefined;
  readonly version: number | undefined;
  readonly envelope: number | undefined;
  readonly replaces: Bytes32 | undefined;
  readonly clientTxId: string;
  readonly verdict: boolean;
}

/** A place in a payload whose value is known only when it is played. */
export type Link = {
  readonly path: readonly (string | number)[];
} & (
  | {
      /** Id of an order or an intent: of all that a line may make, the one at `part`. Line 0 stands for none that ever was. */
      readonly to: "id";
      readonly line: number;
      readonly part: number;
    }
  | { readonly to: "grant"; readonly line: number }
  | { readonly to: "height" | "time"; readonly after: number }
);

/** How many transactions a script has. */
export function countTransactions({ lines }: Script): number {
  let count = 0;
  for (const { kind } of lines) if (kind === "transaction") count++;
  return count;
}
