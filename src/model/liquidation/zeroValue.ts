import { abs, divCeil, divFloor, divTrunc, sum } from "../arithmetic.ts";

/** A value that is handed out in slices by lots: rounded up for the liquidated bucket, and all of them add up (NUM-2). */
export class Slices {
  readonly #total: bigint;
  readonly #lots: bigint;
  #takenLots = 0n;
  #takenValue = 0n;

  /** @param total what closing all of the lots must fetch; negative is paid */
  constructor(total: bigint, lots: bigint) {
    this.#total = total;
    this.#lots = lots;
  }

  /** What the next lots must fetch. */
  peek(lots: bigint): bigint {
    return divCeil(this.#total * (this.#takenLots + lots), this.#lots) - this.#takenValue;
  }

  take(lots: bigint): bigint {
    const value = this.peek(lots);
    this.#takenLots += lots;
    this.#takenValue += value;
    return value;
  }

  get lots(): bigint {
    return this.#lots - this.#takenLots;
  }

  get value(): bigint {
    return this.#total - this.#takenValue;
  }
}

/**
 * What closing each position at its zero price must fetch: its value at the mark less its share of equity, pro rata to
 * maintenance. Shares are cut from a running sum, toward zero, so that they add up to the equity to the unit (LIQ).
 */
export function computeZeroValues(
  equity: bigint,
  positions: readonly { readonly value: bigint; readonly maintenance: bigint }[],
): bigint[] {
  const total = sum(positions, ({ maintenance }) => maintenance);
  let upTo = 0n;
  let given = 0n;
  return positions.map(({ value, maintenance }) => {
    upTo += maintenance;
    const share = divTrunc(equity * upTo, total) - given;
    given += share;
    return value - share;
  });
}

/** The worst ticks at which lots fetch a value: a sale no lower, a purchase no higher. */
export function computeLimitTicks(value: bigint, lots: bigint, tickLotValue: bigint, sells: boolean): bigint {
  return sells ? divCeil(value, lots * tickLotValue) : divFloor(-value, lots * tickLotValue);
}

/**
 * mark * (1 - sign * 1.5 * m * clamp(1 - equity / maintenance, 0, 1)) in ticks, rounded for the bucket (LIQ-2).
 *
 * @param m maintenance of the position over its notional
 */
export function computeFillableTicks(terms: {
  readonly mark: bigint;
  readonly tickSize: bigint;
  readonly sells: boolean;
  readonly equity: bigint;
  readonly maintenance: bigint;
  readonly m: { readonly maintenance: bigint; readonly notional: bigint };
}): bigint {
  const { mark, tickSize, sells, equity, maintenance, m } = terms;
  const lacking = maintenance - equity;
  const ill = lacking < 0n ? 0n : lacking > maintenance ? maintenance : lacking;
  const whole = 2n * m.notional * maintenance;
  const off = 3n * m.maintenance * ill;
  const over = mark * (sells ? whole - off : whole + off);
  return sells ? divCeil(over, whole * tickSize) : divFloor(over, whole * tickSize);
}

/** mark -/+ a ratio in ticks, never beyond it. */
export function computeSlippedTicks(mark: bigint, tickSize: bigint, sells: boolean, ratio: bigint): bigint {
  const whole = 1_000_000n;
  return sells ? divCeil(mark * (whole - ratio), whole * tickSize) : divFloor(mark * (whole + ratio), whole * tickSize);
}

/** Shares of a loss: pro rata to what each has above maintenance and capped by it, rounded down (LIQ-6). */
export function computeLossShares(loss: bigint, aboves: readonly bigint[]): bigint[] {
  const total = sum(aboves, (above) => above);
  if (total === 0n) return aboves.map(() => 0n);
  const shared = loss < total ? loss : total;
  return aboves.map((above) => divFloor(shared * above, total));
}

export function isSell(size: bigint): boolean {
  return size > 0n;
}

/** Lots of a share of a size in ppm, rounded down, at least one. */
export function computeChunk(size: bigint, share: bigint): bigint {
  const lots = divFloor(abs(size) * share, 1_000_000n);
  return lots < 1n ? 1n : lots;
}
