import { HOUSE_STEP } from "../../../protocol/houseSteps.ts";
import { SIDE } from "../../../protocol/words.ts";
import { StepWriter } from "../stepWriter.ts";

/** Steps of a flow that may open an order, at most (ACC-1). */
const OPENS_MOST = 64;

/** Packs steps of one market into as many flows as they need. */
export class FlowWriter {
  readonly #steps = new StepWriter();
  #opens = 0;
  #flows: Uint8Array[] = [];

  level(isBid: boolean, ticks: number, lots: number): void {
    if (lots > 0 && ++this.#opens > OPENS_MOST) {
      this.#flows.push(this.#steps.take());
      this.#opens = 1;
    }
    this.#steps.write(HOUSE_STEP.level, ticks, lots, isBid ? SIDE.buy : SIDE.sell);
  }

  ahead(isBid: boolean, ticks: number, lots: number): void {
    this.#steps.write(HOUSE_STEP.ahead, ticks, lots, isBid ? SIDE.buy : SIDE.sell);
  }

  print(isBuy: boolean, ticks: number, lots: number): void {
    this.#steps.write(HOUSE_STEP.print, ticks, lots, isBuy ? SIDE.buy : SIDE.sell);
  }

  last(ticks: number): void {
    this.#steps.write(HOUSE_STEP.last, ticks, 0, 0);
  }

  /** The flows since the last call, in their order. */
  take(): Uint8Array[] {
    const flows = this.#flows;
    if (!this.#steps.isEmpty) flows.push(this.#steps.take());
    this.#opens = 0;
    this.#flows = [];
    return flows;
  }
}
