import type { ActionResult, ReceiptStatus } from "../../protocol/receipt.ts";
import type { InvalidCode, RejectionCode } from "../../protocol/rejections.ts";

/** The result of one transaction (EVT-1). */
export interface ModelReceipt {
  readonly status: ReceiptStatus;
  readonly code?: InvalidCode | RejectionCode;
  /** The receipt fields that the model computes. */
  readonly numbers?: Numbers;
  readonly results?: readonly ActionResult[];
}

/** The result of an action: a code if it is rejected, otherwise the results of its orders. */
export interface Outcome {
  readonly code?: RejectionCode;
  readonly results?: readonly ActionResult[];
}

/** Numbers that a rejection compared, as it reports them. */
export type Numbers = Readonly<Record<string, bigint | number | string>>;

/** A code and its numbers (ACT-2): the receipt carries the numbers of the last rejection. */
export interface Refusal {
  readonly code: RejectionCode;
  readonly numbers: Numbers;
}

/** Keeps the numbers of a rejection for the receipt. */
export function refuse<Code extends RejectionCode>(
  state: { refusal: Refusal | undefined },
  code: Code,
  numbers: Numbers,
): Code {
  state.refusal = { code, numbers };
  return code;
}

/** Before a transaction: clears the last rejection. */
export function forgetRefusal(state: { refusal: Refusal | undefined }): void {
  state.refusal = undefined;
}

export const APPLIED: Outcome = {};

export function rejected(code: RejectionCode): Outcome {
  return { code };
}
