import { parseDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, PPM } from "../../../ground/math/fixed.ts";
import type { Outflow, OutflowCap } from "../../../protocol/genesis.ts";
import { TOTAL, type Totals } from "./totals.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Decimals of a share, which is held in ppm. */
const SHARE_DECIMALS = 6;

/** One cap on what leaves the venue: its rule, and how far the present UTC hour or day has used it. Quote units. */
export class OutflowWindow {
  readonly lengthMs: number;
  readonly amount: bigint;
  /** Parts in a million of what the venue held when the window began. */
  readonly share: bigint;
  readonly isCapped: boolean;
  /**
   * Block time at which the window began; -1 before the first. It starts as `NaN`, which is stored as a double, so that
   * its shape never changes.
   */
  startMs = Number.NaN;
  /** What the venue held when the first block of the window began. */
  base = 0n;
  /** What was withdrawn in the window. */
  used = 0n;

  constructor(lengthMs: number, { amount = "0", share = "0" }: OutflowCap) {
    this.lengthMs = lengthMs;
    this.amount = BigInt(parseDecimal(amount, AMOUNT_DECIMALS));
    this.share = BigInt(parseDecimal(share, SHARE_DECIMALS));
    this.isCapped = this.amount > 0n || this.share > 0n;
    this.startMs = -1;
  }

  /** Begins at a time, with what the venue holds then. */
  open(startMs: number, base: bigint): void {
    this.startMs = startMs;
    this.base = base;
    this.used = 0n;
  }

  /** The greater of the amount and the share of the base, rounded down. */
  computeCap(): bigint {
    const part = (this.base * this.share) / BigInt(PPM);
    return part > this.amount ? part : this.amount;
  }

  copyFrom({ startMs, base, used }: Pick<OutflowWindow, "startMs" | "base" | "used">): void {
    this.startMs = startMs;
    this.base = base;
    this.used = used;
  }
}

/** Collateral of a venue above this counts as this: what an event has room for. */
const BASE_MOST = 2n ** 62n;

/**
 * What the venue holds, inflows less outflows, quote units; 0 if bad debt was paid out. Holdings seldom change between
 * two windows, and then no big integer is needed.
 */
class Holdings {
  base = 0n;
  /** The halves of `base`. They start as `NaN`, which is stored as a double, so that their shape never changes. */
  high = Number.NaN;
  low = Number.NaN;
  /** The totals that these were computed from. */
  private readonly limbs = new Float64Array(4).fill(Number.NaN);

  read(totals: Totals): this {
    const { limbs } = totals;
    const seen = this.limbs;
    const { inflows, withdrawals } = TOTAL;
    if (
      limbs[inflows * 2] !== seen[0] ||
      limbs[inflows * 2 + 1] !== seen[1] ||
      limbs[withdrawals * 2] !== seen[2] ||
      limbs[withdrawals * 2 + 1] !== seen[3]
    ) {
      seen.set(limbs.subarray(inflows * 2, inflows * 2 + 2));
      seen.set(limbs.subarray(withdrawals * 2, withdrawals * 2 + 2), 2);
      this.compute(totals.get(inflows) - totals.get(withdrawals));
    }
    return this;
  }

  private compute(held: bigint): void {
    this.base = held < 0n ? 0n : held > BASE_MOST ? BASE_MOST : held;
    this.high = Number(this.base >> 32n);
    this.low = Number(this.base & 0xffff_ffffn);
  }
}

/** The venue's gates before withdrawals (MRG-5): rules of genesis, and the amounts that they bound. */
export class OutflowGates {
  /** By place in OUTFLOW_WINDOWS. */
  readonly windows: readonly OutflowWindow[];
  /** Last height at which withdrawals are paused. */
  pausedUntil = 0;
  readonly deficitThreshold: bigint;
  readonly deficitBlocks: number;
  /** Not state: what follows from the totals. */
  readonly holdings = new Holdings();
  /** Deficits of one block that the fund did not pay, and which. Not state: only read in the block that wrote it. */
  private height = -1;
  private uncovered = 0n;

  constructor({ hourly, daily, deficitThreshold, deficitBlocks }: Outflow) {
    this.windows = [new OutflowWindow(HOUR_MS, hourly), new OutflowWindow(DAY_MS, daily)];
    this.deficitThreshold = BigInt(parseDecimal(deficitThreshold, AMOUNT_DECIMALS));
    this.deficitBlocks = deficitBlocks;
  }

  /** Adds a deficit that the fund did not pay, and returns the sum of its block. */
  addUncovered(height: number, amount: number | bigint): bigint {
    if (height !== this.height) {
      this.height = height;
      this.uncovered = 0n;
    }
    this.uncovered += BigInt(amount);
    return this.uncovered;
  }

  /** Deficits of the block at a height that the fund did not pay. */
  getUncovered(height: number): bigint {
    return height === this.height ? this.uncovered : 0n;
  }

  /** Takes over how far another venue's gates are; the rules stay. */
  copyFrom(other: OutflowGates): void {
    this.pausedUntil = other.pausedUntil;
    this.height = other.height;
    this.uncovered = other.uncovered;
    this.windows.forEach((window, place) => {
      window.copyFrom(other.windows[place]!);
    });
  }
}
