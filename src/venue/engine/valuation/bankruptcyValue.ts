import { bigDivCeil, bigDivFloor } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";

/**
 * The bankruptcy value of a liquidated position: what its close at the bankruptcy price must fetch, in cash to the
 * liquidated account: positive for a sale at a positive price. It is given out in slices that add up to the whole
 * exactly; each cumulative slice is rounded up, for the liquidated account (NUM-2).
 */
export class BankruptcyValue {
  readonly total: bigint;
  readonly lots: number;
  private done = 0;
  private given = 0n;

  constructor(total: bigint, lots: number) {
    this.total = total;
    this.lots = lots;
  }

  /** Cash for the next `lots`, not yet given out. */
  peek(lots: number): bigint {
    return this.upTo(this.done + lots) - this.given;
  }

  /** Gives out the next `lots`. */
  take(lots: number): void {
    this.done += lots;
    this.given = this.upTo(this.done);
  }

  private upTo(lots: number): bigint {
    return bigDivCeil(this.total * BigInt(lots), BigInt(this.lots));
  }
}

/**
 * The bankruptcy value of each position of a margin account (LIQ): its value at the mark less its share of equity.
 *
 * Shares are pro rata to maintenance and cut from a running sum, so they add up to the equity to the unit. Rounding:
 * each cut toward zero.
 *
 * @param equity of the margin account, quote units
 * @param parts  its positions, in the order in which they are closed: value at the mark and maintenance
 */
export function computeBankruptcyValues(
  equity: bigint,
  parts: readonly { readonly value: bigint; readonly maintenance: bigint }[],
): bigint[] {
  let total = 0n;
  for (const { maintenance } of parts) total += maintenance;
  let running = 0n;
  let given = 0n;
  return parts.map(({ value, maintenance }) => {
    running += maintenance;
    const upTo = total === 0n ? equity : (equity * running) / total;
    const share = upTo - given;
    given = upTo;
    return value - share;
  });
}

/**
 * The bankruptcy price for readers, 1e-8 USD: zero or negative where a sale at it would cost money, or a purchase would
 * fetch some (LIQ).
 *
 *     z = total / (size * lot)          rounded for the liquidated account: a sale up, a purchase down (NUM-2)
 *
 * The engine computes nothing from it: it uses the value.
 *
 * @param total what closing the whole position must fetch, quote units
 * @param signedLots  lots; positive is long
 */
export function computeBankruptcyPrice(
  { lotNumerator, lotDenominator }: Pick<MarketParameters, "lotNumerator" | "lotDenominator">,
  total: bigint,
  signedLots: number,
): bigint {
  const lots = BigInt(Math.abs(signedLots)) * BigInt(lotNumerator);
  const worth = total * BigInt(lotDenominator);
  return signedLots > 0 ? bigDivCeil(worth, lots) : bigDivFloor(-worth, lots);
}
