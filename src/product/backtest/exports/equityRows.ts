import type { AccountPoint } from "../../report/input.ts";
import type { Row } from "../../tables/table.ts";
import type { equity } from "./definitions.ts";

export type EquityRow = Row<typeof equity>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Takes the points of a run and gives the rows of `equity`: what the last point up to each whole interval left. */
export class EquityRows {
  readonly #intervalMs: number;
  readonly #write: (row: EquityRow) => void;
  readonly #last: Mutable<EquityRow>;
  #writtenMs: number;
  /** Next whole interval. */
  #nextMs: number;

  /** @param startMs time of the first row, with the deposit alone */
  constructor(intervalMs: number, startMs: number, deposit: number, write: (row: EquityRow) => void) {
    this.#intervalMs = intervalMs;
    this.#write = write;
    this.#last = {
      time: startMs,
      equity: deposit,
      balance: deposit,
      unrealizedPnl: 0,
      maintenance: 0,
      funding: 0,
      fee: 0,
      buyAndHold: null,
    };
    this.#writtenMs = startMs;
    this.#nextMs = (Math.floor(startMs / intervalMs) + 1) * intervalMs;
    write({ ...this.#last });
  }

  add(point: AccountPoint): void {
    const { timeMs } = point;
    while (this.#nextMs < timeMs) this.#writeAt(this.#nextMs);
    const last = this.#last;
    last.time = timeMs;
    last.equity = point.equity;
    last.balance = point.balance;
    last.unrealizedPnl = point.unrealizedPnl;
    last.maintenance = point.maintenance;
    last.funding = point.funding;
    last.fee = point.fees;
    last.buyAndHold = point.buyAndHold;
  }

  /** Writes what the last point completes, and the end of the run. */
  finish(): void {
    const endMs = this.#last.time;
    while (this.#nextMs <= endMs) this.#writeAt(this.#nextMs);
    if (this.#writtenMs < endMs) this.#writeAt(endMs);
  }

  #writeAt(timeMs: number): void {
    this.#write({ ...this.#last, time: timeMs });
    this.#writtenMs = timeMs;
    if (timeMs === this.#nextMs) this.#nextMs += this.#intervalMs;
  }
}
