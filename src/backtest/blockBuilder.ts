import type { Ppb, PriceE8 } from "../math/fixed.ts";
import { createTransaction } from "../protocol/createTransaction.ts";
import type { Transaction } from "../protocol/transaction.ts";
import type { SealedBlock } from "../simulation/observer.ts";
import type { Signatures } from "../simulation/signatures.ts";
import { BacktestError } from "./errors.ts";
import { HOUSE, OPERATOR, ORACLE } from "./parties.ts";
import type { MarketFlow } from "./replay/marketFlow.ts";

/**
 * Makes the blocks of a replay: reference prices of every market that has news, then the house's orders, then the
 * strategy's transactions (BLK). With signatures, every transaction is signed and the signature checked.
 */
export class BlockBuilder {
  readonly #flows: readonly MarketFlow[];
  readonly #staleMs: readonly number[];
  readonly #signatures: Signatures | undefined;
  #height = 0;
  #oracleNonce = 0;
  #operatorNonce = 0;

  /** @param staleMs by market, the length of its bars: how old a recorded mark may be, if more than an hour */
  constructor(flows: readonly MarketFlow[], staleMs: readonly number[], signatures: Signatures | undefined) {
    this.#flows = flows;
    this.#staleMs = staleMs;
    this.#signatures = signatures;
  }

  /** Height of the block that comes next. */
  get nextHeight(): number {
    return this.#height + 1;
  }

  /** System transactions of the last block: they stand first. */
  systemCount = 0;

  /** Makes the next block. */
  build(timeMs: number, own: readonly Transaction[]): SealedBlock {
    const height = ++this.#height;
    const transactions: Transaction[] = [];
    const flows = this.#flows;
    for (let market = 0; market < flows.length; market++) {
      const flow = flows[market]!;
      flow.finishTrades();
      const values = flow.takeOracle(timeMs, this.#staleMs[market]!);
      if (values === undefined) continue;
      transactions.push(
        createTransaction({
          action: "oracleUpdate",
          account: ORACLE,
          nonce: this.#oracleNonce++,
          validFrom: height,
          payload: {
            market: flow.name,
            sources: [],
            price: values.price as PriceE8,
            mark: values.mark as PriceE8,
            fundingRate: values.rate as Ppb,
            settleFunding: values.settle,
          },
        }),
      );
    }
    for (let market = 0; market < flows.length; market++) {
      const flow = flows[market]!;
      const steps = flow.takeSteps();
      if (steps.length === 0) continue;
      transactions.push(
        createTransaction({
          action: "houseFlow",
          account: OPERATOR,
          nonce: this.#operatorNonce++,
          validFrom: height,
          payload: { market: flow.name, account: HOUSE.address, subaccount: HOUSE.subaccount, steps },
        }),
      );
    }
    this.systemCount = transactions.length;
    for (const transaction of own) transactions.push(transaction);
    return this.#signatures === undefined
      ? { height, timeMs, transactions }
      : { height, timeMs, ...this.#seal(transactions, this.#signatures) };
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
