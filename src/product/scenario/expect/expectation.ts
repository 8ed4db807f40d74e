import type { MarketParameters } from "../../../protocol/parameters.ts";
import type { Receipt } from "../../../protocol/receipt.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import type { OrderResult } from "../../../venue/simulation/explain/receiptText.ts";
import type { PlannedStep } from "../compile/plan.ts";
import type { Cell, Place } from "../parse/cell.ts";
import type { Shape } from "../shape/shape.ts";
import type { EventText } from "./eventText.ts";

/** An expectation that did not hold, or an outcome that nothing expected. */
export interface Failure {
  readonly place: Place;
  /** Its subject: `alice equity`. */
  readonly what: string;
  readonly expected: string;
  readonly observed: string;
  readonly hint?: string;
}

/** A transaction of a block with its outcome. */
export interface Outcome {
  readonly step: PlannedStep;
  readonly receipt: Receipt;
  /** Of the market that it is about, for the units of its numbers. */
  readonly rules: MarketParameters | undefined;
  /** The outcome of each of its orders, in the units of traders. */
  results(): readonly OrderResult[];
}

/** Input of an expectation: a venue after a block (or several, where one repeats), and the block's results. */
export interface Moment {
  readonly state: State;
  readonly names: Names;
  /** Market of expectations that name none. */
  readonly market: string | undefined;
  /** Of the transactions that the file writes, in its order. */
  readonly outcomes: readonly Outcome[];
  readonly events: readonly EventText[];
  /** Id of the object that a label names: an order, an intent, …, in digits; of its `transaction` 0x and 64 digits. */
  idOf(label: string, unit: string): string | undefined;
  fail(failure: Failure): void;
  /** The observed value of each cell before the block, where the block expects a change. */
  readonly before?: ReadonlyMap<Cell, string>;
  /** Takes the observed value of a cell, where only that is needed. */
  record?(cell: Cell, observed: string): void;
}

/** One key of `expect`. */
export interface Expectation {
  readonly shape: Shape;
  readonly doc: string;
  /** Compares; each difference goes to `moment.fail`. */
  check(moment: Moment, cell: Cell): void;
}

export function defineExpectation(expectation: Expectation): Expectation {
  return expectation;
}
