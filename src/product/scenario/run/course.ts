import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, PRICE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { OutcomeRecorder } from "../../../venue/simulation/outcome/recordOutcome.ts";

/** The effects of a case on its venue, for the card of an incident. Amounts and prices are decimal text in USD. */
export interface CaseCourse {
  readonly badDebt: string;
  readonly insurancePaid: string;
  /** Closed against the other side: deleveraged, and closed out at the mark. */
  readonly deleveraged: string;
  readonly takenOver: string;
  /** Deficits that holders of the other side paid. */
  readonly socialized: string;
  readonly withdrawn: string;
  readonly accountsLiquidated: number;
  readonly accountsWipedOut: number;
  readonly marks: readonly MarkPath[];
  readonly steps: readonly CourseStep[];
}

/** The mark of a market, wherever it changed. */
export interface MarkPath {
  readonly market: string;
  readonly heights: readonly number[];
  readonly marks: readonly string[];
}

/** A named block of the file. */
export interface CourseStep {
  readonly name: string;
  readonly note: string | undefined;
  /** Of the last block that it made. */
  readonly height: number;
}

/** Most points of a path; above it, every n-th change and the last are kept. */
const POINTS_MOST = 400;

/** Records the course of a case, block by block. */
export class CourseRecorder {
  readonly #outcome = new OutcomeRecorder();
  readonly #paths: { heights: number[]; marks: number[] }[] = [];

  start(state: State): void {
    this.#outcome.onStart?.(state);
    this.#readMarks(state);
  }

  record(state: State, block: Block, result: BlockResult): void {
    this.#outcome.onBlock(state, block, result);
    this.#readMarks(state);
  }

  #readMarks(state: State): void {
    for (let market = 0; market < state.marketNames.length; market++) {
      const path = (this.#paths[market] ??= { heights: [], marks: [] });
      const mark = state.markets.mark[market as MarketRow]!;
      if (mark === 0 || path.marks.at(-1) === mark) continue;
      path.heights.push(state.height);
      path.marks.push(mark);
    }
  }

  finish(state: State, steps: readonly CourseStep[]): CaseCourse {
    const { liquidations, insurance, socialized, badDebt } = this.#outcome.result(state);
    const usd = (units: bigint | number) => formatDecimal(units, AMOUNT_DECIMALS);
    return {
      badDebt: usd(badDebt),
      insurancePaid: usd(insurance.paid),
      deleveraged: usd(liquidations.deleveragedValue + liquidations.closedOutValue),
      takenOver: usd(liquidations.takenOverValue),
      socialized: usd(socialized),
      withdrawn: usd(state.totals.get(TOTAL.withdrawals)),
      accountsLiquidated: liquidations.accounts,
      accountsWipedOut: liquidations.wipedOut,
      marks: this.#paths.map(({ heights, marks }, market) => {
        const stride = Math.ceil(marks.length / POINTS_MOST);
        const isKept = (_: unknown, i: number) => i % stride === 0 || i === marks.length - 1;
        return {
          market: state.marketNames[market]!,
          heights: heights.filter(isKept),
          marks: marks.filter(isKept).map((mark) => formatDecimal(mark, PRICE_DECIMALS)),
        };
      }),
      steps,
    };
  }
}
