import { LIMIT, mulDivCeil, mulDivFloor } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { SIDE } from "../../../protocol/words.ts";

/** Parameters with which impact prices are computed. */
export type ImpactTerms = Pick<MarketParameters, "impactNotional" | "tickLotValue" | "tickSize">;

/** Fills the impact notional on one side of a book, from the best price on (FND-1). */
export class ImpactFill {
  /** Notional that is not filled yet, quote units; at or below 0 when done. */
  left: number;
  private lots = 0;
  private spent = 0;
  private readonly rules: ImpactTerms;

  constructor(rules: ImpactTerms) {
    this.rules = rules;
    this.left = rules.impactNotional;
  }

  /** Takes from an order or a level: whole lots, as many as the rest of the notional needs. */
  take(price: number, lots: number): void {
    const perLot = price * this.rules.tickLotValue;
    const whole = Math.ceil(this.left / perLot);
    const taken = lots < whole ? lots : whole;
    this.lots += taken;
    this.spent += taken * perLot;
    this.left -= taken * perLot;
  }

  /**
   * Average price, 1e-8 USD, rounded down for bids and up for asks, and at most 9e15 (NUM-3); 0 without enough depth.
   */
  average(side: number): number {
    if (this.left > 0 || this.lots === 0) return 0;
    // spent / lots is the value of a lot, ticks * tickLotValue; in 1e-8 USD: * tickSize / tickLotValue.
    const divide = side === SIDE.buy ? mulDivFloor : mulDivCeil;
    const average = divide(this.spent, this.rules.tickSize, this.lots * this.rules.tickLotValue);
    return average <= LIMIT ? average : LIMIT;
  }
}
