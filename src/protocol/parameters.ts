/**
 * Parameters of a market: name, kind, default and where it comes from, and their values as the engine reads them.
 * `readMarketParameters` reads them from texts.
 */

import type { Amount, Lots, Ppb, Ppm, PriceE8, SizeE8 } from "../ground/math/fixed.ts";
import type { FeeTier } from "./feeTiers.ts";
import type { Tier } from "./marginTiers.ts";
import type { Source } from "./priceSources.ts";
import {
  FUNDING_METHODS,
  INITIAL_MARGIN_METHODS,
  LIQUIDATION_POLICIES,
  MARK_METHODS,
  MARKET_STATUSES,
  REDUCE_ONLY_RESTINGS,
  SWITCHES,
} from "./words.ts";

type Kind = "price" | "size" | "amount" | "ppm" | "ppb" | "ms" | "count" | "word" | "sources";

export interface ParameterDescriptor {
  readonly kind: Kind;
  readonly words?: readonly string[];
  /** Text of the `linear` preset. */
  readonly initial: string;
  /** May not change after creation. */
  readonly fixed?: true;
  /** May be negative. */
  readonly signed?: true;
  /**
   * Smallest and greatest text, both allowed. By default 0, or what is storable of a signed one, and what is storable.
   */
  readonly least?: string;
  readonly most?: string;
  /** 0 is allowed as well, below `least`. */
  readonly orZero?: true;
  readonly doc: string;
}

const parameter = (kind: Kind, initial: string, doc: string, more: Partial<ParameterDescriptor> = {}) => ({
  kind,
  initial,
  doc,
  ...more,
});

/**
 * Every parameter but the tiers, which are `tier1`, `tier2`, …: "from initialRate maintenanceRate", and the fee tiers,
 * `feeTier1`, …: "volume takerFee makerFee", of which there need be none.
 */
