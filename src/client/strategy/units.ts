/**
 * Converts between the venue's integers and a strategy's numbers. This is the only place where the two meet.
 *
 * Toward the strategy: the double nearest to the decimal (60000.1 is 60000.1). From the strategy: the nearest multiple
 * of the step. A number that came from here, or a decimal on the grid, is found exactly; so is a sum with the usual
 * last-digit noise. A number between two steps is refused.
 */
import { StrategyError } from "./errors.ts";

const E8 = 1e8;

/** How far from a step a number may be, as a share of the step, before it counts as off the grid. */
const TOLERANCE = 1e-6;

/** 1e-8 units as a plain number. */
export function fromE8(value: number): number {
  return value / E8;
}

/** Quote units (1e-6 USD) as USD. */
export function fromAmount(value: number): number {
  return value / 1e6;
}

/** Parts per billion as a ratio. */
export function fromPpb(value: number): number {
  return value / 1e9;
}

/** Parts per million as a ratio. */
export function fromPpm(value: number): number {
  return value / 1e6;
}

/** Steps of `stepE8` as a plain number. */
export function fromSteps(steps: number, stepE8: number): number {
  return (steps * stepE8) / E8;
}

/**
 * Converts a value to its number of steps.
 *
 * @param stepE8 tick or lot, 1e-8 units
 * @param what   what to call the value in an error
 * @param advice what to do about a value between two steps
 * @throws {StrategyError} ORDER_INVALID if the value is not positive, too large, or between two steps
 */
export function toSteps(
  value: number,
  stepE8: number,
  what: string,
  advice = "round it with market.roundPrice or market.roundSize",
): number {
  const steps = Math.round((value * E8) / stepE8);
  if (!(value > 0) || !(value * E8 <= Number.MAX_SAFE_INTEGER)) {
    throw new StrategyError("ORDER_INVALID", `${what} ${value} is not a positive number that the venue can hold`, {
      place: what,
      hint: "check what it is computed from",
    });
  }
  if (Math.abs((value * E8) / stepE8 - steps) > Math.max(TOLERANCE, steps * Number.EPSILON * 4) || steps < 1) {
    throw new StrategyError("ORDER_INVALID", `${what} ${value} is not a multiple of ${stepE8 / E8}`, {
      place: what,
      hint: advice,
    });
  }
  return steps;
}

/**
 * The step at or below (`down`), at or above (`up`) or nearest; noise in the last digits does not move to another step.
 */
export function roundToStep(value: number, stepE8: number, way: "down" | "up" | "nearest"): number {
  const exact = (value * E8) / stepE8;
  const nearest = Math.round(exact);
  if (way === "nearest" || Math.abs(exact - nearest) <= TOLERANCE) return fromSteps(nearest, stepE8);
  return fromSteps(way === "down" ? Math.floor(exact) : Math.ceil(exact), stepE8);
}

/** Whole lots of a signed size, toward zero; noise in the last digits does not move to another lot. */
export function toLots(size: number, lotSize: number): number {
  const exact = Math.abs(size) / lotSize;
  const nearest = Math.round(exact);
  const lots = Math.abs(exact - nearest) <= TOLERANCE ? nearest : Math.floor(exact);
  return size < 0 ? 0 - lots : lots;
}
