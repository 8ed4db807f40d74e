import { NONE } from "../../../ground/collections/table.ts";
import { INTENT_KIND, INTENT_STATE } from "../../../protocol/words.ts";
import { isBelow } from "../../../venue/engine/state/intentIndex.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/** All prices that a market has in an instant, whatever their source; 1e-8 USD. */
export interface PriceRange {
  readonly lowPrice: number;
  readonly highPrice: number;
}

/** Stops and take-profits of an account that wait for a price, as the last block left them. */
export class ArmedTriggers {
  /**
   * By market, 1e-8 USD: the highest trigger that a falling price fires, and the lowest that a rising one does; 0 and
   * Infinity without one.
   */
  #below: number[] = [];
  #above: number[] = [];
  #isBusy = false;
  #isArmed = false;

  /**
   * An intent may act in any block. A trailing stop follows every price, a schedule and a last time wait for the clock,
   * and a trigger that the last block's prices have reached fires in the next (INT-1).
   */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** A trigger waits for its price. */
  get isArmed(): boolean {
    return this.#isArmed;
  }

  /** Reads the account's intents after a block. */
  read(state: State, account: AccountRow): void {
    const { accounts, intents } = state;
    this.#isBusy = false;
    this.#isArmed = false;
    if (accounts.intents[account] === NONE) return;
    this.#below = new Array(state.parameters.length).fill(0);
    this.#above = new Array(state.parameters.length).fill(Number.POSITIVE_INFINITY);
    for (let row = accounts.intents[account]!; row !== NONE; row = intents.older[row]!) {
      const kind = intents.kind[row]!;
      if (intents.goodTilHeight[row] !== 0 || intents.goodTilTime[row] !== 0) this.#isBusy = true;
      if (intents.state[row] !== INTENT_STATE.armed) continue;
      if (kind !== INTENT_KIND.stop && kind !== INTENT_KIND.takeProfit) this.#isBusy = true;
      else this.#add(intents.market[row]!, intents.trigger[row]!, isBelow(kind, intents.side[row]!));
    }
    if (this.#isArmed && this.isReached(state.parameters.map((_, market) => readPrices(state, market as MarketRow)))) {
      this.#isBusy = true;
    }
  }

  /** Whether a price of an instant reaches a trigger. */
  isReached(ranges: readonly PriceRange[]): boolean {
    if (!this.#isArmed) return false;
    for (let market = 0; market < ranges.length; market++) {
      const { lowPrice, highPrice } = ranges[market]!;
      if (this.#below[market]! >= lowPrice || this.#above[market]! <= highPrice) return true;
    }
    return false;
  }

  #add(market: number, trigger: number, firesBelow: boolean): void {
    this.#isArmed = true;
    if (firesBelow) this.#below[market] = Math.max(this.#below[market]!, trigger);
    else this.#above[market] = Math.min(this.#above[market]!, trigger);
  }
}

/** Prices of a market in the venue. */
function readPrices({ markets, parameters }: State, market: MarketRow): PriceRange {
  const last = markets.last[market]! * parameters[market]!.tickSize;
  const prices = [markets.mark[market]!, markets.index[market]!, last];
  return { lowPrice: Math.min(...prices), highPrice: Math.max(...prices) };
}
