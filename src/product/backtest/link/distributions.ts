import type { Random } from "../../../ground/math/random.ts";
import { computeLog } from "../../replay/book/queueModel.ts";

/**
 * A standard normal value, by the polar method of Marsaglia and Bray (SIAM Review 6, 1964). Only operations that every
 * machine rounds alike are used: a root is one of them.
 */
export function drawNormal(random: Random): number {
  for (;;) {
    const x = 2 * random.fraction() - 1;
    const y = 2 * random.fraction() - 1;
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((2 * computeLog(1 / square)) / square);
  }
}

/** Halvings of an exponent before its series, and doublings after it. */
const HALVINGS = 12;

/**
 * e to the power of a number from -700 to 700, by operations that every machine rounds alike. Relative error below
 * 1e-11.
 */
export function computeExp(value: number): number {
  const part = value / 2 ** HALVINGS;
  let term = 1;
  let sum = 1;
  for (let place = 1; place < 20; place++) {
    term *= part / place;
    sum += term;
  }
  for (let doubling = 0; doubling < HALVINGS; doubling++) sum *= sum;
  return sum;
}
