/** A market of a case, from choices: plain with zeros, otherwise a mixture of usual and extreme parameters. */

import { formatDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { SOURCES_MAX } from "../../../protocol/priceSources.ts";
import { readMarketParameters } from "../../../protocol/readParameters.ts";
import type { Choices } from "./choices.ts";
import { drawParameterEdges } from "./parameterEdges.ts";

/** Processes of a world price. */
export const PROCESSES = ["calm", "jumps", "crash", "floor", "haunts"] as const;
export type Process = (typeof PROCESSES)[number];

/** A market and its price in the outside world. */
export interface WorldMarket {
  readonly name: string;
  readonly preset: string;
  readonly parameters: ParameterTexts;
  /** First oracle price, 1e-8 USD. */
  readonly start: number;
  /** Greatest usual step of the price, ppm. */
  readonly volatility: number;
  /** Marks are reported, not computed. */
  readonly reported: boolean;
}

export interface CaseMarket extends WorldMarket {
  readonly process: Process;
}

/**
 * First price in USD, tick and lot; the first entry is round. Tick times lot is a whole number of quote units in each.
 */
const GRIDS = [
  { start: 100e8, tick: 1e7, lot: 1e6 },
  { start: 60_000e8, tick: 1e8, lot: 1e4 },
  { start: 2_000e8, tick: 1e7, lot: 1e5 },
  { start: 10e8, tick: 1e5, lot: 1e7 },
  { start: 5e6, tick: 1e3, lot: 1e9 },
  { start: 3e8, tick: 1e8, lot: 1e8 }, // three ticks above zero
  // Lots with a numerator, which bounds prices, too; two of them without a denominator.
  { start: 100e8, tick: 1e6, lot: 3e8 },
  { start: 60_000e8, tick: 1e8, lot: 7e4 },
  { start: 3e8, tick: 1e5, lot: 333e6 },
  { start: 10_000e8, tick: 1e7, lot: 13e6 }, // 1,300 USD each
  { start: 100e8, tick: 1e6, lot: 2.5e6 },
  { start: 1e5, tick: 1, lot: 1e10 },
  { start: 1e5, tick: 10, lot: 3e11 },
  { start: 60e8, tick: 1e8, lot: 1e11 }, // the coarsest: 1,000 USD per lot and tick
  { start: 60_000e8, tick: 1e10, lot: 1 }, // the smallest lot
  { start: 3_000e8, tick: 1e10, lot: 999_999_999 },
] as const;
/** A tick of a lot is worth one quote unit, so every value is possible. */
const FINEST = { start: 100e8, tick: 1e4, lot: 1e6 } as const;
type Grid = (typeof GRIDS)[number] | typeof FINEST;

const TIERS: readonly (readonly string[])[] = [
  ["0 0.1 0.05"],
  ["0 0.05 0.03", "20000 0.1 0.05", "100000 0.5 0.25"],
  ["0 0.2 0.1", "50000 0.3 0.15"],
  ["0 0.025 0.0125", "150000000 0.05 0.025"],
  ["0 0.02 0.01", "1000 0.03 0.015", "1000.000001 1 0.5"],
  ["0 1 0.999999"],
  ["0 0.05 0.03", "5000.777777 0.1 0.05", "20000.000001 0.333333 0.142857"],
  // Each bound rounds the margin once more.
  Array.from({ length: 12 }, (_, place) => {
    const from = place === 0 ? "0" : formatDecimal(500e6 + 200 * place, 6);
    return `${from} ${formatDecimal(100_000 + place, 6)} ${formatDecimal(50_000 + place, 6)}`;
  }),
  // The maximum number of tiers, one unit apart, up to the greatest rates.
  Array.from({ length: 99 }, (_, place) => {
    const from = place === 0 ? "0" : formatDecimal(500e6 + place, 6);
    return `${from} ${formatDecimal(999_902 + place, 6)} ${formatDecimal(999_901 + place, 6)}`;
  }),
  ["0 0.02 0.01", "8999999999.999999 0.03 0.02", "9000000000 1 0.999999"],
];

/** Texts of parameters, the plainest first. Repeated texts are drawn more often. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  minNotional: ["0", "0", "5", "10"],
  openInterestLower: ["0", "1000"],
  openInterestUpper: ["0", "0", "0", "20000", "400000"],
  openOrdersMax: ["100", "100", "100", "8", "3", "1"],
  priceBand: ["0.5", "0.2", "0.2", "0.2", "0.05", "1", "1", "0.02"],
  slippageMax: ["0.1", "0.1", "0.1", "0.05", "0.05", "0.01"],
  markMethod: ["oracle", "oracle", "median", "median", "reported", "book"],
  oracleStale: ["0", "0", "10000", "60000"],
  oracleVolatile: ["0", "5", "5", "1.3", "1.05"],
  oracleConfirmations: ["1", "2", "3"],
  oracleUncertain: ["0.02", "0.02", "0", "1"],
  blockGap: ["0", "0", "60000", "10000"],
  markTau: ["150000", "10000", "1"],
  markClamp: ["0.04", "0.02", "0.01", "0.0075", "0"],
  markBand: ["0.05", "0.01", "0", "1"],
  fundingMethod: ["reported", "hyperliquid", "hyperliquid", "dydx", "binance8h", "continuous"],
  fundingTau: ["3600000", "10000"],
  fundingInterval: ["60000", "30000", "10000", "3600000", "1000"],
  fundingSample: ["1000", "5000", "1"],
  fundingPaymentMax: ["0.002", "0.00001", "0"],
  fundingInterest: ["0.0001", "0.01", "-0.01", "0"],
  fundingClamp: ["0.0005", "0", "0.05"],
  fundingCap: ["0.04", "0.0001", "1"],
  fundingBound: ["6", "0.000001", "100"],
  impactNotional: ["100", "1000", "20000"],
  liquidationFee: ["0", "0.01", "0.000001"],
  liquidationWhole: ["100000", "0", "500"],
  liquidationChunk: ["0.2", "0.5", "1", "0.000001"],
  liquidationCooldown: ["30000", "0", "1000"],
  closeOut: ["0", "0", "0", "0.3", "1"],
  liquidationPolicy: ["perplab", "perplab", "perplab", "hyperliquid", "dydx", "binance"],
  insuranceSlippage: ["0.005", "0", "0.02"],
  insuranceCapMarket: ["1", "1", "0.1", "0"],
  insuranceCapAccount: ["1000000", "1000000", "1", "0"],
  insuranceCapOwner: ["1000000", "1000000", "2", "0"],
  insuranceCapBlock: ["10000000", "10000000", "5", "0"],
  status: [...Array.from({ length: 18 }, () => "active"), "postOnly", "initializing"],
  fundingCapMargin: ["0.75", "0.000001", "0.01", "100"],
  reduceOnlyResting: ["capAtMatch", "trim", "capAtMatch"],
  takeoverDistance: ["0", "0", "0.05", "0.005", "0.000001", "1"],
  initialMarginMethod: ["continuous", "continuous", "stepped"],
};

/** Pairs that are valid only together. */
const FEES = [
  { takerFee: "0", makerFee: "0" },
  { takerFee: "0.0005", makerFee: "0.0002" },
  { takerFee: "0.001", makerFee: "-0.0005" },
  { takerFee: "0.0003", makerFee: "-0.0003" },
  { takerFee: "0.000001", makerFee: "0" },
  { takerFee: "0.999999", makerFee: "-0.999999" },
  { takerFee: "0", makerFee: "0.999999" },
  { takerFee: "0.001001", makerFee: "0.000333" },
  { takerFee: "0.000777", makerFee: "-0.000123" },
] as const;
/** Rates that divide no number evenly. */
const ODD_FEES = FEES.slice(-2);
const FEE_TIERS = [
  {},
  {},
  { feeTier1: "500 0.0002 0.0001" },
  { feeTier1: "200 0.0004 0.0001", feeTier2: "5000 0.0001 -0.0002", feeTier3: "100000 0 -0.0005" },
  { feeTier1: "0.000001 0 -0.999999", feeTier2: "1000 0.999999 0.999999", feeTier3: "9000000000 0.000001 -0.000001" },
] as const;
const SOURCES = [
  {},
  {},
  {},
  { sources: "a:1", minSources: "1" },
  { sources: "a:3 b:2 c:2 idle:0", minSources: "2" },
  { sources: "a:1 b:1", minSources: "2" },
  { sources: Array.from({ length: SOURCES_MAX }, (_, place) => `s${place}:${place % 3}`).join(" "), minSources: "1" },
  { sources: "a:999999 b:1 c:999999", minSources: "3" },
] as const;

/** Limits in USD at the first price. */
const MAX_SIZES = [1_000_000, 200_000, 20_000] as const;
const POSITION_LIMITS = [2_000_000, 300_000, 30_000] as const;
const OPEN_INTEREST_LIMITS = [10_000_000, 1_000_000, 60_000] as const;
/**
 * Limits in vast markets. One position is worth at most a quarter of what a number holds (NUM-3), five are worth more
 * than all of it.
 */
const VAST_LIMITS = { 2000000: 1_500_000_000, 300000: 2_000_000_000, 30000: 2_100_000_000 } as const;
const VAST_INTEREST = 8_000_000_000;
/** One account can hold all of them at once. */
const VAST_TIERS: typeof TIERS = [["0 0.1 0.05"], ["0 0.05 0.03"], TIERS[3]!, ["0 0.12 0.1"]];

/**
 * Reads a market from its choices. It drops refused parameters one by one, so that every list of choices gives a valid
 * market.
 */
export function readMarketProfile(choices: Choices, name: string, { vast }: { readonly vast: boolean }): CaseMarket {
  const grid = choices.pick<Grid>(vast ? [FINEST, FINEST, FINEST, GRIDS[0]] : [...GRIDS, FINEST]);
  const process = choices.pick(PROCESSES);
  const volatility = choices.pick([500, 3_000, 15_000]);
  const [max, position, interest] = [
    choices.pick(MAX_SIZES),
    choices.pick(POSITION_LIMITS),
    choices.pick(OPEN_INTEREST_LIMITS),
  ];
  const given: Record<string, string> = {
    tickSize: formatDecimal(grid.tick, 8),
    lotSize: formatDecimal(grid.lot, 8),
    minSize: formatDecimal(grid.lot * choices.pick([1, 1, 3]), 8),
    maxSize: sizeOf(grid, vast ? VAST_LIMITS[position] : max),
    positionLimit: sizeOf(grid, vast ? VAST_LIMITS[position] : position),
    openInterestLimit: sizeOf(grid, vast ? VAST_INTEREST : interest),
    tier2: "",
    ...choices.pick(vast ? ODD_FEES : FEES),
    ...choices.pick(FEE_TIERS),
    ...choices.pick(SOURCES),
  };
  choices.pick(vast ? VAST_TIERS : TIERS).forEach((tier, place) => {
    given[`tier${place + 1}`] = tier;
  });
  const study = choices.below(12) === 11;
  for (const [parameter, texts] of Object.entries(TEXTS)) given[parameter] = choices.pick(texts);
  const reported = given["markMethod"] === "reported";
  if (reported) Object.assign(given, { markClamp: "0", sources: "" });
  else if (study) Object.assign(given, { unsafe: "1", markClamp: "1000", markBand: "1000" });
  if (choices.below(4) === 3) Object.assign(given, drawParameterEdges(choices));
  const parameters = repair(given);
  return { name, preset: "linear", parameters, start: grid.start, volatility, reported, process };
}

/** Drops the parameters that the venue refuses. */
function repair(given: Readonly<Record<string, string>>): Record<string, string> {
  const texts = { ...given };
  for (let tries = 0; tries < 8; tries++) {
    const read = readMarketParameters("linear", texts);
    if (!isParameterFault(read)) return texts;
    const { parameter } = read;
    // Parameters that are invalid together with thin tiers.
    if (parameter === "markClamp" || parameter === "fundingPaymentMax") {
      Object.assign(texts, { markClamp: "0.005", fundingPaymentMax: "0.0001" });
      if (tries > 3) {
        for (const name of Object.keys(texts)) if (name.startsWith("tier")) texts[name] = "";
        texts["tier1"] = "0 0.1 0.05";
      }
    } else if (TEXTS[parameter] !== undefined) texts[parameter] = TEXTS[parameter][0]!;
    // A default below one lot is refused as well.
    else if (texts[parameter] === undefined) texts[parameter] = given["lotSize"]!;
    else delete texts[parameter];
  }
  const { tickSize, lotSize } = given;
  const lot = lotSize!;
  const sizes = { minSize: lot, maxSize: lot, positionLimit: lot, openInterestLimit: lot };
  return { tickSize: tickSize!, lotSize: lot, ...sizes };
}

function sizeOf(grid: Grid, notional: number): string {
  const lots = Math.floor((notional * 1e8 * 1e8) / grid.start / grid.lot);
  return formatDecimal(Math.min(Math.max(lots, 3), Math.floor(LIMIT / grid.lot)) * grid.lot, 8);
}
