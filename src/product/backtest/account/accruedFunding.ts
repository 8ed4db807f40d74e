import { NONE } from "../../../ground/collections/table.ts";
import type { VenueEvent } from "../../../protocol/events.ts";
import { getUnsettledFunding } from "../../../venue/engine/funding/owed.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";

/** Funding of an account by market, quote units: what it owes, and what has accrued in the block that is read. */
export class AccruedFunding {
  readonly #account: AccountRow;
  /** Owed and not settled, as the last block that was read left it. */
  readonly #owed: Float64Array;
  /** Changes of it by the block that is read, as far as no payment has taken them. */
  readonly #accrued: Float64Array;

  constructor(account: AccountRow, markets: number) {
    this.#account = account;
    this.#owed = new Float64Array(markets);
    this.#accrued = new Float64Array(markets);
  }

  /** Reads a block: what it settled, plus what is owed after it, less what was owed before it. */
  read(state: State, events: readonly VenueEvent[]): void {
    for (let market = 0; market < this.#owed.length; market++) {
      const position = getPosition(state, this.#account, market as MarketRow);
      const owed = position === NONE ? 0 : getUnsettledFunding(state, position);
      let accrued = owed - this.#owed[market]!;
      this.#owed[market] = owed;
      for (const event of events) {
        if (event.kind === "fundingSettled" && event.market === market) accrued += event.payment;
      }
      this.#accrued[market] = accrued;
    }
  }

  /** What has accrued in a market. A block has one payment of a market at most, which takes it: afterwards it is 0. */
  take(market: number): number {
    const accrued = this.#accrued[market]!;
    this.#accrued[market] = 0;
    return accrued;
  }

  getOwed(market: number): number {
    return this.#owed[market]!;
  }

  /** Collateral of the cross margin account, less the funding that the account owes. */
  computeBalance(state: State): number {
    let balance: number = state.accounts.collateral[this.#account]!;
    for (let market = 0; market < this.#owed.length; market++) balance -= this.#owed[market]!;
    return balance;
  }
}
