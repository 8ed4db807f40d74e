import { createTransaction } from "../../protocol/createTransaction.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { SealedBlock } from "../../venue/simulation/observer.ts";
import type { Signatures } from "../../venue/simulation/signatures.ts";
import type { HistoryAction } from "../replay/history.ts";
import { BacktestError } from "./errors.ts";
import { OPERATOR, ORACLE } from "./participants.ts";

/**
 * Makes the blocks of a replay: the actions of history, then the strategies' transactions (BLK). With signatures, every
 * transaction is signed and the signature checked.
 */
export class BlockBuilder {
  readonly #signatures: Signatures | undefined;
  #height = 0;
  #oracleNonce = 0;
  #operatorNonce = 0;

  constructor(signatures: Signatures | undefined) {
    this.#signatures = signatures;
  }

  /** Height of the block that comes next. */
  get nextHeight(): number {
    return this.#height + 1;
  }

  /** Makes the next block. */
  build(timeMs: number, history: readonly HistoryAction[], own: readonly Transaction[]): SealedBlock {
    const height = ++this.#height;
    // Most blocks have one transaction: a list that grows would have room for seventeen.
    const transactions = new Array<Transaction>(history.length + own.length);
    for (let at = 0; at < history.length; at++) transactions[at] = this.#sign(history[at]!, height);
    for (let at = 0; at < own.length; at++) transactions[history.length + at] = own[at]!;
    return this.#signatures === undefined
      ? { height, timeMs, transactions }
      : { height, timeMs, ...this.#seal(transactions, this.#signatures) };
  }

  /** In the name of the authority that an action needs. */
  #sign(one: HistoryAction, validFrom: number): Transaction {
    return one.action === "oracleUpdate"
      ? createTransaction({
          action: one.action,
          payload: one.payload,
          account: ORACLE,
          nonce: this.#oracleNonce++,
          validFrom,
        })
      : createTransaction({
          action: one.action,
          payload: one.payload,
          account: OPERATOR,
          nonce: this.#operatorNonce++,
          validFrom,
        });
  }

  #seal(
    transactions: readonly Transaction[],
    signatures: Signatures,
  ): Pick<SealedBlock, "transactions" | "signatures"> {
    const signed = transactions.map((transaction) => signatures.sign(transaction));
    for (const one of signed) {
      if (signatures.verify(one).verdict) continue;
      throw new BacktestError("REPLAY_REFUSED", `the signature of ${one.transaction.action} does not verify`);
    }
    return { transactions, signatures: signed.map(({ signature }) => signature) };
  }
}
