/** Tick, lot and position limit of a market, derived from its data if the options do not set them. */
import { LIMIT } from "../../ground/math/fixed.ts";

/** A tick times a lot is worth a whole number of quote units if this divides the product of the two (NUM-1). */
const GRAIN = 10_000_000_000n;

/** Room for positions at the first price, quote units: 2.25 million USD. */
const POSITION_ROOM = 2_250_000_000_000;

/** A tick is at most the first price over this. */
const TICK_SHARE = 1_000;
/** A lot is worth at most this at the first price: 100 USD, as 1e-8 base times 1e-8 USD per base. */
const LOT_WORTH = 100e16;

/**
 * The step of the data's prices, or, where it is coarser than a thousandth of the first price, the greatest power of
 * ten that divides it and is not. 1e-8 USD; 0 where the data has no step.
 */
export function chooseTick(priceStep: number, firstPrice: number): number {
  return refine(priceStep, Math.floor(firstPrice / TICK_SHARE));
}

/**
 * The step of the data's sizes, or, where that is worth more than 100 USD, the greatest power of ten that divides it
 * and is not. It is made coarser until a tick times a lot is a whole number of quote units. 1e-8 base.
 */
export function chooseLot(sizeStep: number, tickSize: number, firstPrice: number): number {
  const most = firstPrice === 0 ? LIMIT : Math.floor(LOT_WORTH / firstPrice);
  return coarsen(tickSize, refine(Math.max(1, sizeStep), most));
}

/**
 * A largest position times a highest price is storable, so that every margin is exact. A limit on the position leaves
 * the price the rest of the room. In 1e-8 base, a whole number of lots.
 *
 * @param wanted room at the first price that is needed, quote units
 */
export function computePositionLimit(lotSize: number, firstPrice: number, wanted = 0): number {
  const room = Math.max(POSITION_ROOM, wanted);
  // Quote units over a price: 1e-6 USD / (1e-8 USD per base) in 1e-8 base is a factor of 1e10.
  const sizeE8 = firstPrice === 0 ? LIMIT : Number((BigInt(room) * GRAIN) / BigInt(firstPrice));
  return Math.max(1, Math.floor(Math.min(sizeE8, LIMIT) / lotSize)) * lotSize;
}

/** The step itself if it is not above the bound, else the greatest power of ten that divides it and is not. */
function refine(step: number, most: number): number {
  if (step <= most) return step;
  let power = 1;
  while (step % (power * 10) === 0 && power * 10 <= most) power *= 10;
  return power;
}

/** The least multiple of a lot whose product with the tick is whole. */
function coarsen(tickSize: number, lotSize: number): number {
  const product = BigInt(tickSize) * BigInt(lotSize);
  return Number((BigInt(lotSize) * GRAIN) / gcd(product, GRAIN));
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}
