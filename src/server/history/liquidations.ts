import { INSURANCE_CAUSE, LIQUIDATION_STAGE } from "../../protocol/events.ts";
import { RECORDS_PER_BLOCK } from "../../protocol/liquidationId.ts";
import type { LiquidationStepEvent } from "../../protocol/liquidationStep.ts";
import type { Happening, Model, Reactions } from "./model.ts";
import { Queue } from "./queue.ts";
import { type EventPlace, placeOf } from "./walkEvents.ts";

export interface LiquidationStep extends EventPlace {
  readonly stage: number;
  readonly market: number;
  readonly bankruptcyPrice: number;
  readonly cooldownMs: number;
}

export interface LiquidationClose extends EventPlace {
  /** -1 for the book, else an index in CLOSE_KINDS. */
  readonly way: number;
  readonly market: number;
  readonly lots: number;
  readonly ticks: number;
  readonly value: number;
  readonly side: number;
  /** -1 for the book. */
  readonly counterparty: number;
}

export interface LiquidationRecord {
  readonly id: number;
  readonly account: number;
  /** Market of an isolated position, -1 for the cross margin account. */
  readonly marginAccount: number;
  readonly startedHeight: number;
  readonly startedMs: number;
  readonly equity: number;
  readonly maintenance: number;
  stage: number;
  endedHeight: number | undefined;
  updatedHeight: number;
  liquidationSteps: number;
  closedNotional: bigint;
  fee: bigint;
  insurance: bigint;
  socialized: bigint;
  readonly markets: Set<number>;
  steps: LiquidationStep[];
  closes: LiquidationClose[];
}

/** Most steps, and closes, of a record: the newest are kept. */
export const LIQUIDATION_DETAILS_MOST = 200;

/** Liquidations, the newest are kept; an open one is never dropped. */
export class Liquidations implements Model {
  readonly #most: number;
  readonly #byId = new Map<number, LiquidationRecord>();
  readonly #ids = new Queue<number>();
  readonly #sizeOf: (account: number, market: number) => number | undefined;
  /** The record of the running liquidation step: fees and cover between its events are its own. */
  #step: LiquidationRecord | undefined;
  forgottenHeight = 0;

  constructor(most: number, sizeOf: (account: number, market: number) => number | undefined) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  find(id: number): LiquidationRecord | undefined {
    return this.#byId.get(id);
  }

  *newestFirst(): Generator<LiquidationRecord> {
    for (const id of this.#ids.newestFirst()) yield this.#byId.get(id)!;
  }

  readonly on: Reactions = {
    liquidationStarted: (event, at) => this.#readStep(event, at),
    liquidationContinued: (event, at) => this.#readStep(event, at),

    liquidationStage: ({ liquidation, stage, market, bankruptcyPrice, cooldownMs }, at) => {
      const record = this.#byId.get(liquidation);
      if (record === undefined) return;
      record.stage = stage;
      record.updatedHeight = at.height;
      if (market >= 0) record.markets.add(market);
      keep(record.steps, { ...placeOf(at), stage, market, bankruptcyPrice, cooldownMs });
      if (stage !== LIQUIDATION_STAGE.recovered && stage !== LIQUIDATION_STAGE.completed) return;
      record.endedHeight = at.height;
      if (this.#step === record) this.#step = undefined;
    },

    fill: (event, at) => {
      if (event.liquidation === 0) return;
      const { market, size: lots, price: ticks, value, takerSide: side } = event;
      this.#close(event.liquidation, at, { way: -1, market, lots, ticks, value, side, counterparty: -1 });
    },

    deleveraged: ({ liquidation, way, market, account, counterparty, size, value }, at) => {
      const sells = (this.#sizeOf(account, market) ?? value) > 0;
      const side = sells ? 1 : 0;
      const close = { way, market, lots: size, ticks: 0, value: sells ? value : 0 - value, side, counterparty };
      this.#close(liquidation, at, close);
    },

    insuranceChanged: ({ delta, cause, account }) => {
      const step = this.#step;
      if (step === undefined || account !== step.account) return;
      if (cause === INSURANCE_CAUSE.liquidationFee) step.fee += BigInt(delta);
      else if (cause === INSURANCE_CAUSE.cover || cause === INSURANCE_CAUSE.deficit) step.insurance -= BigInt(delta);
    },

    lossSocialized: ({ liquidation, amount }, { height }) => {
      const record = this.#byId.get(liquidation);
      if (record === undefined) return;
      record.socialized += BigInt(amount);
      record.updatedHeight = height;
    },
  };

  endSegment(): void {
    this.#step = undefined;
  }

  /** A step of a liquidation: the first opens its record. */
  #readStep({ liquidation, account, marginAccount, equity, maintenance }: LiquidationStepEvent, at: Happening): void {
    let record = this.#byId.get(liquidation);
    if (record === undefined) {
      // A liquidation that began before the kept blocks starts here with its first step in them.
      record = {
        id: liquidation,
        account,
        marginAccount,
        startedHeight: Math.floor(liquidation / RECORDS_PER_BLOCK),
        startedMs: at.timeMs,
        equity,
        maintenance,
        stage: LIQUIDATION_STAGE.open,
        endedHeight: undefined,
        updatedHeight: at.height,
        liquidationSteps: 0,
        closedNotional: 0n,
        fee: 0n,
        insurance: 0n,
        socialized: 0n,
        markets: new Set(marginAccount < 0 ? [] : [marginAccount]),
        steps: [],
        closes: [],
      };
      this.#byId.set(liquidation, record);
      this.#ids.push(liquidation);
      this.#forget();
    }
    record.liquidationSteps++;
    record.updatedHeight = at.height;
    this.#step = record;
  }

  #close(id: number, at: Happening, close: Omit<LiquidationClose, keyof EventPlace>): void {
    const record = this.#byId.get(id);
    if (record === undefined) return;
    record.markets.add(close.market);
    record.closedNotional += BigInt(Math.abs(close.value));
    record.updatedHeight = at.height;
    keep(record.closes, { ...placeOf(at), ...close });
  }

  #forget(): void {
    while (this.#ids.length > this.#most) {
      const id = this.#ids.peek()!;
      const record = this.#byId.get(id)!;
      if (record.endedHeight === undefined) return;
      this.#ids.shift();
      this.#byId.delete(id);
      this.forgottenHeight = Math.max(this.forgottenHeight, record.startedHeight);
    }
  }
}

function keep<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > LIQUIDATION_DETAILS_MOST) list.shift();
}