export const marketParameters = {
  status: parameter("word", "active", "Status of the market (MKT).", { words: MARKET_STATUSES }),
  pauseTrade: parameter("word", "off", "Orders may not enter; cancels are accepted (MKT).", { words: SWITCHES }),
  pauseLiquidate: parameter("word", "off", "Positions of the market are not liquidated (MKT).", { words: SWITCHES }),
  pauseFund: parameter("word", "off", "Funding is neither sampled nor paid; the running interval ends (MKT, FND-4).", {
    words: SWITCHES,
  }),
  pauseWithdraw: parameter("word", "off", "An account with a position in the market moves no collateral away (MKT).", {
    words: SWITCHES,
  }),
  tickSize: parameter("price", "1", "Step of order prices (ORD-5). dYdX BTC: 1 USD.", {
    fixed: true,
    least: "0.00000001",
  }),
  lotSize: parameter("size", "0.0001", "Step of order sizes (ORD-5). dYdX BTC: 0.0001.", {
    fixed: true,
    least: "0.00000001",
  }),
  minSize: parameter("size", "0.0001", "Smallest order; reduce-only orders are exempt (ORD-5)."),
  minNotional: parameter(
    "amount",
    "10",
    "Smallest order value; reduce-only orders are exempt (ORD-5). Hyperliquid: 10.",
  ),
  maxSize: parameter("size", "1000", "Largest order (ORD-5). Binance BTCUSDT: 1,000."),
  positionLimit: parameter("size", "1000", "Largest position of an owner, all subaccounts together (ORD-5)."),
  openInterestLimit: parameter("size", "1000000", "Largest open interest (ORD-5)."),
  openInterestLower: parameter(
    "amount",
    "0",
    "Open interest from which the initial rate rises, up to 100 % at `openInterestUpper` (MRG-1). dYdX: 20,000,000 for BTC.",
  ),
  openInterestUpper: parameter(
    "amount",
    "0",
    "Open interest at which the initial rate is 100 %; with 0 the rate does not rise (MRG-1). dYdX: 50,000,000 for BTC.",
  ),
  initialMarginMethod: parameter(
    "word",
    "continuous",
    "Initial margin by tier (MRG-1): `continuous` takes a deduction off it, `stepped` applies the tier's rate to the whole notional. Binance, Hyperliquid: stepped.",
    { words: INITIAL_MARGIN_METHODS },
  ),
  openOrdersMax: parameter("count", "1000", "Open orders of a subaccount in the market (ORD-5). Lighter: 1000."),
  reduceOnlyResting: parameter(
    "word",
    "capAtMatch",
    "Limit of resting reduce-only orders: each at most the position at entry and cut again at match, or all together at most the position (ORD-9). The default lets two take-profits over the whole position rest.",
    { words: REDUCE_ONLY_RESTINGS },
  ),
  priceBand: parameter(
    "ppm",
    "0.2",
    "Greatest distance of an order price from oracle and index (ORD-5). Paradex: 20 %.",
  ),
  slippageMax: parameter("ppm", "0.1", "Greatest slippage bound of a market order (ORD-1). Dango: 10 %.", {
    most: "1",
  }),
  takerFee: parameter("ppm", "0.00045", "Taker fee of notional (ORD-7). Hyperliquid: 4.5 bps.", { most: "0.999999" }),
  makerFee: parameter("ppm", "0.00015", "Maker fee of notional, negative for a rebate (ORD-7). Hyperliquid: 1.5 bps.", {
    signed: true,
    least: "-0.999999",
    most: "0.999999",
  }),
  sources: parameter(
    "sources",
    "",
    "Oracle sources and their weights, `name:weight name:weight`; none for a plain price (PRC-1). Weights may change later.",
  ),
  minSources: parameter("count", "1", "Fewest fresh sources that make a price (PRC-1).", { least: "1" }),
  oracleStale: parameter(
    "ms",
    "60000",
    "Age above which a price or a report is stale; at exactly this age it is fresh. 0 for never (PRC-1). Drift: 60 s.",
  ),
  oracleUncertain: parameter("ppm", "0.02", "Widest confidence of a price, as a share of it (PRC-1). Drift: 2 %."),
  oracleVolatile: parameter(
    "ppm",
    "5",
    "Ratio to the last price beyond which a report needs confirmation; 0 for never (PRC-1). Drift: 5.",
    { least: "1", orZero: true },
  ),
  oracleConfirmations: parameter("count", "3", "Number of reports in a row that confirm a candidate price (PRC-1).", {
    least: "1",
  }),
  blockGap: parameter(
    "ms",
    "60000",
    "Time between blocks after which the market waits for a fresh price; 0 for never (PRC-4). Vega: 60 s.",
  ),
  markMethod: parameter("word", "median", "Method of the mark price (PRC-3).", { words: MARK_METHODS }),
  markTau: parameter("ms", "150000", "Time constant of the average basis (PRC-3). Hyperliquid: 150 s.", {
    least: "1",
  }),
  markClamp: parameter("ppm", "0.01", "Greatest move of index and mark in a block (PRC-2). Hyperliquid HIP-3: 1 %."),
  markBand: parameter("ppm", "0.05", "Greatest distance of the mark from the index (PRC-2)."),
  unsafe: parameter(
    "count",
    "0",
    "1 switches off the check of the clamp in PRC-2, for studies of venues whose mark may move further than their margin covers.",
    { most: "1" },
  ),
  fundingMethod: parameter(
    "word",
    "hyperliquid",
    "Method of funding (FND-2). `reported` pays recorded rates and ignores the funding parameters below.",
    { words: FUNDING_METHODS },
  ),
  fundingInterval: parameter(
    "ms",
    "3600000",
    "Time between settlements (FND-2), at most 31 days. Continuous funding settles in every block; there it is the longest time that one settlement pays for. Hyperliquid, dYdX: 1 h; Binance: 8 h.",
    { least: "1", most: "2678400000" },
  ),
  fundingSample: parameter(
    "ms",
    "5000",
    "Least time between premium samples (FND-1); binance8h: step of the clock. Not used by dydx, which samples in every block. Hyperliquid, Binance: 5 s.",
    { least: "1" },
  ),
  fundingInterest: parameter(
    "ppb",
    "0.0001",
    "Interest per 8 h (FND-2); dydx adds it whole. Hyperliquid, Binance, Paradex: 0.01 %.",
    { signed: true },
  ),
  fundingClamp: parameter(
    "ppb",
    "0.0005",
    "Greatest pull of interest on the premium (FND-2). Not used by dydx. Hyperliquid, Binance, Paradex: 0.05 %.",
  ),
  fundingCap: parameter("ppb", "0.04", "Greatest rate per hour (FND-2). Hyperliquid: 4 %."),
  fundingPaymentMax: parameter("ppb", "0.002", "Greatest single payment; the excess is paid in later blocks (FND-2)."),
  fundingBound: parameter(
    "ppm",
    "6",
    "Greatest rate per 8 h, as a multiple of the first tier's initial less maintenance rate (FND-2). Not used by binance8h. dYdX: 600 %.",
  ),
  fundingCapMargin: parameter(
    "ppm",
    "0.75",
    "Greatest rate per 8 h, as a multiple of the first tier's maintenance rate (FND-2). Used only by binance8h. Binance: 0.75.",
  ),
  fundingTau: parameter(
    "ms",
    "3600000",
    "Time constant of the average premium (FND-2). Used only by continuous. Paradex averages exponentially and does not publish its time constant.",
    { least: "1" },
  ),
  impactNotional: parameter(
    "amount",
    "20000",
    "Notional for which impact prices are computed (FND-1). Hyperliquid BTC: 20,000.",
  ),
  liquidationFee: parameter("ppm", "0.01", "Greatest liquidation fee of a fill (LIQ-2). Lighter: 1 %.", { most: "1" }),
  liquidationWhole: parameter("amount", "100000", "Positions up to this value are closed whole (LIQ-2). Hyperliquid."),
  liquidationChunk: parameter("ppm", "0.2", "Share of a larger position closed at once (LIQ-2). Hyperliquid: 20 %.", {
    least: "0.000001",
    most: "1",
  }),
  liquidationCooldown: parameter("ms", "30000", "Wait between chunks (LIQ-2). Hyperliquid: 30 s."),
  insuranceSlippage: parameter(
    "ppm",
    "0.005",
    "Greatest distance beyond the mark at which the fund pays for fills (LIQ-4).",
  ),
  closeOut: parameter("ppm", "0", "Ratio of equity to maintenance margin at or below which the fund pays (LIQ-4)."),
  takeoverDistance: parameter(
    "ppm",
    "1000000",
    "Greatest distance beyond the oracle price at which a backstop takes over a position, as a share of that price (LIQ-3).",
  ),
  liquidationPolicy: parameter("word", "perplab", "Policy of liquidations in the market (LIQ).", {
    words: LIQUIDATION_POLICIES,
  }),
  insuranceCapAccount: parameter(
    "amount",
    "1000000",
    "Most that the fund pays for an account in a UTC day; 0 for nothing (LIQ-4). dYdX: 1 M per subaccount.",
  ),
  insuranceCapOwner: parameter(
    "amount",
    "1000000",
    "Most that the fund pays for an owner's subaccounts in a UTC day; 0 for nothing (LIQ-4).",
  ),
  insuranceCapMarket: parameter(
    "ppm",
    "0.1",
    "Share of the fund that it pays for the market in a UTC day; 0 for nothing (LIQ-4).",
    { most: "1" },
  ),
  insuranceCapBlock: parameter("amount", "10000000", "Most that the fund pays in a block; 0 for nothing (LIQ-4)."),
} as const satisfies Readonly<Record<string, ParameterDescriptor>>;

