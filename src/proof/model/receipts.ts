import type { ActionResult, ReceiptStatus } from "../../protocol/receipt.ts";
import type { InvalidCode, RejectionCode } from "../../protocol/rejections.ts";

/** What became of one transaction (EVT-1). */
export interface ModelReceipt {
  readonly status: ReceiptStatus;
  readonly code?: InvalidCode | RejectionCode;
  /** Those that the model has. */
  readonly numbers?: Numbers;
  readonly results?: readonly ActionResult[];
}

/** What an action answers: a code where it is rejected, else what became of its orders. */
export interface Outcome {
  readonly code?: RejectionCode;
  readonly results?: readonly ActionResult[];
}

/** Numbers that a refusal compared, as they are told with it. */
export type Numbers = Readonly<Record<string, bigint | number | string>>;

/** A code, and the numbers that led to it (ACT-2): the receipt tells them if nothing else is refused first. */
export interface Refusal {
  readonly code: RejectionCode;
  readonly numbers: Numbers;
}

/** Keeps the numbers of a refusal for the receipt. */
export function refuse<Code extends RejectionCode>(
  state: { refusal: Refusal | undefined },
  code: Code,
  numbers: Numbers,
): Code {
  state.refusal = { code, numbers };
  return code;
}

/** Before a transaction: nothing is refused yet. */
export function forgetRefusal(state: { refusal: Refusal | undefined }): void {
  state.refusal = undefined;
}

export const APPLIED: Outcome = {};

export function rejected(code: RejectionCode): Outcome {
  return { code };
}
