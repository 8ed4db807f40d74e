import type { ActionResult, ReceiptStatus } from "../protocol/receipt.ts";
import type { InvalidCode, RejectionCode } from "../protocol/rejections.ts";

/** What became of one transaction (EVT-1). */
export interface ModelReceipt {
  readonly status: ReceiptStatus;
  readonly code?: InvalidCode | RejectionCode;
  readonly results?: readonly ActionResult[];
}

/** What an action answers: a code where it is rejected, else what became of its orders. */
export interface Outcome {
  readonly code?: RejectionCode;
  readonly results?: readonly ActionResult[];
}

export const APPLIED: Outcome = {};

export function rejected(code: RejectionCode): Outcome {
  return { code };
}
