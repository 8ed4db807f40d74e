import type { Confirmation, Receipt, Transaction } from "../../api/schemas/transactions.ts";
import type { State } from "../../engine/state/state.ts";
import { encodeHeader, encodePayload } from "../../protocol/codec.ts";
import { formatHex } from "../../protocol/codecHex.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import type { Receipt as EngineReceipt } from "../../protocol/receipt.ts";
import { INVALID_CODES, REJECTION_CODES, type RejectionNumbers } from "../../protocol/rejections.ts";
import type { Transaction as EngineTransaction } from "../../protocol/transaction.ts";
import { actingOf } from "../../simulation/explain/acting.ts";
import { readNumber, rulesOf } from "../../simulation/explain/numberText.ts";
import { countEvents } from "../history/walkEvents.ts";
import type { BlockEntry, TransactionEntry } from "../host/host.ts";

const MEANINGS: Readonly<Record<string, string>> = { ...INVALID_CODES, ...REJECTION_CODES };

/** Why a transaction was not applied, as receipts, confirmations and previews tell it. */
export interface Refusal {
  readonly code: string | null;
  readonly meaning: string | null;
  readonly numbers: Record<string, string> | null;
}

/** Market of an order that no longer rests, where that is known: its lots and ticks are counted in the market's. */
type MarketOf = (order: number) => number | undefined;

export function viewRefusal(
  state: State,
  transaction: EngineTransaction,
  { code, numbers }: Pick<EngineReceipt, "code" | "numbers">,
  marketOf?: MarketOf,
): Refusal {
  if (code === undefined) return { code: null, meaning: null, numbers: null };
  const rules = rulesOf(state, actingOf(transaction), numbers, marketOf);
  return { code, meaning: MEANINGS[code]!, numbers: numbers === undefined ? null : textNumbers(code, numbers, rules) };
}

function textNumbers(
  code: string,
  numbers: RejectionNumbers,
  rules: MarketParameters | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.keys(numbers).map((name) => [name, readNumber(code, name, numbers, rules).text]));
}

export function viewResults(results: EngineReceipt["results"]): Receipt["results"] {
  return (results ?? []).map(({ orderId, status, code }) => ({
    orderId: orderId === undefined ? null : `${orderId}`,
    status,
    code: code ?? null,
  }));
}

/** Of a transaction that committed: its receipt is no `invalid` one (NON-3). */
export function viewReceipt(state: State, entry: BlockEntry, index: number, marketOf?: MarketOf): Receipt {
  const receipt = entry.receipts[index]!;
  return {
    txId: entry.ids[index]!,
    height: entry.height,
    index,
    status: receipt.status === "applied" ? "applied" : "rejected",
    ...viewRefusal(state, entry.transactions[index]!, receipt, marketOf),
    nonceConsumed: receipt.nonceConsumed,
    results: viewResults(receipt.results),
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
  const none = { outcome: null, code: null, meaning: null, numbers: null, finality: null };
  switch (entry.status) {
    case "pending":
      return { ...base, ...none, endedHeight: null, replacedBy: null, nextAction: "wait" };
    case "committed": {
      const { status, code, meaning, numbers } = viewReceipt(state, entry.block, entry.index, marketOf);
      const outcome = { outcome: status, code, meaning, numbers, finality: "final" } as const;
      return { ...base, ...outcome, endedHeight: null, replacedBy: null, nextAction: "resync" };
    }
    default: {
      const { reason, atHeight, replacedBy } = entry;
      const why = reason === undefined ? {} : { code: reason, meaning: MEANINGS[reason]! };
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
