import { BLOCK_TX_IDS_MOST, type Block, type BlockTransaction } from "../../../client/api/schemas/transactions.ts";
import { countEvents } from "../../history/walkEvents.ts";
import type { BlockEntry } from "../../host/host.ts";

/** @param proposer name of the block's proposer, if the validator set is public */
export function viewBlock({ events, ...entry }: BlockEntry, proposer: string | null): Block {
  return {
    height: entry.height,
    hash: entry.hash,
    parentHash: entry.parentHash,
    stateRoot: entry.stateRoot ?? null,
    timeMs: entry.timeMs,
    proposer,
    transactionCount: entry.ids.length,
    eventCount: countEvents(events, 0, events.length),
    txIds: entry.ids.slice(0, BLOCK_TX_IDS_MOST),
  };
}

export function viewBlockTransaction({ ids, transactions, receipts }: BlockEntry, index: number): BlockTransaction {
  const { action, header } = transactions[index]!;
  const { status, code } = receipts[index]!;
  return {
    txId: ids[index]!,
    index,
    action,
    account: header.account.address,
    subaccount: header.account.subaccount,
    status,
    code: code ?? null,
  };
}
