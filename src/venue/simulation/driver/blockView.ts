import type { ActionName } from "../../../protocol/actions/index.ts";
import type { EventKind } from "../../../protocol/events.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import type { ReceiptStatus } from "../../../protocol/receipt.ts";
import type { EventValue } from "../explain/eventValues.ts";
import type { OrderResult } from "../explain/receiptText.ts";

/**
 * An event: its kind and the fields of that kind (docs/reference/events.md). Amounts, prices, sizes, rates and ids are
 * text, counts and times are numbers, accounts are names, and an absent value is null.
 */
export type EventView = { readonly kind: EventKind } & Readonly<Record<string, EventValue>>;

/** Outcome of a transaction in its block (EVT-1). */
export interface ReceiptView {
  /** Name of the acting account, or of the authority. */
  readonly account: string;
  readonly action: ActionName;
  /** Id: the digest that a signature would sign (TX-3). */
  readonly txId: Bytes32;
  /** `rejected` used the nonce and changed nothing else; `invalid` changed nothing at all. */
  readonly status: ReceiptStatus;
  /** Why it was not applied (docs/reference/rejections.md); null where it was. */
  readonly code: string | null;
  /** The code in words. */
  readonly meaning: string | null;
  /** The numbers that the code compared, in the units of traders. */
  readonly numbers: Record<string, string> | null;
  /** The outcome of each of its orders, in their order. */
  readonly results: readonly OrderResult[];
  /** Its events, in their order. */
  readonly events: readonly EventView[];
}

/** What a block did. */
export interface BlockView {
  readonly height: number;
  readonly timeMs: number;
  /**
   * One for each transaction, in the order of the block: oracle updates, other system transactions, those of accounts.
   */
  readonly receipts: readonly ReceiptView[];
  /** All of them, with those of the block's steps: funding, expiries, liquidations. */
  readonly events: readonly EventView[];
}
