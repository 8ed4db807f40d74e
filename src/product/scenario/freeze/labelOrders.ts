import type { Payloads } from "../../../protocol/actions/index.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { readSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import type { Stretch } from "./readStretch.ts";

/**
 * Labels of orders that a later transaction names: by the id of the order, and by height and place of the transaction
 * that makes it. Orders from before the first block keep their ids.
 */
export function labelOrders({ snapshot, blocks }: Stretch): ReadonlyMap<string, string> {
  const state = readSnapshot(snapshot);
  const made = new Map<string, string>();
  const labels = new Map<string, string>();
  let count = 0;
  for (const block of blocks) {
    for (const { action, payload } of block.transactions) {
      if (action !== "cancelOrder" && action !== "amendOrder") continue;
      const id = String((payload as Payloads["cancelOrder"]).orderId);
      const place = made.get(id);
      if (place === undefined || labels.has(id)) continue;
      const label = `order${++count}`;
      labels.set(id, label);
      labels.set(place, label);
    }
    const { receipts } = applyBlock(state, block);
    block.transactions.forEach(({ action }, index) => {
      if (action !== "placeOrder" && action !== "closePosition") return;
      const id = receipts.at(index).results?.[0]?.orderId;
      if (id !== undefined) made.set(String(id), `${block.height}-${index}`);
    });
  }
  return labels;
}
