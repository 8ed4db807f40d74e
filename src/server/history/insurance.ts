import type { State } from "../../venue/engine/state/state.ts";
import { TOTAL } from "../../venue/engine/state/totals.ts";
import type { Model, Reactions } from "./model.ts";
import { Queue } from "./queue.ts";
import { type EventPlace, placeOf } from "./walkEvents.ts";

export interface InsuranceRecord extends EventPlace {
  readonly delta: number;
  readonly cause: number;
  /** -1 for none, likewise the account. */
  readonly market: number;
  readonly account: number;
  /** Sum of the changes so far; `InsuranceChanges.start` is the fund before the first of them. */
  readonly sum: bigint;
}

/** Changes of the insurance fund. */
export class InsuranceChanges implements Model {
  readonly list = new Queue<InsuranceRecord>();
  /** Balance of the fund before the first known change. */
  start = 0n;
  /** Sums of all known changes, by cause. */
  readonly byCause = new Map<number, bigint>();
  forgottenHeight = 0;
  readonly #most: number;
  #sum = 0n;

  constructor(most: number) {
    this.#most = most;
  }

  readonly on: Reactions = {
    insuranceChanged: ({ delta, cause, market, account }, at) => {
      this.#sum += BigInt(delta);
      this.byCause.set(cause, (this.byCause.get(cause) ?? 0n) + BigInt(delta));
      this.list.push({ ...placeOf(at), delta, cause, market, account, sum: this.#sum });
      if (this.list.length > this.#most) this.forgottenHeight = this.list.shift()!.height;
    },
  };

  settle({ totals }: State): void {
    this.start = totals.get(TOTAL.insurance) - this.#sum;
  }
}
