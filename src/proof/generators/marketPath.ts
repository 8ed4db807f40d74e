/**
 * A synthetic market, minute by minute. Its index walks through regimes, and its perpetual trades at a premium to it.
 * The mark is between the two; funding follows from the premium. Whole numbers only: every machine makes the same
 * market from the same seed.
 */
import { divFloor, mulDivFloor } from "../../ground/math/fixed.ts";
import type { Random } from "../../ground/math/random.ts";

export const MINUTE_MS = 60_000;

/** A stretch of time with one character. */
export interface Regime {
  readonly minutes: number;
  /** Mean move of the index in a minute, parts per billion. */
  readonly driftPpb: number;
  /** Standard deviation of the move in a minute, parts per billion. */
  readonly volatilityPpb: number;
  /** Premium of the perpetual to which it tends, parts per million. */
  readonly premiumPpm: number;
  /** Mean volume of a minute in lots of 0.001. */
  readonly volumeLots: number;
}

export interface MarketPathOptions {
  readonly startMs: number;
  /** Price at the start, 1e-4 USD. */
  readonly startPriceE4: number;
  readonly regimes: readonly Regime[];
}

/** One minute. Trade prices are in ticks of 0.1 USD, reference prices in 1e-4 USD, volumes in lots of 0.001. */
export interface Minute {
  readonly timeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Aggressive buys and sells: number and volume. At least one of each. */
  readonly buys: number;
  readonly sells: number;
  readonly buyLots: number;
  readonly sellLots: number;
  /** At the end of the minute. */
  readonly indexE4: number;
  readonly markE4: number;
  readonly premiumPpm: number;
}

const TICK_E4 = 1000;
const TRADES_MEAN = 17;

/** Twelve draws in [-1000, 1000] are close to a normal deviate with standard deviation 2001. */
function drawNormal(random: Random): number {
  let sum = 0;
  for (let draw = 0; draw < 12; draw++) sum += random.below(2001) - 1000;
  return sum;
}

const toTicks = (priceE4: number): number => Math.max(1, divFloor(priceE4 + TICK_E4 / 2, TICK_E4));

/** The minutes of all regimes, one after the other; every minute opens where the one before closed. */
export function* generateMinutes(random: Random, options: MarketPathOptions): Generator<Minute> {
  let timeMs = options.startMs;
  let indexE4 = options.startPriceE4;
  let premiumPpb = 0; // thousandths of a ppm keep small steps
  let markPremiumPpb = 0;
  let close = toTicks(indexE4);
  for (const regime of options.regimes) {
    for (let minute = 0; minute < regime.minutes; minute++) {
      const move = regime.driftPpb + divFloor(regime.volatilityPpb * drawNormal(random), 2001);
      indexE4 = Math.max(TICK_E4, indexE4 + mulDivFloor(indexE4, move, 1_000_000_000));
      const pull = divFloor((regime.premiumPpm * 1000 - premiumPpb) * 4, 1000);
      premiumPpb += pull + drawNormal(random) * 4;
      markPremiumPpb += divFloor(premiumPpb - markPremiumPpb, 20);
      const open = close;
      close = toTicks(indexE4 + mulDivFloor(indexE4, premiumPpb, 1_000_000_000));
      // Distance of the price's extremes beyond open and close within the minute.
      const reach = 1 + divFloor(open * regime.volatilityPpb, 1_000_000_000);
      const high = Math.max(open, close) + random.below(reach + 1);
      const low = Math.max(1, Math.min(open, close) - random.below(reach + 1));
      const isUp = close >= open;
      const mean = Math.max(4, divFloor(regime.volumeLots, 2));
      const strong = divFloor(mean, 2) + random.below(mean) + random.below(divFloor(mean, 2) + 1);
      const weak = divFloor(mean, 2) + random.below(mean);
      const many = 2 + random.below(2 * TRADES_MEAN);
      const few = 2 + random.below(TRADES_MEAN + 6);
      const buyLots = Math.max(isUp ? strong : weak, isUp ? many : few);
      const sellLots = Math.max(isUp ? weak : strong, isUp ? few : many);
      yield {
        timeMs,
        open,
        high,
        low,
        close,
        buys: isUp ? many : few,
        sells: isUp ? few : many,
        buyLots,
        sellLots,
        indexE4,
        markE4: indexE4 + mulDivFloor(indexE4, markPremiumPpb, 1_000_000_000),
        premiumPpm: divFloor(premiumPpb, 1000),
      };
      timeMs += MINUTE_MS;
    }
  }
}

const DAY = 1440;
const HOUR = 60;

/**
 * A year of 366 days: a rise, a range, a strong rise, a crash, a wild range and a slow recovery. The crash takes about
 * forty percent in two days; its first hours are the worst.
 */
export const CRASH_YEAR: readonly Regime[] = [
  { minutes: 60 * DAY, driftPpb: 3_000, volatilityPpb: 450_000, premiumPpm: 150, volumeLots: 12_000 },
  { minutes: 60 * DAY, driftPpb: 0, volatilityPpb: 400_000, premiumPpm: 50, volumeLots: 10_000 },
  { minutes: 80 * DAY, driftPpb: 4_600, volatilityPpb: 420_000, premiumPpm: 450, volumeLots: 15_000 },
  { minutes: 1 * HOUR, driftPpb: -2_000_000, volatilityPpb: 1_300_000, premiumPpm: -1_500, volumeLots: 90_000 },
  { minutes: 1 * HOUR, driftPpb: -700_000, volatilityPpb: 1_500_000, premiumPpm: -1_800, volumeLots: 80_000 },
  { minutes: 6 * HOUR, driftPpb: -260_000, volatilityPpb: 1_400_000, premiumPpm: -1_800, volumeLots: 70_000 },
  { minutes: 40 * HOUR, driftPpb: -116_000, volatilityPpb: 1_000_000, premiumPpm: -1_200, volumeLots: 45_000 },
  { minutes: 38 * DAY, driftPpb: 500, volatilityPpb: 750_000, premiumPpm: -100, volumeLots: 20_000 },
  { minutes: 90 * DAY, driftPpb: 2_600, volatilityPpb: 450_000, premiumPpm: 200, volumeLots: 12_000 },
  { minutes: 36 * DAY, driftPpb: -400, volatilityPpb: 380_000, premiumPpm: 80, volumeLots: 9_000 },
];

/** Minutes from the start of `CRASH_YEAR` to its crash. */
export const CRASH_MINUTE = 200 * DAY;
