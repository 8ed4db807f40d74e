/** The decoded quantity does not lie on the market's grid. */
export const OFF_GRID = -1;

/** Greatest order price in ticks. */
export const TICKS_MOST = 2 ** 31 - 1;

/** Lots or ticks of a decoded quantity: the whole number of steps, or OFF_GRID. */
export function toSteps(quantity: number, step: number): number {
  const steps = Math.floor(quantity / step);
  return steps * step === quantity ? steps : OFF_GRID;
}
