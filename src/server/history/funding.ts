import type { Model, Reactions } from "./model.ts";
import { Queue } from "./queue.ts";
import { type EventPlace, placeOf } from "./walkEvents.ts";

export interface FundingRecord extends EventPlace {
  readonly market: number;
  /** ppb of notional. */
  readonly rate: number;
}

/** Funding payments of markets; for continuous funding the newest blocks only. */
export class FundingRates implements Model {
  readonly #most: number;
  readonly #ofMarket = new Map<number, Queue<FundingRecord>>();
  forgottenHeight = 0;

  /** @param most number of payments kept per market */
  constructor(most: number) {
    this.#most = most;
  }

  readonly on: Reactions = {
    fundingAccrued: ({ market, rate }, at) => {
      let list = this.#ofMarket.get(market);
      if (list === undefined) {
        list = new Queue();
        this.#ofMarket.set(market, list);
      }
      list.push({ ...placeOf(at), market, rate });
      if (list.length > this.#most) this.forgottenHeight = Math.max(this.forgottenHeight, list.shift()!.height);
    },
  };

  ofMarket(market: number): Queue<FundingRecord> {
    return this.#ofMarket.get(market) ?? new Queue();
  }
}
