import type { Bytes32 } from "../../protocol/fields.ts";
import type { Chain } from "./chain.ts";
import type { TransactionEntry } from "./host.ts";

/** State of a transaction in a chain; undefined if it is unknown, or its block is no longer kept. */
export function findTransaction({ ledger, pool }: Chain, id: Bytes32): TransactionEntry | undefined {
  const found = ledger.find(id);
  if (found === undefined) return undefined;
  if (found.status === "ended") {
    const { status, atHeight, reason, replacedBy } = found.ending;
    return { status, id, signed: found.signed, atHeight, reason, replacedBy };
  }
  if (found.status === "committed") {
    const { height, index } = found;
    const block = ledger.block(height);
    return block && { status: "committed", id, block, index, receipt: block.receipts[index]! };
  }
  const { transaction, signature, sinceHeight } = pool.get(id)!;
  return { status: "pending", id, signed: { transaction, signature: signature! }, sinceHeight };
}
