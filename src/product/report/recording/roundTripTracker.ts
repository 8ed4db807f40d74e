import { bigDivFloor } from "../../../ground/math/fixed.ts";
import type { FillInput, FundingInput, RoundTripTotals } from "../input.ts";

interface OpenTrip {
  signedE8: number;
  net: bigint;
  sinceMs: number;
}

/** Follows positions from flat to flat and adds up what each round trip left, net of fees and with funding. */
export class RoundTripTracker {
  readonly #open: OpenTrip[];
  readonly #totals = {
    closed: 0,
    wins: 0,
    losses: 0,
    profit: 0n,
    loss: 0n,
    holdingMs: 0,
    largestWin: 0n,
    largestLoss: 0n,
  };

  constructor(markets: number) {
    this.#open = Array.from({ length: markets }, () => ({ signedE8: 0, net: 0n, sinceMs: 0 }));
  }

  /** Size of the position that the fills so far add up to. */
  getSignedE8(market: number): number {
    return this.#open[market]!.signedE8;
  }

  recordFill(fill: FillInput): void {
    const trip = this.#open[fill.market]!;
    const before = trip.signedE8;
    const after = before + (fill.side === "buy" ? fill.size : -fill.size);
    if (before === 0) trip.sinceMs = fill.timeMs;
    trip.signedE8 = after;
    const fee = BigInt(fill.fee);
    const gain = BigInt(fill.realizedPnl) - BigInt(fill.liquidationFee);
    const through = before !== 0 && after !== 0 && before < 0 !== after < 0;
    if (!through) {
      trip.net += gain - fee;
      if (after === 0) this.#close(trip, fill.timeMs);
      return;
    }
    const closingFee = bigDivFloor(fee * BigInt(Math.abs(before)), BigInt(fill.size));
    trip.net += gain - closingFee;
    this.#close(trip, fill.timeMs);
    trip.sinceMs = fill.timeMs;
    trip.net = closingFee - fee;
  }

  /** A payment after the position was closed belongs to no trip, and to none of the statistics. */
  recordFunding(payment: FundingInput): void {
    const trip = this.#open[payment.market]!;
    if (trip.signedE8 !== 0) trip.net += BigInt(payment.amount);
  }

  #close(trip: OpenTrip, timeMs: number): void {
    const totals = this.#totals;
    totals.closed++;
    totals.holdingMs += timeMs - trip.sinceMs;
    if (trip.net > 0n) {
      totals.wins++;
      totals.profit += trip.net;
      if (trip.net > totals.largestWin) totals.largestWin = trip.net;
    } else if (trip.net < 0n) {
      totals.losses++;
      totals.loss -= trip.net;
      if (-trip.net > totals.largestLoss) totals.largestLoss = -trip.net;
    }
    trip.net = 0n;
  }

  get totals(): RoundTripTotals {
    return { ...this.#totals };
  }
}
