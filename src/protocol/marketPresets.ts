import type { ParameterTexts } from "./parameters.ts";

/** Default tiers. Hyperliquid BTC: 40x to 150 M, 20x above; maintenance half of initial. */
export const LINEAR_TIERS = ["0 0.025 0.0125", "150000000 0.05 0.025"] as const;

/** Names of presets, and what each is. */
export const MARKET_PRESET_DOCS = {
  linear: "The reference market.",
  thin: "A thinly traded coin whose price may jump by nearly a third before any account is closed (ADR 25).",
  replay: "Recorded history: marks and funding as recorded, no clamps, no band.",
  hyperliquid: "Hyperliquid, BTC-USDC perpetual.",
  dydx: "dYdX v4, BTC-USD: genesis of mainnet (protocol/testing/mainnet/genesis.json) unless something else is named.",
  binance: "Binance USD-M futures, BTCUSDT.",
  minimal: "The simplest market: no fees, oracle mark, small numbers. For tests and examples.",
} as const;

export type MarketPreset = keyof typeof MARKET_PRESET_DOCS;

/**
 * Presets of `createMarket`: texts that differ from the defaults, or that are to stay if a default should change.
 *
 * The presets of venues hold the rules of their Bitcoin market as far as this venue has them. A value marked "Ours" is
 * one that the venue does not have or does not document.
 */
