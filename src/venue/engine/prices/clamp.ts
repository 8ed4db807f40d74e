import { mulDivCeil, mulDivFloor, PPM } from "../../../ground/math/fixed.ts";

/**
 * Moves a price toward a target by at most a share of it (PRC-2). Bounds are rounded inwards, but a move of one unit is
 * always allowed, so that a price never sticks.
 *
 * @param from  present price
 * @param to    target
 * @param share greatest move, ppm
 */
export function clampMove(from: number, to: number, share: number): number {
  const low = Math.min(mulDivCeil(from, PPM - Math.min(share, PPM), PPM), from - 1);
  const high = Math.max(mulDivFloor(from, PPM + share, PPM), from + 1);
  const bounded = to < low ? low : to > high ? high : to;
  return bounded < 1 ? 1 : bounded;
}

/** Keeps a price within a share of a centre (PRC-2: the mark within `markBand` of the index). */
export function clampBand(price: number, centre: number, share: number): number {
  const low = mulDivCeil(centre, PPM - Math.min(share, PPM), PPM);
  const high = mulDivFloor(centre, PPM + share, PPM);
  return price < low ? low : price > high ? high : price;
}
