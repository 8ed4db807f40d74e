import type { Confirmation, Receipt, Transaction } from "../../../client/api/schemas/transactions.ts";
import { encodeHeader, encodePayload } from "../../../protocol/codec.ts";
import { formatHex } from "../../../protocol/codecHex.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { type MarketOf, MEANINGS, readRefusal, readResults } from "../../../venue/simulation/explain/receiptText.ts";
import { EVICTION_CODES } from "../../../venue/simulation/pool/errors.ts";
import { countEvents } from "../../history/walkEvents.ts";
import type { BlockEntry, TransactionEntry } from "../../host/host.ts";

const ENDINGS: Readonly<Record<string, string>> = { ...MEANINGS, ...EVICTION_CODES };

/** Receipt of a committed transaction, so never an `invalid` one (NON-3). */
export function viewReceipt(state: State, entry: BlockEntry, index: number, marketOf?: MarketOf): Receipt {
  const receipt = entry.receipts[index]!;
  const transaction = entry.transactions[index]!;
  return {
    txId: entry.ids[index]!,
    height: entry.height,
    index,
    status: receipt.status === "applied" ? "applied" : "rejected",
    ...readRefusal(state, transaction, receipt, marketOf),
    nonceConsumed: receipt.nonceConsumed,
    results: readResults(state, transaction, receipt, readEvents(entry.events, receipt.eventsFrom, receipt.eventsTo)),
    eventCount: countEvents(entry.events, receipt.eventsFrom, receipt.eventsTo),
  };
}

function viewPosition(entry: TransactionEntry): Transaction["position"] {
  if (entry.status !== "committed") return null;
  const { height, hash, timeMs } = entry.block;
  return { height, index: entry.index, blockHash: hash, timeMs };
}

export function viewTransaction(state: State, entry: TransactionEntry, marketOf?: MarketOf): Transaction {
  const isCommitted = entry.status === "committed";
  const { action, header, payload } = isCommitted ? entry.block.transactions[entry.index]! : entry.signed.transaction;
  const signature = isCommitted ? entry.block.signatures[entry.index] : entry.signed.signature;
  return {
    txId: entry.id,
    status: entry.status,
    action,
    header: encodeHeader(header),
    payload: encodePayload(action, payload as never),
    signature: signature === undefined ? null : formatHex(signature),
    position: viewPosition(entry),
    receipt: isCommitted ? viewReceipt(state, entry.block, entry.index, marketOf) : null,
    sinceHeight: entry.status === "pending" ? entry.sinceHeight : null,
  };
}

export function viewConfirmation(state: State, entry: TransactionEntry, marketOf?: MarketOf): Confirmation {
  const base = { txId: entry.id, status: entry.status, position: viewPosition(entry) };
  const none = { outcome: null, code: null, meaning: null, numbers: null, results: [], finality: null };
  switch (entry.status) {
    case "pending":
      return { ...base, ...none, endedHeight: null, replacedBy: null, nextAction: "wait" };
    case "committed": {
      const { status, code, meaning, numbers, results } = viewReceipt(state, entry.block, entry.index, marketOf);
      const finality = state.genesis.features.devnet ? "revertible" : "final";
      const outcome = { outcome: status, code, meaning, numbers, results, finality } as const;
      return { ...base, ...outcome, endedHeight: null, replacedBy: null, nextAction: "resync" };
    }
    default: {
      const { reason, atHeight, replacedBy } = entry;
      const why = reason === undefined ? {} : { code: reason, meaning: ENDINGS[reason]! };
      return {
        ...base,
        ...none,
        ...why,
        endedHeight: atHeight,
        replacedBy: replacedBy ?? null,
        nextAction: entry.status === "replaced" ? "none" : "resign",
      };
    }
  }
}
