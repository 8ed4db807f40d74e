/** The samples in `data/`: the content of each file and its generator. All of them follow from one seed text. */
import seedrandom from "seedrandom";
import { Random } from "../../ground/math/random.ts";
import { CRASH_MINUTE, CRASH_YEAR, generateMinutes, type Minute } from "./marketPath.ts";
import { formatAggTrades, formatBook, formatFunding, formatKlines, formatMarkKlines } from "./marketRows.ts";

export const SAMPLE_SEED = "perplab-samples-1";

const START_MS = Date.UTC(2024, 0, 1);
const START_PRICE_E4 = 42_000 * 10_000;
const DAY = 1440;
/** 2024-03-05, a day in the range after the first rise. */
const TRADES_DAY = 64;

/** One sample file. */
export interface MarketSample {
  /** Name in `data/`, without the compression's extension. */
  readonly file: string;
  readonly about: string;
  readonly format: (minutes: readonly Minute[], random: Random) => Iterable<string>;
}

const daysFrom = (minutes: readonly Minute[], day: number, days: number): Minute[] =>
  minutes.slice(day * DAY, (day + days) * DAY);

export const MARKET_SAMPLES: readonly MarketSample[] = [
  {
    file: "BTC-PERP-klines-1h-2024.csv",
    about: "hourly bars of a year with a crash of forty percent on 2024-07-19 and 20",
    format: (minutes) => formatKlines(minutes, 60),
  },
  {
    file: "BTC-PERP-markPriceKlines-1h-2024.csv",
    about: "mark price of the same hours",
    format: (minutes) => formatMarkKlines(minutes, 60),
  },
  {
    file: "BTC-PERP-fundingRate-2024.csv",
    about: "settled funding of the same year, every eight hours",
    format: (minutes) => formatFunding(minutes),
  },
  {
    file: "BTC-PERP-klines-1m-2024-07-19.csv",
    about: "bars of one minute on the first day of the crash",
    format: (minutes) => formatKlines(daysFrom(minutes, CRASH_MINUTE / DAY, 1), 1),
  },
  {
    file: "BTC-PERP-aggTrades-2024-03-05.csv",
    about: "every aggregated trade of a calm day",
    format: (minutes, random) => formatAggTrades(random, daysFrom(minutes, TRADES_DAY, 1)),
  },
  {
    file: "BTC-PERP-book5-2024-03-05.csv",
    about: "best five levels of the book at the end of each minute of the first two hours of that day",
    format: (minutes, random) => formatBook(random, daysFrom(minutes, TRADES_DAY, 1).slice(0, 120)),
  },
];

/** A generator for one purpose: the same text and purpose give the same numbers, and purposes are independent. */
export function createSampleRandom(seed: string, purpose: string): Random {
  const words = seedrandom(`${seed}/${purpose}`);
  return new Random(Array.from({ length: 4 }, () => words.int32()));
}

/** The minutes from which all samples of a seed are cut. */
export function generateSampleMinutes(seed: string): Minute[] {
  const options = { startMs: START_MS, startPriceE4: START_PRICE_E4, regimes: CRASH_YEAR };
  return [...generateMinutes(createSampleRandom(seed, "path"), options)];
}

/** The content of one sample file, with LF at the end of every line. */
export function renderSample(sample: MarketSample, seed: string, minutes: readonly Minute[]): string {
  const lines = sample.format(minutes, createSampleRandom(seed, sample.file));
  return `${[...lines].join("\n")}\n`;
}