export type MarketParameterName = keyof typeof marketParameters;

/** The table as entries, in its order. */
export const MARKET_PARAMETER_ENTRIES = Object.entries(marketParameters) as readonly [
  MarketParameterName,
  ParameterDescriptor,
][];

/** Named parameters as texts. */
export type ParameterTexts = Readonly<Record<string, string>>;

/** A market's parameters as the engine reads them. */
export interface MarketParameters {
  readonly status: number;
  /** 1 while paused, like the three below. */
  readonly pauseTrade: number;
  readonly pauseLiquidate: number;
  readonly pauseFund: number;
  readonly pauseWithdraw: number;
  readonly tickSize: PriceE8;
  readonly lotSize: SizeE8;
  readonly minSize: SizeE8;
  readonly minNotional: Amount;
  readonly maxSize: SizeE8;
  readonly positionLimit: SizeE8;
  readonly openInterestLimit: SizeE8;
  readonly openInterestLower: Amount;
  readonly openInterestUpper: Amount;
  readonly initialMarginMethod: number;
  readonly openOrdersMax: number;
  /** REDUCE_ONLY_RESTING */
  readonly reduceOnlyResting: number;
  readonly priceBand: Ppm;
  readonly slippageMax: Ppm;
  readonly takerFee: Ppm;
  readonly makerFee: Ppm;
  readonly sources: readonly Source[];
  readonly minSources: number;
  readonly oracleStale: number;
  readonly oracleUncertain: Ppm;
  readonly oracleVolatile: Ppm;
  readonly oracleConfirmations: number;
  readonly blockGap: number;
  readonly markMethod: number;
  readonly markTau: number;
  readonly markClamp: Ppm;
  readonly markBand: Ppm;
  readonly unsafe: number;
  readonly fundingMethod: number;
  readonly fundingInterval: number;
  readonly fundingSample: number;
  readonly fundingInterest: Ppb;
  readonly fundingClamp: Ppb;
  readonly fundingCap: Ppb;
  readonly fundingPaymentMax: Ppb;
  readonly fundingBound: Ppm;
  readonly fundingCapMargin: Ppm;
  readonly fundingTau: number;
  readonly impactNotional: Amount;
  readonly liquidationFee: Ppm;
  readonly liquidationWhole: Amount;
  readonly liquidationChunk: Ppm;
  readonly liquidationCooldown: number;
  readonly insuranceSlippage: Ppm;
  readonly closeOut: Ppm;
  readonly takeoverDistance: Ppm;
  readonly liquidationPolicy: number;
  readonly insuranceCapAccount: Amount;
  readonly insuranceCapOwner: Amount;
  readonly insuranceCapMarket: Ppm;
  readonly insuranceCapBlock: Amount;
  readonly tiers: readonly Tier[];
  /** By rising volume; none where every owner pays the same. */
  readonly feeTiers: readonly FeeTier[];
  // Derived from the above, once.
  /** Quote units of one lot at one tick; a fill is worth ticks * lots * tickLotValue. */
  readonly tickLotValue: number;
  /** A lot is worth price * lotNumerator / lotDenominator quote units at a reference price (1e-8). */
  readonly lotNumerator: number;
  readonly lotDenominator: number;
  /**
   * Greatest reference price that is taken: a position at its cap stays storable at it, and so does price *
   * lotNumerator (NUM-3).
   */
  readonly priceMost: PriceE8;
  readonly minLots: Lots;
  readonly maxLots: Lots;
  readonly positionLimitLots: Lots;
  readonly openInterestLimitLots: Lots;
  /** Greatest whole leverage of the first tier. */
  readonly leverageMax: number;
  /** Lowest maintenance rate. */
  readonly maintenanceLeast: Ppm;
  /** Highest maintenance rate. */
  readonly maintenanceMost: Ppm;
  /** Every parameter as canonical text, in table order: what marketCreated and marketChanged carry. */
  readonly definition: string;
}