export const marketPresets: Readonly<Record<string, ParameterTexts>> = {
  linear: {
    closeOut: "0.5", // ours (LIQ-4, ADR 17): who has half of maintenance left is closed, while that still pays for it
    takeoverDistance: "0", // ours (LIQ-3, ADR 25): the backstop pays no price that the oracle has passed
  },
  thin: {
    tier1: "0 0.333333 0.166666", // 3x, as Hyperliquid lists its smallest coins: the stake pays for the jump
    tier2: "",
    openInterestLower: "20000000", // dYdX, liquidity tier Small-Cap
    openInterestUpper: "50000000",
    closeOut: "0.5", // as linear
    takeoverDistance: "0",
  },
  replay: {
    markMethod: "reported",
    fundingMethod: "reported",
    markClamp: "0",
    markBand: "0",
    priceBand: "1000000",
    fundingPaymentMax: "0",
    oracleStale: "0",
    oracleVolatile: "0",
    blockGap: "0",
  },
  hyperliquid: {
    minNotional: "10", // documentation of order errors
    tier1: "0 0.025 0.0125", // documentation of margin tiers: 40x below 150 M, maintenance half of initial
    tier2: "150000000 0.05 0.025", // the same: 20x above it
    initialMarginMethod: "stepped", // documentation of margining: size * mark / leverage, the deduction is of maintenance
    takerFee: "0.00045", // documentation of fees, first tier
    makerFee: "0.00015",
    openInterestLower: "0", // margin does not rise with open interest
    openInterestUpper: "0",
    markMethod: "median", // documentation of robust price indices
    markTau: "150000", // the same: average of mid less oracle over 150 s
    markClamp: "0.01", // HIP-3: an update moves oracle and mark by at most 1 %
    fundingMethod: "hyperliquid", // documentation of funding, as the six below
    fundingInterval: "3600000",
    fundingSample: "5000",
    fundingInterest: "0.0001",
    fundingClamp: "0.0005",
    fundingCap: "0.04",
    impactNotional: "20000", // documentation of contract specifications: 20,000 for BTC
    fundingBound: "6", // ours, after dYdX
    fundingPaymentMax: "0.002", // ours (PRC-2)
    reduceOnlyResting: "capAtMatch", // ours, from order statuses: orders that rest are cancelled once they no longer reduce (ORD-9)
    liquidationPolicy: "hyperliquid", // documentation of liquidations, as the four below
    liquidationFee: "0", // no clearance fee in the book
    liquidationWhole: "100000",
    liquidationChunk: "0.2",
    liquidationCooldown: "30000",
  },
  dydx: {
    tickSize: "1",
    lotSize: "0.0001",
    minSize: "0.0001",
    minNotional: "0", // the smallest order is a step of size
    tier1: "0 0.05 0.03", // liquidity tier Large-Cap
    tier2: "",
    takerFee: "0.0005", // first fee tier
    makerFee: "-0.00011",
    openInterestLower: "0", // Large-Cap: off
    openInterestUpper: "0",
    markMethod: "oracle", // margin uses the oracle alone
    markClamp: "0.025", // ours: dYdX has none; nearly as wide as PRC-2 allows
    fundingMethod: "dydx", // x/perpetuals: minutes (their mean, not the median of votes), a rate an hour
    fundingInterval: "3600000", // epoch funding-tick
    fundingInterest: "0", // default_funding_ppm
    fundingBound: "6", // funding_rate_clamp_factor_ppm: 600 %
    fundingCap: "0.04", // ours; the bound is lower
    fundingPaymentMax: "0.002", // ours (PRC-2)
    impactNotional: "10000", // Large-Cap: 500 USDC over the initial rate
    reduceOnlyResting: "capAtMatch", // x/clob/memclob cuts at match; there reduce-only orders are IOC or FOK alone (ORD-9)
    liquidationPolicy: "dydx", // x/clob
    liquidationFee: "0.015", // max_liquidation_fee_ppm
    insuranceCapAccount: "1000000", // max_quantums_insurance_lost of a subaccount, there for a block
    insuranceCapOwner: "1000000000", // ours: no such cap
    insuranceCapMarket: "1", // ours: no such cap
  },
  binance: {
    tickSize: "0.1", // exchange information, as the two below
    lotSize: "0.001",
    minSize: "0.001",
    minNotional: "100", // exchange information
    tier1: "0 0.008 0.004", // brackets of 2021: leverage 125, 100, 50, 20, 10, 5, 4, 3, 2, 1 and its maintenance
    tier2: "50000 0.01 0.005",
    tier3: "250000 0.02 0.01",
    tier4: "1000000 0.05 0.025",
    tier5: "10000000 0.1 0.05",
    tier6: "20000000 0.2 0.1",
    tier7: "50000000 0.25 0.125",
    tier8: "100000000 0.333334 0.15",
    tier9: "200000000 0.5 0.25",
    tier10: "300000000 1 0.5",
    initialMarginMethod: "stepped", // value / leverage, at most the bracket's; `cum` is deducted from maintenance alone
    takerFee: "0.0005", // fee schedule, regular user
    makerFee: "0.0002",
    openInterestLower: "0", // margin does not rise with open interest
    openInterestUpper: "0",
    markMethod: "median", // documentation of the mark price: median of two prices and the contract's
    markTau: "150000", // the same: average of mid less index over 2.5 min
    markClamp: "0.002", // ours: 0.4 % maintenance leaves no room for more (PRC-2)
    fundingMethod: "binance8h", // introduction to funding rates, as the five below
    fundingInterval: "28800000",
    fundingSample: "5000",
    fundingInterest: "0.0001", // 0.03 % a day
    fundingClamp: "0.0005",
    fundingCapMargin: "0.75", // cap and floor: 0.75 of the maintenance rate
    fundingCap: "0.04", // ours; the cap by margin is lower
    fundingPaymentMax: "0.001", // ours (PRC-2)
    impactNotional: "25000", // impact margin notional: 200 USDT over the initial rate at the greatest leverage
    reduceOnlyResting: "trim", // open reduce-only orders count against the position: a second full-size one fails with -4118 (ORD-9)
    liquidationPolicy: "binance", // liquidation protocols
    liquidationFee: "0.0125", // exchange information
    insuranceSlippage: "0.003", // ours, below the maintenance rate (LIQ-4)
    insuranceCapAccount: "1000000000", // ours: no such caps are known
    insuranceCapOwner: "1000000000",
    insuranceCapMarket: "1",
  },
  minimal: {
    tickSize: "1",
    lotSize: "0.01",
    minSize: "0.01",
    minNotional: "0",
    takerFee: "0",
    makerFee: "0",
    markMethod: "oracle",
    oracleStale: "0",
    blockGap: "0",
    fundingMethod: "reported",
    insuranceCapMarket: "1",
    tier1: "0 0.1 0.05",
    tier2: "",
  },
} satisfies Readonly<Record<MarketPreset, ParameterTexts>>;
