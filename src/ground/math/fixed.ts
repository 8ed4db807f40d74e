/**
 * Exact integers in units, carried by `number`.
 *
 * Every stored quantity of the protocol is a whole number of magnitude at most `LIMIT`, so it is exact in a double.
 * Products of two quantities may be longer; the functions here carry them exactly (error-free products after Dekker and
 * Veltkamp) and name their rounding. A result beyond `LIMIT` is `NaN`: it spreads through sums, fails every comparison,
 * and sends the caller to the exact `bigint` path. Rules: NUM-1 to NUM-4.
 */

declare const unit: unique symbol;

/** A number with a unit. The brand exists only for the compiler. */
export type Unit<Name extends string> = number & { readonly [unit]: Name };

/** Collateral in quote units, 1e-6 USD. */
export type Amount = Unit<"amount">;
/** Size in lots of its market; positive is long. */
export type Lots = Unit<"lots">;
/** Order price in ticks of its market. */
export type Ticks = Unit<"ticks">;
/** Reference price (oracle, index, mark) and decoded price text: 1e-8 USD per unit of base. */
export type PriceE8 = Unit<"priceE8">;
/** Decoded size text: 1e-8 units of base. */
export type SizeE8 = Unit<"sizeE8">;
/** Ratio in parts per million. */
export type Ppm = Unit<"ppm">;
/** Ratio in parts per billion (funding rates). */
export type Ppb = Unit<"ppb">;
/** Milliseconds since 1970-01-01T00:00:00Z, as the block states it. */
export type TimeMs = Unit<"timeMs">;

export const PRICE_DECIMALS = 8;
export const SIZE_DECIMALS = 8;
export const AMOUNT_DECIMALS = 6;
export const PPM = 1_000_000;
export const PPB = 1_000_000_000;

/**
 * Greatest magnitude of a stored quantity. Strictly below 2^53 because a quotient estimate one above the true value
 * must remain distinguishable from it; the test at 2147483647 * 2147483649 / 512 shows why.
 */
export const LIMIT = 9e15;

/** Greatest integer that every double below it represents. */
const SAFE = Number.MAX_SAFE_INTEGER;

/** Divisors above this leave no room for the remainder's correction; such quotients go through bigint. */
const DIVISOR_SAFE = 2 ** 51;

const SPLITTER = 134_217_729; // 2^27 + 1

/** True for a whole number of magnitude at most `LIMIT`. */
export function isStorable(value: number): boolean {
  return value <= LIMIT && value >= -LIMIT && Math.floor(value) === value;
}

/** What the double product `p = fl(a * b)` leaves out: a * b - p, exactly. */
function productError(a: number, b: number, p: number): number {
  const sa = SPLITTER * a;
  const ah = sa - (sa - a);
  const al = a - ah;
  const sb = SPLITTER * b;
  const bh = sb - (sb - b);
  const bl = b - bh;
  return al * bl - (p - ah * bh - al * bh - ah * bl);
}

/**
 * floor(a * b / d), toward minus infinity for both signs; `NaN` if the result exceeds `LIMIT`.
 *
 * @param a any safe integer
 * @param b any safe integer
 * @param d positive safe integer
 */
export function mulDivFloor(a: number, b: number, d: number): number {
  const p = a * b;
  if (p <= LIMIT && p >= -LIMIT) return Math.floor(p / d) + 0;
  return mulDivFloorExact(a, b, d, p);
}

function mulDivFloorExact(a: number, b: number, d: number, p: number): number {
  let q = Math.floor(p / d);
  if (!(q <= SAFE && q >= -SAFE)) return Number.NaN;
  if (d > DIVISOR_SAFE) return mulDivFloorBig(a, b, d);
  const h = q * d;
  let r = p - h + (productError(a, b, p) - productError(q, d, h));
  while (r < 0) {
    q -= 1;
    r += d;
  }
  while (r >= d) {
    q += 1;
    r -= d;
  }
  return q <= LIMIT && q >= -LIMIT ? q : Number.NaN;
}

function mulDivFloorBig(a: number, b: number, d: number): number {
  const product = BigInt(a) * BigInt(b);
  const divisor = BigInt(d);
  let q = product / divisor;
  if (product < 0n && q * divisor !== product) q -= 1n;
  const result = Number(q);
  return result <= LIMIT && result >= -LIMIT ? result : Number.NaN;
}

/** ceil(a * b / d), toward plus infinity for both signs; `NaN` beyond `LIMIT`. Arguments as `mulDivFloor`. */
export function mulDivCeil(a: number, b: number, d: number): number {
  const p = a * b;
  if (p <= LIMIT && p >= -LIMIT) return Math.ceil(p / d) + 0;
  return 0 - mulDivFloorExact(0 - a, b, d, 0 - p);
}

/** trunc(a * b / d), toward zero for both signs; `NaN` beyond `LIMIT`. Arguments as `mulDivFloor`. */
export function mulDivTrunc(a: number, b: number, d: number): number {
  return a < 0 === b < 0 ? mulDivFloor(a, b, d) : mulDivCeil(a, b, d);
}

/** ceil(a / d) for d > 0, toward plus infinity for both signs. */
export function divCeil(a: number, d: number): number {
  return 0 - Math.floor((0 - a) / d);
}

/** floor(a / d) for d > 0, toward minus infinity for both signs. */
export function divFloor(a: number, d: number): number {
  return Math.floor(a / d) + 0;
}

/**
 * a * b - c * d exactly, where the caller knows that the difference is a safe integer (the remainder of a division, for
 * example). Products themselves may be as long as two safe integers make them.
 */
export function differenceOfProducts(a: number, b: number, c: number, d: number): number {
  const p = a * b;
  const h = c * d;
  return p - h + (productError(a, b, p) - productError(c, d, h)) + 0;
}

/** a * b modulo d for a, b >= 0 and d > 0, exactly; the quotient must be storable. */
export function mulMod(a: number, b: number, d: number): number {
  return differenceOfProducts(a, b, mulDivFloor(a, b, d), d);
}

/** Sign of a * b - c * d, exactly: negative, zero or positive. Ratios are compared with it crosswise (NUM-4). */
export function compareProducts(a: number, b: number, c: number, d: number): number {
  const p = a * b;
  const h = c * d;
  if (p <= SAFE && p >= -SAFE && h <= SAFE && h >= -SAFE) return p - h;
  return p - h + (productError(a, b, p) - productError(c, d, h));
}

/** floor(a / b) of big integers, toward minus infinity for both signs; b > 0. */
export function bigDivFloor(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a < 0n && q * b !== a ? q - 1n : q;
}

/** ceil(a / b) of big integers, toward plus infinity for both signs; b > 0. */
export function bigDivCeil(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a > 0n && q * b !== a ? q + 1n : q;
}

/** Greatest common divisor; of 0 and a number, the number. */
export function gcd(a: number, b: number): number {
  while (b !== 0) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
