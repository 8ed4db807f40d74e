// The standard normal distribution.

const LOG_ROOT_TAU = 0.918_938_533_204_672_8;

/**
 * Probability that a standard normal value is at most `x`. Absolute error below 1e-15.
 *
 * The series of Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11(4), 2004.
 */
export function computeNormalProbability(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let sum = x;
  let before = 0;
  let term = x;
  for (let odd = 3; sum !== before; odd += 2) {
    before = sum;
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-0.5 * x * x - LOG_ROOT_TAU);
}

/**
 * The value that a standard normal one is below with this probability: inverse of `computeNormalProbability`, by
 * bisection.
 *
 * @param probability above 0 and below 1
 */
export function computeNormalQuantile(probability: number): number {
  let low = -8;
  let high = 8;
  // The interval halves until it has no number between its ends.
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (computeNormalProbability(middle) < probability) low = middle;
    else high = middle;
  }
}
