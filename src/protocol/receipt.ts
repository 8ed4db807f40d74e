import {
  INVALID_NAMES,
  type InvalidCode,
  REJECTION_NAMES,
  type RejectionCode,
  type RejectionNumbers,
  type ResultCode,
} from "./rejections.ts";

export type ReceiptStatus = "applied" | "rejected" | "invalid";

/** What may become of an order in the transaction that names it; `armed` is an intent. */
export const ORDER_OUTCOMES = [
  "resting",
  "filled",
  "partiallyFilled",
  "cancelled",
  "amended",
  "rejected",
  "armed",
] as const;
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];
export const ORDER_OUTCOME = {
  resting: 0,
  filled: 1,
  partiallyFilled: 2,
  cancelled: 3,
  amended: 4,
  rejected: 5,
  armed: 6,
} as const satisfies Readonly<Record<OrderOutcome, number>>;

/** Result of one part of an action: an order of a list, or what became of an order. */
export interface ActionResult {
  readonly orderId?: number;
  readonly status: OrderOutcome;
  /** Why it was rejected, or why lots of it were cancelled at entry (`REDUCE_ONLY_CUT`). */
  readonly code?: RejectionCode | ResultCode;
  /** The numbers that the code compared. */
  readonly numbers?: RejectionNumbers;
}

/** Outcome of one transaction of a block (EVT-1). */
export interface Receipt {
  readonly index: number;
  readonly status: ReceiptStatus;
  readonly code?: InvalidCode | RejectionCode;
  readonly numbers?: RejectionNumbers;
  readonly nonceConsumed: boolean;
  readonly results?: readonly ActionResult[];
  /** Its events: places in the block's event data. */
  readonly eventsFrom: number;
  readonly eventsTo: number;
}

/**
 * Receipts of a block as columns. They are overwritten by the venue's next block; `at` makes an object that stays.
 */
export class Receipts {
  count = 0;
  /** 0 applied; 1 + place in REJECTION_CODES; -1 - place in INVALID_CODES. */
  codes: Int32Array = new Int32Array(16);
  eventsFrom: Float64Array = new Float64Array(16);
  eventsTo: Float64Array = new Float64Array(16);
  numbers: Map<number, RejectionNumbers> = new Map();
  results: Map<number, ActionResult[]> = new Map();
  /** What became of the one order of an action: its id, and 1 + place in ORDER_OUTCOMES; 0 for none. */
  orderIds: Float64Array = new Float64Array(16);
  outcomes: Uint8Array = new Uint8Array(16);

  clear(room: number): void {
    this.count = 0;
    if (this.numbers.size > 0) this.numbers.clear();
    if (this.results.size > 0) this.results.clear();
    if (room <= this.codes.length) return;
    this.codes = new Int32Array(room);
    this.eventsFrom = new Float64Array(room);
    this.eventsTo = new Float64Array(room);
    this.orderIds = new Float64Array(room);
    this.outcomes = new Uint8Array(room);
  }

  push(code: number, eventsFrom: number, eventsTo: number): void {
    const index = this.count++;
    this.codes[index] = code;
    this.eventsFrom[index] = eventsFrom;
    this.eventsTo[index] = eventsTo;
    this.outcomes[index] = 0;
  }

  /** Adds the outcome of the order of the transaction that was pushed last. */
  setOrder(orderId: number, outcome: number): void {
    const index = this.count - 1;
    this.orderIds[index] = orderId;
    this.outcomes[index] = 1 + outcome;
  }

  status(index: number): ReceiptStatus {
    const code = this.codes[index]!;
    return code === 0 ? "applied" : code > 0 ? "rejected" : "invalid";
  }

  code(index: number): InvalidCode | RejectionCode | undefined {
    const code = this.codes[index]!;
    return code === 0 ? undefined : code > 0 ? REJECTION_NAMES[code - 1] : INVALID_NAMES[-1 - code];
  }

  /** The order that a transaction named or entered first, without the object of its receipt; undefined for none. */
  orderId(index: number): number | undefined {
    return this.outcomes[index] === 0 ? this.results.get(index)?.[0]?.orderId : this.orderIds[index]!;
  }

  at(index: number): Receipt {
    const code = this.code(index);
    const numbers = this.numbers.get(index);
    const outcome = this.outcomes[index]!;
    const results =
      outcome === 0
        ? this.results.get(index)
        : [{ orderId: this.orderIds[index]!, status: ORDER_OUTCOMES[outcome - 1]! }];
    return {
      index,
      status: this.status(index),
      ...(code === undefined ? {} : { code }),
      ...(numbers === undefined ? {} : { numbers }),
      nonceConsumed: this.codes[index]! >= 0,
      ...(results === undefined ? {} : { results }),
      eventsFrom: this.eventsFrom[index]!,
      eventsTo: this.eventsTo[index]!,
    };
  }
}
