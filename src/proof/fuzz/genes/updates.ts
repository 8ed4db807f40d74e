/** Market changes of genes: usual ones, invalid ones, and those exactly on an edge of the current state. */
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { MARKET_STATUS, MARKET_STATUSES } from "../../../protocol/words.ts";
import type { MarketRow, OwnerRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { near } from "./edges.ts";
import { PARAMETER_EDGES } from "./parameterEdges.ts";
import { getMarketName, getMarketsMost, UNKNOWN_MARKET } from "./references.ts";
import { limitOwner, readSolved, solveChange } from "./solvedChanges.ts";
import { type Drawn, draw } from "./systemPayloads.ts";

/** Usual changes of a market, valid and invalid; the plainest first. */
export const CHANGES: readonly Readonly<Record<string, string>>[] = [
  { takerFee: "0.002", makerFee: "0" },
  { takerFee: "0", makerFee: "0" },
  { takerFee: "0.0005", makerFee: "-0.0005" },
  { openOrdersMax: "2" },
  { priceBand: "0.1" },
  { priceBand: "0.01" },
  { tier1: "0 0.25 0.12" },
  { tier1: "0 0.1 0.05" },
  { tier1: "0 0.1 0.05", tier2: "5000 0.2 0.1" },
  { tier1: "0 1 0.5" },
  { initialMarginMethod: "stepped", tier1: "0 0.1 0.05", tier2: "5000 0.2 0.1" },
  { initialMarginMethod: "stepped" },
  { initialMarginMethod: "continuous" },
  { minSize: "0.5" },
  { maxSize: "1" },
  { positionLimit: "1" },
  { openInterestLimit: "1" },
  { openInterestLower: "1000", openInterestUpper: "5000" },
  { liquidationPolicy: "dydx" },
  { liquidationPolicy: "binance" },
  { liquidationPolicy: "hyperliquid" },
  { fundingMethod: "hyperliquid", fundingInterval: "10000", fundingSample: "1000" },
  { fundingMethod: "reported" },
  { fundingMethod: "dydx" },
  { markClamp: "0.01" },
  { oracleStale: "10000" },
  { blockGap: "10000" },
  { insuranceCapBlock: "1" },
  { feeTier1: "500 0.0002 0.0001" },
  { markMethod: "median", markTau: "10000" },
  { markMethod: "oracle" },
  { fundingMethod: "dydx", fundingInterval: "120000" },
  { fundingMethod: "continuous", fundingTau: "10000" },
  { sources: "a:1" },
  { sources: "a:2 b:5 c:1 idle:1" },
  { reduceOnlyResting: "trim" },
  { reduceOnlyResting: "capAtMatch" },
  { tickSize: "0.3" },
  { status: "?" },
  { unknown: "0" },
  {},
];
/** Caps of the insurance fund, of which one binds after small payments. */
export const FUND_CAPS = ["account", "owner", "market", "block", "share"] as const;
const FUND_CAP_TEXTS = {
  account: { insuranceCapAccount: "5" },
  owner: { insuranceCapOwner: "5" },
  market: { insuranceCapMarket: "0.3" },
  block: { insuranceCapBlock: "5" },
  share: { insuranceCapMarket: "0.5" },
} as const satisfies Record<(typeof FUND_CAPS)[number], Readonly<Record<string, string>>>;
const NO_FUND_CAPS = {
  insuranceCapAccount: "1000000",
  insuranceCapOwner: "1000000",
  insuranceCapMarket: "1",
  insuranceCapBlock: "10000000",
} as const;
/** Choice of a change of these caps; a drawn gene hardly ever has it. */
export const CAPPED = 0xc10;

/** Choice of a plain market, as it is in the simplest venue; a drawn gene hardly ever has it. */
export const PLAIN = 0xc30;
const PLAIN_TEXTS = {
  ...{ takerFee: "0", makerFee: "0", minNotional: "0", openOrdersMax: "100", priceBand: "0.5", blockGap: "0" },
  ...{ markMethod: "oracle", markClamp: "0.04", markBand: "0.05", oracleVolatile: "0", oracleStale: "0" },
  ...{ fundingMethod: "reported", fundingPaymentMax: "0", initialMarginMethod: "continuous", tier1: "0 0.1 0.05" },
  ...{ liquidationPolicy: "perplab", liquidationWhole: "100000", closeOut: "0", takeoverDistance: "0" },
} as const;

/** Choice of a high taker fee that divides no number evenly; a drawn gene hardly ever has it. */
export const HIGH_FEE = 0xc40;
/**
 * The greatest value at a `vast` limit, times this rate, is beyond 2^62. A double rounds a product there to a multiple
 * of 1,024, and the fee of many grids to another unit (NUM-2).
 */
const HIGH_FEE_TEXTS = { takerFee: "0.009009", makerFee: "-0.000333" } as const;

/** Choice of a position limit at the whole position of an owner; a drawn gene hardly ever has it. */
export const AT_OWNER = 0xc20;

/** Detail of a plain change after which ten seconds without a block are a gap. */
export const TO_GAPS = CHANGES.findIndex(({ blockGap }) => blockGap === "10000");
/** Parameters of every unit, with texts that are malformed, invalid, or at an edge. */
const ODD_NAMES = [
  ...["takerFee", "minNotional", "maxSize", "positionLimit", "priceBand", "openOrdersMax", "fundingInterval"],
  ...["liquidationFee", "fundingCap", "tier1", "feeTier1", "markClamp", "insuranceCapBlock", "oracleVolatile"],
] as const;
const ODD_TEXTS = [
  ...["1.", ".5", "01", "-0", "-1", "1e3", "0.10", "+1", " 1", "0.5x", "/", ":", "-", "1.5.1", "0x10", "0.:", "0./"],
  ...["0.000001", "0.0000001", "0.00000001", "0.000000001", "0.0000000001", "0", "1", "100", "1000000"],
  ...["9000000000", "9000000000.000001", "9007199254.740993", "90000000", "90071992.54740993", "99999999999999999999"],
  ...["9000000000000000", "9000000000000001", "0 0.1", "0 0.1 0.05 1", "1 0.1 0.05", "0 0.05 0.1", "0 2 1", "0 0 0"],
] as const;
const PAUSES = ["pauseTrade", "pauseLiquidate", "pauseFund", "pauseWithdraw"] as const;
const NO_PAUSE = { pauseTrade: "off", pauseLiquidate: "off", pauseFund: "off", pauseWithdraw: "off" } as const;

/** A change of a market. A market that does not trade is mostly reactivated. */
export function drawUpdate(builder: BlockBuilder, market: MarketRow): Drawn {
  const { choices, state } = builder;
  const way = choices.next();
  const detail = choices.next();
  const { status, pauseTrade, pauseLiquidate, pauseFund, pauseWithdraw } = state.parameters[market]!;
  const update = (texts: Readonly<Record<string, string>>) =>
    draw("updateMarket", {
      market: way >= 0xfc00 ? UNKNOWN_MARKET : getMarketName(builder, market),
      parameters: Object.entries(texts).map(([name, value]) => ({ name, value })),
    });
  if (way === CAPPED) return update({ ...NO_FUND_CAPS, ...FUND_CAP_TEXTS[FUND_CAPS[detail % FUND_CAPS.length]!] });
  if (way === PLAIN) return update({ ...PLAIN_TEXTS, ...writeHighTiers(state.parameters[market]!.tiers.length) });
  if (way === HIGH_FEE) return update(HIGH_FEE_TEXTS);
  if (way === AT_OWNER) return update(limitOwner(builder, market));
  const stopped = status !== MARKET_STATUS.active && status < MARKET_STATUS.settling;
  if (stopped && way % 4 !== 3)
    return update({ status: status === MARKET_STATUS.initializing ? "postOnly" : "active" });
  if (pauseTrade + pauseLiquidate + pauseFund + pauseWithdraw > 0 && way % 4 !== 3) return update(NO_PAUSE);
  if (isStrangled(builder, market) && way % 4 !== 3) return update(getRelief(builder, market));
  switch (way % 16) {
    case STATUS:
      return update({ status: MARKET_STATUSES[detail % 6]! });
    case PAUSE:
      return update({ [PAUSES[detail % 4]!]: "on" });
    case 11: {
      const end = detail % 8 >= MARKET_STATUS.settling;
      const isAny = detail % 32 < 8 && !(end && isLast(builder, market) && way < 0xf000);
      return update({ status: MARKET_STATUSES[isAny ? detail % 8 : 2]! });
    }
    case 15: {
      const tier = drawFeeTier(builder, detail);
      return update(tier === undefined ? CHANGES[detail % CHANGES.length]! : { feeTier1: tier });
    }
    case 13: {
      if ((way >> 4) % 2 === 1) {
        const { parameter, inside, outside } = choices.pick(PARAMETER_EDGES);
        return update({ [parameter]: choices.pick(choices.below(4) === 3 ? outside : inside) });
      }
      const text = ODD_TEXTS[detail % ODD_TEXTS.length]!;
      return update({ [ODD_NAMES[(detail >> 6) % ODD_NAMES.length]!]: text });
    }
    case SOLVED: {
      const solved = readSolved(detail);
      const texts = solveChange(builder, market, solved.way, solved.detail);
      return update(texts ?? CHANGES[detail % CHANGES.length]!);
    }
    default:
      return update(CHANGES[detail % CHANGES.length]!);
  }
}

/** Choice of an update computed from the current state. */
export const SOLVED = 5;
/** Choice of a status: the detail is its index among the first six. */
export const STATUS = 3;
/** Choice of a pause. */
export const PAUSE = 7;
/** Detail of a funding pause. */
export const PAUSE_FUND = PAUSES.indexOf("pauseFund");
/** A fee tier that begins exactly at, or one unit next to, an owner's volume; undefined if no owner has traded. */
function drawFeeTier({ choices, state }: BlockBuilder, detail: number): string | undefined {
  const { volumePast } = state.owners;
  const traded = Array.from({ length: state.owners.rows.high }, (_, row) => volumePast[row as OwnerRow]!);
  const volumes = traded.filter((volume) => volume > 0);
  if (volumes.length === 0) return undefined;
  return `${formatDecimal(near(choices, volumes[detail % volumes.length]!), 6)} 0.0002 0.0001`;
}

/** Tiers above the first, beyond any usual position: a change cannot remove a tier. */
function writeHighTiers(count: number): Readonly<Record<string, string>> {
  const write = (place: number) =>
    `${formatDecimal(150_000_000_000_000 + place, 6)} ${formatDecimal(200_000 + place, 6)} ${formatDecimal(100_000 + place, 6)}`;
  return Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [`tier${at + 2}`, write(at)]));
}

/** True if the least order that a market accepts at its mark exceeds the greatest. */
export function isStrangled({ state }: BlockBuilder, market: MarketRow): boolean {
  const { minLots, maxLots, minNotional, lotSize } = state.parameters[market]!;
  const perLot = (state.markets.mark[market]! * lotSize) / 1e10;
  return perLot > 0 && Math.max(minLots, minNotional / perLot) > maxLots;
}

export function getRelief({ state }: BlockBuilder, market: MarketRow): Readonly<Record<string, string>> {
  return { minNotional: "0", minSize: formatDecimal(state.parameters[market]!.lotSize, 8) };
}

/** True if no other market trades, or if hardly another one can be created. */
export function isLast({ state }: BlockBuilder, market: MarketRow): boolean {
  if (state.marketNames.length >= getMarketsMost(state)) return true;
  return !state.parameters.some(({ status }, row) => row !== market && status === MARKET_STATUS.active);
}
