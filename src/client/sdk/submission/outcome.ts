import type { Bytes32 } from "../../../protocol/fields.ts";
import type { Confirmation, OrderResult } from "../resources.ts";

/**
 * The final outcome of a transaction. A committed rejection is one: it used its nonce, and the same bytes are not sent
 * again. `expired`, `replaced` and `dropped` never commit, and used no nonce.
 */
export type Outcome =
  | {
      readonly status: "applied";
      readonly txId: Bytes32;
      readonly height: number;
      /** Result of its order, or of the first of a batch; undefined for an action without one. */
      readonly order: OrderResult | undefined;
      /** Results of its orders, in their order. */
      readonly orders: readonly OrderResult[];
      readonly confirmation: Confirmation;
    }
  | {
      readonly status: "rejected";
      readonly txId: Bytes32;
      readonly height: number;
      /** Stable code (docs/reference/rejections.md). */
      readonly code: string;
      /** The numbers that the rejection compared, as decimals in the units of traders. */
      readonly numbers: Readonly<Record<string, string>>;
      readonly confirmation: Confirmation;
    }
  | {
      readonly status: "expired" | "replaced" | "dropped";
      readonly txId: Bytes32;
      /** Undefined for a transaction that the venue never knew and that no block can include any more. */
      readonly confirmation: Confirmation | undefined;
    };

/** The outcome that a confirmation reports; undefined while the transaction waits. */
export function readOutcome(txId: Bytes32, confirmation: Confirmation): Outcome | undefined {
  const { status, code, numbers, position } = confirmation;
  if (status === "pending") return undefined;
  if (status !== "committed") return { status, txId, confirmation };
  const height = position?.height ?? 0;
  if (confirmation.outcome !== "rejected") {
    const { results: orders = [] } = confirmation;
    return { status: "applied", txId, height, order: orders[0], orders, confirmation };
  }
  return { status: "rejected", txId, height, code: code ?? "", numbers: numbers ?? {}, confirmation };
}
