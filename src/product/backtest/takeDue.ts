import type { Transaction } from "../../protocol/transaction.ts";
import type { DueTransaction } from "./outbox.ts";

/** What strategies send in one block. */
export interface DueTransactions {
  /** In the order of the block. */
  readonly transactions: readonly Transaction[];
  /** By strategy: the places of its transactions in the block. */
  readonly places: readonly (readonly number[])[];
}

/** Gives out what a block may carry, in the order of sending. */
interface Source {
  take(height: number, timeMs: number): DueTransaction[];
}

/**
 * Takes what a block carries of the strategies of a run, which are in the order of their names. What could have been in
 * an earlier block comes first: a transaction's earliest time is that of sending and the latency. At the same time
 * names decide, and of one strategy the order of sending.
 *
 * @param first place of the first of them in the block
 */
export function takeDue(sources: readonly Source[], height: number, timeMs: number, first: number): DueTransactions {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) {
    const transactions = only.take(height, timeMs).map(({ transaction }) => transaction);
    return { transactions, places: [transactions.map((_, place) => first + place)] };
  }
  const places: number[][] = [];
  let due: { readonly one: DueTransaction; readonly source: number }[] | undefined;
  for (const [source, trader] of sources.entries()) {
    places.push([]);
    const taken = trader.take(height, timeMs);
    if (taken.length > 0) due = [...(due ?? []), ...taken.map((one) => ({ one, source }))];
  }
  if (due === undefined) return { transactions: [], places };
  due.sort((a, b) => a.one.dueMs - b.one.dueMs);
  for (const [place, { source }] of due.entries()) places[source]!.push(first + place);
  return { transactions: due.map(({ one }) => one.transaction), places };
}
