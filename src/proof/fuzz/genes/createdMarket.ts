/** A market that the operator creates while a case runs. */
import { formatDecimal } from "../../../ground/math/decimal.ts";
import type { Draw } from "../../../ground/math/draw.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import type { WorldMarket } from "./marketProfile.ts";

/** Price in USD, tick, lot: from coins to cents. Tick times lot is a whole number of quote units in each. */
const GRIDS = [
  { start: 60_000e8, tick: 1e8, lot: 1e4 },
  { start: 2_000e8, tick: 1e7, lot: 1e5 },
  { start: 100e8, tick: 5e7, lot: 1e8 },
  { start: 10e8, tick: 1e5, lot: 1e7 },
  { start: 5e6, tick: 1e3, lot: 1e9 },
] as const;

const TIERS: readonly (readonly string[])[] = [
  ["0 0.1 0.05"],
  ["0 0.05 0.03", "20000 0.1 0.05", "100000 0.5 0.25"],
  ["0 0.2 0.1", "50000 0.3 0.15"],
];

const FEES = [
  { takerFee: "0", makerFee: "0" },
  { takerFee: "0.0005", makerFee: "0.0002" },
  { takerFee: "0.001", makerFee: "-0.0005" },
  { takerFee: "0.0003", makerFee: "-0.0003" },
] as const;

const FEE_TIERS = [
  {},
  {},
  { feeTier1: "500 0.0002 0.0001" },
  { feeTier1: "200 0.0004 0.0001", feeTier2: "5000 0.0001 -0.0002", feeTier3: "100000 0 -0.0005" },
] as const;

/** Draws a market. Its limits are low enough to be reached occasionally. */
export function drawMarket(random: Draw, name: string): WorldMarket {
  const grid = random.pick(GRIDS);
  const way = random.below(4); // median twice as often as the others
  const reported = way === 3;
  const texts: Record<string, string> = {
    tickSize: formatDecimal(grid.tick, 8),
    lotSize: formatDecimal(grid.lot, 8),
    minSize: formatDecimal(grid.lot * random.pick([1, 1, 3]), 8),
    minNotional: random.pick(["0", "5", "10"]),
    maxSize: sizeOf(grid, random.pick([20_000, 200_000, 1_000_000])),
    positionLimit: sizeOf(grid, random.pick([30_000, 300_000, 2_000_000])),
    openInterestLimit: sizeOf(grid, random.pick([60_000, 1_000_000, 10_000_000])),
    openInterestLower: "1000",
    openInterestUpper: random.pick(["0", "0", "20000", "400000"]),
    openOrdersMax: random.pick(["3", "8", "100"]),
    priceBand: random.pick(["0.2", "0.5"]),
    markMethod: reported ? "reported" : way === 2 ? random.pick(["oracle", "book"]) : "median",
    oracleStale: random.pick(["0", "10000", "60000"]),
    oracleVolatile: random.pick(["5", "1.3", "1.05", "0"]),
    oracleConfirmations: random.pick(["1", "2", "3"]),
    blockGap: random.pick(["0", "10000", "60000"]),
    markTau: random.pick(["10000", "150000"]),
    markClamp: reported ? "0" : random.pick(["0.01", "0.025"]),
    fundingMethod:
      reported || random.chance(1, 8)
        ? "reported"
        : random.pick(["hyperliquid", "hyperliquid", "dydx", "binance8h", "continuous"]),
    fundingTau: random.pick(["10000", "3600000"]),
    fundingInterval: random.pick(["30000", "60000", "3600000"]),
    fundingSample: random.pick(["1000", "5000"]),
    fundingPaymentMax: random.pick(["0.002", "0.00001"]),
    fundingInterest: random.pick(["0.0001", "0.01", "-0.01"]),
    impactNotional: random.pick(["100", "2000", "20000"]),
    liquidationFee: random.pick(["0", "0.01"]),
    liquidationWhole: random.pick(["0", "500", "100000"]),
    liquidationChunk: random.pick(["0.2", "0.5", "1"]),
    ...(random.chance(1, 6) ? { closeOut: "0.3", takeoverDistance: "0" } : { closeOut: "0" }),
    liquidationPolicy: random.pick(["perplab", "perplab", "perplab", "hyperliquid", "dydx", "binance"]),
    insuranceSlippage: random.pick(["0.005", "0.005", "0", "0.02"]),
    insuranceCapMarket: random.pick(["0", "0.1", "1", "1"]),
    insuranceCapAccount: random.pick(["0", "1", "1000000"]),
    insuranceCapOwner: random.pick(["2", "1000000"]),
    insuranceCapBlock: random.pick(["5", "10000000"]),
    tier2: "",
    ...(!reported && random.chance(1, 3)
      ? { sources: "a:3 b:2 c:2 idle:0", minSources: random.pick(["1", "2", "3"]) }
      : {}),
    ...random.pick(FEES),
    ...random.pick(FEE_TIERS),
  };
  // Half of the markets each, without a draw of their own.
  texts["reduceOnlyResting"] = texts["fundingTau"] === "10000" ? "trim" : "capAtMatch";
  // A study: the mark follows the market's own book without limit.
  if (texts["markMethod"] === "book" && random.chance(1, 2)) {
    Object.assign(texts, { unsafe: "1", markClamp: "1000", markBand: random.pick(["1", "1000"]) });
  }
  random.pick(TIERS).forEach((tier, place) => {
    texts[`tier${place + 1}`] = tier;
  });
  const volatility = random.pick([500, 3_000, 15_000]);
  random.below(4); // unused: the choices after it keep their places in stored cases
  return { name, preset: "linear", parameters: texts, start: grid.start, volatility, reported };
}

function sizeOf(grid: (typeof GRIDS)[number], notional: number): string {
  const lots = Math.floor((notional * 1e8 * 1e8) / grid.start / grid.lot);
  return formatDecimal(Math.min(Math.max(lots, 3), Math.floor(LIMIT / grid.lot)) * grid.lot, 8);
}
