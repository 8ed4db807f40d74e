import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, PriceE8, SizeE8 } from "../../../ground/math/fixed.ts";
import { type EventOf, INSURANCE_CAUSE } from "../../../protocol/events.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import type { LiquidationStepEvent } from "../../../protocol/liquidationStep.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { LiquidationFillInput, LiquidationInput } from "../../report/input.ts";

interface ClosedPart {
  readonly kind: string;
  readonly market: number;
  readonly sizeE8: number;
  readonly price: number;
  readonly value: number;
}

/** One liquidation of the account, from its first liquidation step to its end, over as many blocks as that takes. */
export class LiquidationRecord {
  readonly #state: State;
  readonly #started: LiquidationStepEvent;
  readonly #timeMs: number;
  readonly #stages: string[] = ["open"];
  readonly #fills: { -readonly [K in keyof LiquidationFillInput]: LiquidationFillInput[K] }[] = [];
  #market = NONE;
  /** Of that market when it was first closed. */
  #mark = 0 as PriceE8;
  #lots = 0;
  #insurance = 0;
  #deficit = 0;

  constructor(state: State, started: LiquidationStepEvent) {
    this.#state = state;
    this.#started = started;
    this.#timeMs = state.timeMs;
    this.#mark = state.markets.mark[0 as MarketRow]!;
  }

  /** The market of the position that was closed first; the venue's first until one is known. */
  get market(): number {
    return Math.max(0, this.#market);
  }

  /** @param lots signed size of the position in that market */
  addStage(stage: string, market: number, lots: number): void {
    this.#stages.push(stage);
    if (this.#market !== NONE || market < 0) return;
    this.#market = market;
    this.#mark = this.#state.markets.mark[market as MarketRow]!;
    this.#lots = lots;
  }

  addFill({ kind, sizeE8, price, value }: ClosedPart, timeMs: number): void {
    this.#fills.push({
      timeMs,
      kind,
      size: sizeE8 as SizeE8,
      price: price as PriceE8,
      value: value as Amount,
      fee: 0 as Amount,
    });
  }

  /** Liquidation fee of the last fill. */
  addFee(fee: number): void {
    const fill = this.#fills.at(-1);
    if (fill !== undefined) fill.fee = (fill.fee + fee) as Amount;
  }

  addInsurance({ delta, cause }: EventOf<"insuranceChanged">): void {
    this.#insurance += delta;
    // The fund covers a fill beyond the bankruptcy price at once, and what a flat account still owes at the end.
    if (cause === INSURANCE_CAUSE.cover || cause === INSURANCE_CAUSE.deficit) this.#deficit -= delta;
  }

  /** The part of a deficit that others than the fund paid. */
  addDeficit(amount: number): void {
    this.#deficit += amount;
  }

  finish(): LiquidationInput {
    const { parameters } = this.#state;
    const market = this.market as MarketRow;
    const { lotSize } = parameters[market]!;
    return {
      id: nameLiquidation(this.#started.liquidation),
      timeMs: this.#timeMs,
      market,
      side: this.#lots >= 0 ? "long" : "short",
      size: (Math.abs(this.#lots) * lotSize) as SizeE8,
      mark: this.#mark,
      equity: this.#started.equity as Amount,
      maintenance: this.#started.maintenance as Amount,
      stages: this.#stages,
      fills: this.#fills,
      insuranceDelta: this.#insurance as Amount,
      deficit: this.#deficit as Amount,
    };
  }
}
