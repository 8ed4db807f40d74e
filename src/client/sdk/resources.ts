/** Fields of the venue's answers that the client reads. */
import type { OrderOutcome } from "../../protocol/receipt.ts";

export interface AsOf {
  readonly height: number;
  readonly timeMs: number;
  readonly hash: string;
}

export interface Status {
  readonly network: {
    readonly name: string;
    readonly chainId: number;
    readonly genesisHash: string;
    readonly epoch: number;
  };
  readonly versions: {
    readonly api: string;
    readonly protocol: readonly number[];
    readonly envelope: readonly number[];
    readonly sdk: { readonly typescript: { readonly minimum: string; readonly current: string } };
  };
  readonly head: AsOf;
  readonly limits: { readonly confirmationWaitMsMost: number; readonly validityBlocksMost: number };
}

export interface NonceState {
  readonly committedNext: string;
  readonly pendingNext: string;
  readonly pending: readonly { readonly nonce: string; readonly txId: string }[];
}

export interface Market {
  readonly market: string;
  readonly status: string;
  readonly tickSize: string;
  readonly lotSize: string;
  readonly minSize: string;
  readonly maxSize: string;
  readonly minNotional: string;
  readonly slippageMost: string;
  readonly leverageMost: number;
  readonly fees: { readonly taker: string; readonly maker: string };
}

export interface Authorization {
  readonly authId: string;
  readonly owner: string;
  readonly agent: string;
  readonly status: string;
  readonly scopes: readonly string[];
  readonly markets: readonly string[] | null;
  readonly subaccounts: readonly number[] | null;
}

/** Result of one order of a transaction, within the transaction. */
export interface OrderResult {
  /** Id of the order or intent, decimal text; null where it never had one. */
  readonly orderId: string | null;
  readonly status: OrderOutcome;
  /** Filled by the transaction, in units of base; a later block may fill more. */
  readonly filled: string;
  /** Why it was rejected (docs/reference/rejections.md); null where it was not. */
  readonly code: string | null;
  /** The numbers that the code compared, in the units of traders; null where there are none. */
  readonly numbers: Readonly<Record<string, string>> | null;
}

export interface Confirmation {
  readonly txId: string;
  readonly status: "pending" | "committed" | "expired" | "replaced" | "dropped";
  readonly outcome: "applied" | "rejected" | null;
  readonly code: string | null;
  readonly numbers: Readonly<Record<string, string>> | null;
  /** Missing from venues of an earlier version. */
  readonly results?: readonly OrderResult[];
  readonly position: { readonly height: number; readonly index: number; readonly timeMs: number } | null;
  readonly endedHeight: number | null;
  readonly replacedBy: string | null;
}
