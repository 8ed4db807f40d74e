import { bigDivFloor } from "../../../ground/math/fixed.ts";
import type { FillInput, FundingInput, RoundTrip, RoundTripTotals } from "../input.ts";
import { ExactSum } from "./exactSum.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenTrip = Mutable<Omit<RoundTrip, "net">>;

/** One side of a fill through zero: the part that closes a trip, or the part that opens the next. */
interface Part {
  readonly size: bigint;
  readonly value: bigint;
  readonly fee: bigint;
  readonly realizedPnl: bigint;
  readonly liquidationFee: bigint;
}

/** Follows positions from flat to flat: each round trip, and sums over all closed ones. */
export class RoundTripTracker {
  /** By market, positive is long. */
  readonly #signedE8: Float64Array;
  readonly #open: (OpenTrip | undefined)[];
  /** By market: what the open trip has realised, as `number` for the points of every block. */
  readonly #realized: Float64Array;
  /** By market: what the open trip has received, less what it has paid. */
  readonly #funding: readonly ExactSum[];
  readonly #onClose: (trip: RoundTrip) => void;
  readonly #totals = {
    closed: 0,
    wins: 0,
    losses: 0,
    profit: 0n,
    loss: 0n,
    // It starts as `NaN`, which is stored as a double, so that its shape never changes.
    holdingMs: Number.NaN,
    largestWin: 0n,
    largestLoss: 0n,
  };

  /** @param onClose is given every trip when it closes */
  constructor(markets: number, onClose: (trip: RoundTrip) => void = () => {}) {
    this.#signedE8 = new Float64Array(markets);
    this.#open = new Array(markets).fill(undefined);
    this.#realized = new Float64Array(markets);
    this.#funding = Array.from({ length: markets }, () => new ExactSum());
    this.#onClose = onClose;
    this.#totals.holdingMs = 0;
  }

  /** Size of the position that the fills so far add up to. */
  getSignedE8(market: number): number {
    return this.#signedE8[market]!;
  }

  recordFill(fill: FillInput): void {
    const { market } = fill;
    const before = this.#signedE8[market]!;
    const after = before + (fill.side === "buy" ? fill.size : -fill.size);
    this.#signedE8[market] = after;
    const whole: Part = {
      size: BigInt(fill.size),
      value: BigInt(fill.value),
      fee: BigInt(fill.fee),
      realizedPnl: BigInt(fill.realizedPnl),
      liquidationFee: BigInt(fill.liquidationFee),
    };
    const isThrough = before !== 0 && after !== 0 && before < 0 !== after < 0;
    if (!isThrough) {
      this.#addPart(fill, whole, before, after);
      return;
    }
    const closing = splitPart(whole, BigInt(Math.abs(before)));
    this.#addPart(fill, closing, before, 0);
    this.#addPart(fill, subtractPart(whole, closing), 0, after);
  }

  #addPart(fill: FillInput, part: Part, before: number, after: number): void {
    const { market } = fill;
    if (before === 0) this.#begin(fill);
    const trip = this.#open[market]!;
    trip.fills++;
    if (fill.liquidationId !== null) trip.isLiquidated = true;
    trip.realizedPnl += part.realizedPnl;
    trip.fees += part.fee;
    trip.liquidationFees += part.liquidationFee;
    if (Math.abs(after) > Math.abs(before)) {
      trip.entered += part.size;
      trip.entryValue += part.value;
      if (Math.abs(after) > trip.largestSize) trip.largestSize = Math.abs(after);
    } else {
      trip.exited += part.size;
      trip.exitValue += part.value;
    }
    this.#realized[market] = Number(trip.realizedPnl);
    if (after === 0) this.#close(trip, fill.timeMs);
  }

  /** A payment after the position was closed belongs to no trip, and to none of the statistics. */
  recordFunding({ market, amount }: FundingInput): void {
    if (this.#open[market] !== undefined) this.#funding[market]!.add(amount);
  }

  /** The position of a market at a mark: the open trip's worst and best point may be here. */
  recordPoint(market: number, unrealizedPnl: number): void {
    const trip = this.#open[market];
    if (trip === undefined) return;
    trip.unrealizedPnl = unrealizedPnl;
    observe(trip, this.#realized[market]! + unrealizedPnl);
  }

  #close(trip: OpenTrip, timeMs: number): void {
    this.#open[trip.market] = undefined;
    trip.exitTimeMs = timeMs;
    trip.unrealizedPnl = 0;
    observe(trip, this.#realized[trip.market]!);
    const closed = this.#finish(trip);
    this.#addToTotals(closed, timeMs);
    this.#onClose(closed);
  }

  #addToTotals({ net, entryTimeMs }: RoundTrip, timeMs: number): void {
    const totals = this.#totals;
    totals.closed++;
    totals.holdingMs += timeMs - entryTimeMs;
    if (net > 0n) {
      totals.wins++;
      totals.profit += net;
      if (net > totals.largestWin) totals.largestWin = net;
    } else if (net < 0n) {
      totals.losses++;
      totals.loss -= net;
      if (-net > totals.largestLoss) totals.largestLoss = -net;
    }
  }

  get totals(): RoundTripTotals {
    return { ...this.#totals };
  }

  /** Trips of positions that are still open, by market, as the last point left them. */
  get open(): RoundTrip[] {
    return this.#open.flatMap((trip) => (trip === undefined ? [] : [this.#finish(trip)]));
  }

  #begin(fill: FillInput): void {
    this.#open[fill.market] = openTrip(fill);
    this.#funding[fill.market]!.clear();
  }

  #finish(trip: OpenTrip): RoundTrip {
    const funding = this.#funding[trip.market]!.value;
    const { realizedPnl, unrealizedPnl, fees, liquidationFees } = trip;
    const net = realizedPnl + BigInt(unrealizedPnl) + funding - fees - liquidationFees;
    return { ...trip, funding, net };
  }
}

function openTrip({ market, side, timeMs }: FillInput): OpenTrip {
  // Numbers that start as `NaN` are stored as doubles: a point changes their value, never their shape.
  const trip: OpenTrip = {
    market,
    side: side === "buy" ? "long" : "short",
    entryTimeMs: timeMs,
    exitTimeMs: null,
    largestSize: 0,
    entered: 0n,
    entryValue: 0n,
    exited: 0n,
    exitValue: 0n,
    fills: 0,
    realizedPnl: 0n,
    unrealizedPnl: Number.NaN,
    fees: 0n,
    liquidationFees: 0n,
    funding: 0n,
    worst: Number.NaN,
    best: Number.NaN,
    isLiquidated: false,
  };
  trip.unrealizedPnl = 0;
  trip.worst = 0;
  trip.best = 0;
  return trip;
}

function observe(trip: OpenTrip, pnl: number): void {
  if (pnl < trip.worst) trip.worst = pnl;
  if (pnl > trip.best) trip.best = pnl;
}

/**
 * The part of a fill that closes `size` of it. Value and fee are shared by size, rounded down; profit and liquidation
 * fee are its own.
 */
function splitPart({ size: whole, value, fee, realizedPnl, liquidationFee }: Part, size: bigint): Part {
  return {
    size,
    value: bigDivFloor(value * size, whole),
    fee: bigDivFloor(fee * size, whole),
    realizedPnl,
    liquidationFee,
  };
}

function subtractPart(whole: Part, part: Part): Part {
  return {
    size: whole.size - part.size,
    value: whole.value - part.value,
    fee: whole.fee - part.fee,
    realizedPnl: 0n,
    liquidationFee: 0n,
  };
}
