import type { Receipt } from "../../../protocol/receipt.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import type { EventText } from "../expect/eventText.ts";
import { unitsOf } from "../expect/eventText.ts";

/** The object of a label, once its transaction has a receipt. */
export interface Labelled {
  /** Place among the labels of its transaction. */
  readonly part: number;
  readonly receipt: Receipt;
  /** Events of the transaction. */
  readonly events: readonly EventText[];
  /** Transactions committed before it. */
  readonly consumed: number;
  /** Id of the transaction, 0x and 64 digits. */
  readonly txId: () => string;
}

/**
 * The id of a label. An order has the id that its transaction reserves for it, even if the order is rejected. A file
 * can then expect the result of cancelling it. Any other id is found by its unit in the events of the transaction.
 */
export function idOfLabel({ part, receipt, events, consumed }: Labelled, unit: string): string | undefined {
  const result = receipt.results?.[part]?.orderId;
  if (unit === "order" || unit === "") {
    if (result !== undefined && result !== 0) return String(result);
    if (unit === "order") return String(consumed * ORDERS_PER_TRANSACTION + part);
  }
  const ids: string[] = [];
  for (const { kind, fields } of events) {
    for (const [name, of] of Object.entries(unitsOf(kind))) {
      const id = fields[name]!;
      if (of === unit && id !== "0" && !ids.includes(id)) ids.push(id);
    }
  }
  return ids[part] ?? ids[0];
}
