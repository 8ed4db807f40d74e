import { abs, clamp, divCeil, divFloor, divTrunc, max, sum } from "../arithmetic.ts";
import { PPM } from "../words.ts";

/**
 * A value divided into slices by lots: rounded up for the liquidated margin account, and the slices add up to the value
 * (NUM-2).
 */
export class Slices {
  readonly total: bigint;
  readonly totalLots: bigint;
  #takenLots = 0n;
  #takenValue = 0n;

  /** @param total the proceeds required for closing all of the lots; negative is paid */
  constructor(total: bigint, lots: bigint) {
    this.total = total;
    this.totalLots = lots;
  }

  /** The proceeds required for the next lots. */
  peek(lots: bigint): bigint {
    return divCeil(this.total * (this.#takenLots + lots), this.totalLots) - this.#takenValue;
  }

  take(lots: bigint): bigint {
    const value = this.peek(lots);
    this.#takenLots += lots;
    this.#takenValue += value;
    return value;
  }
}

/**
 * The proceeds required for closing each position at its bankruptcy price: its value at the mark less its share of
 * equity, pro rata to maintenance. Shares are cut from a running sum, toward zero, and add up to the equity to the unit
 * (LIQ).
 */
export function computeBankruptcyValues(
  equity: bigint,
  positions: readonly { readonly value: bigint; readonly maintenance: bigint }[],
): bigint[] {
  const total = sum(positions, ({ maintenance }) => maintenance);
  let upTo = 0n;
  let given = 0n;
  return positions.map(({ value, maintenance }) => {
    upTo += maintenance;
    const share = (total === 0n ? equity : divTrunc(equity * upTo, total)) - given;
    given += share;
    return value - share;
  });
}

/** The worst ticks at which lots fetch a value: not below for a sale, not above for a purchase. */
export function computeLimitTicks(value: bigint, lots: bigint, tickLotValue: bigint, sells: boolean): bigint {
  return sells ? divCeil(value, lots * tickLotValue) : divFloor(-value, lots * tickLotValue);
}

/**
 * mark * (1 - sign * 1.5 * m * clamp(1 - equity / maintenance, 0, 1)) in ticks, m = maintenance / notional of the
 * position: computed on its whole notional. It concedes 1.5 * maintenance * the margin account's shortfall, rounded
 * down, and then rounds in favour of the margin account (LIQ-2).
 *
 * @param perTick value of one tick for all of the position's lots
 */
export function computeFillableTicks(terms: {
  readonly sells: boolean;
  readonly perTick: bigint;
  readonly part: { readonly maintenance: bigint; readonly notional: bigint };
  readonly health: { readonly equity: bigint; readonly maintenance: bigint };
}): bigint {
  const { sells, perTick, part, health } = terms;
  const { equity, maintenance } = health;
  const lack = clamp(maintenance - equity, 0n, max(0n, maintenance));
  const conceded = maintenance <= 0n ? 0n : divFloor(3n * part.maintenance * lack, 2n * maintenance);
  return sells ? divCeil(part.notional - conceded, perTick) : divFloor(part.notional + conceded, perTick);
}

/** mark -/+ a ratio in ticks, never beyond it. */
export function computeSlippedTicks(mark: bigint, tickSize: bigint, sells: boolean, ratio: bigint): bigint {
  const whole = 1_000_000n;
  return sells ? divCeil(mark * (whole - ratio), whole * tickSize) : divFloor(mark * (whole + ratio), whole * tickSize);
}

/** Shares of a loss: pro rata to each account's surplus above maintenance, capped by it, rounded down (LIQ-6). */
export function computeLossShares(loss: bigint, aboves: readonly bigint[]): bigint[] {
  const total = sum(aboves, (above) => above);
  if (total === 0n) return aboves.map(() => 0n);
  const shared = loss < total ? loss : total;
  return aboves.map((above) => divFloor(shared * above, total));
}

/** Lots of a share of a size in ppm, rounded up. */
export function computeChunk(signedLots: bigint, share: bigint): bigint {
  return divCeil(abs(signedLots) * share, PPM);
}
