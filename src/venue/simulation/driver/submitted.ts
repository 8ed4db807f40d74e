import type { Domain } from "../../../protocol/action.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import type { ReceiptView } from "./blockView.ts";
import { DriverError } from "./errors.ts";

/** How a transaction is sent, where it differs from the driver's defaults. */
export interface SubmitOptions {
  /** Name of the agent that signs. Default: the owner. */
  readonly agent?: string;
  /** Grant of the agent: `txId` of its `grantAuthorization`. */
  readonly authorization?: Bytes32;
  /** Default: the next of the lane. */
  readonly nonce?: number;
  /** Default: that of the action; `trading` for an action of any domain. */
  readonly nonceDomain?: Domain;
  /** Heights. Default: the block that it is in. */
  readonly validFrom?: number;
  readonly validUntil?: number;
  readonly clientTxId?: string;
}

/**
 * A transaction that was handed to a driver. Everything except `action` and `account` is known once its block was made.
 */
export class Submitted {
  readonly action: ActionName;
  /** Name of the acting account, or of the authority. */
  readonly account: string;
  #receipt: ReceiptView | undefined;

  constructor(action: ActionName, account: string) {
    this.action = action;
    this.account = account;
  }

  /** @throws {DriverError} NOT_IN_BLOCK */
  get receipt(): ReceiptView {
    if (this.#receipt !== undefined) return this.#receipt;
    throw new DriverError("NOT_IN_BLOCK", `${this.account}'s ${this.action} is in no block yet; call block() first`);
  }

  /** Id of the transaction, and of the grant of a `grantAuthorization`. @throws {DriverError} NOT_IN_BLOCK */
  get txId(): Bytes32 {
    return this.receipt.txId;
  }

  /**
   * Id of its first order or intent, as payloads take it.
   *
   * @throws {DriverError} NOT_IN_BLOCK, NO_ORDER
   */
  get orderId(): string {
    const { results, status, code } = this.receipt;
    const orderId = results[0]?.orderId ?? null;
    if (orderId !== null) return orderId;
    const words = `${this.account}'s ${this.action} created no order: ${status}${code === null ? "" : ` ${code}`}`;
    throw new DriverError("NO_ORDER", words);
  }

  /** For the driver: its block was made. */
  settle(receipt: ReceiptView): void {
    this.#receipt = receipt;
  }
}
