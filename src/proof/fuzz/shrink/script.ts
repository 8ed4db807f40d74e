import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Domain } from "../../../protocol/action.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Crash } from "../case/crash.ts";

/**
 * A chronicle in editable form: one list of transactions and block ends. Lines reference earlier lines by number, and
 * nonces, heights and times are relative. Lines can be dropped, moved and changed, and the remaining ones keep their
 * meaning.
 */
export interface Script {
  readonly genesis: Genesis;
  readonly lines: readonly Line[];
}

export type Line = BlockLine | TransactionLine;

/** The end of a block. */
export interface BlockLine {
  readonly kind: "block";
  /** Time since the previous block, ms; at least 1. */
  readonly afterMs: number;
  /** Form from which the venue restarts after the block. */
  readonly crash?: Crash["way"];
}

export interface TransactionLine {
  readonly kind: "transaction";
  /** Number by which other lines reference it: a whole number from 1, unchanged by edits of the line. */
  readonly number: number;
  readonly action: ActionName;
  readonly account: AccountKey;
  /** Decoded payload; `links` fills in the referenced places when the line is played. */
  readonly payload: object;
  readonly links: readonly Link[];
  readonly signer: Address;
  /** Grant of an agent: the line that made it, or an id that the script did not make; undefined for none. */
  readonly grant: number | Bytes32 | undefined;
  readonly domain: Domain;
  /** Distance from the next nonce of its lane; 0 is valid. */
  readonly nonce: number;
  /** Distances from the height of its block. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** Undefined for the chain's own network. */
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
      /**
       * Id of an order or an intent: the one at `part` of all that the line may create. Line 0 means an id that
       * never existed.
       */
      readonly to: "id";
      readonly line: number;
      readonly part: number;
    }
  | { readonly to: "grant"; readonly line: number }
  | { readonly to: "height" | "time"; readonly after: number }
);

/** Number of transactions of a script. */
export function countTransactions({ lines }: Script): number {
  let count = 0;
  for (const { kind } of lines) if (kind === "transaction") count++;
  return count;
}
