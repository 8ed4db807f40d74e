/** Markets, prices and books from the tables and from the texts of definitions. */

import { readDefinition } from "../../../src/protocol/readParameters.ts";
import { VALIDITIES } from "../../../src/protocol/validity.ts";
import { getPredictedRate } from "../../../src/venue/engine/funding/predictedRate.ts";
import { FLAG_SELL, type MarketRow, type OrderRow } from "../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { amountText, floorOf, numberOf, priceText, rateText, textOf } from "./plain.ts";

export const textsOf = (state: State, market: number) => readDefinition(state.parameters[market]!.definition);

/** Lots as units of base. */
export function sizeText(state: State, market: number, lots: bigint | number): string {
  return textOf(BigInt(lots) * numberOf(textsOf(state, market)["lotSize"]!, 8), 8);
}

export function ticksText(state: State, market: number, ticks: number): string {
  return priceText(BigInt(ticks) * numberOf(textsOf(state, market)["tickSize"]!, 8));
}

export function twinOfMarket(state: State, market: number) {
  const given = textsOf(state, market) as Readonly<Record<string, string>>;
  const rate = (name: string) => textOf(numberOf(given[name]!, 6), 6);
  const fine = (name: string) => rateText(numberOf(given[name]!, 9));
  const size = (name: string) => textOf(numberOf(given[name]!, 8), 8);
  const isOn = (name: string) => given[name] === "on";
  const tiers = Object.keys(given)
    .filter((name) => /^tier\d+$/.test(name) && given[name] !== "")
    .sort((a, b) => Number(a.slice(4)) - Number(b.slice(4)))
    .map((name) => given[name]!.split(" ") as [string, string, string]);
  const feeTiers = Object.keys(given)
    .filter((name) => /^feeTier\d+$/.test(name) && given[name] !== "")
    .sort((a, b) => Number(a.slice(7)) - Number(b.slice(7)))
    .map((name) => given[name]!.split(" ") as [string, string, string]);
  const rateOf = (text: string) => textOf(numberOf(text, 6), 6);
  const amountOf = (text: string) => amountText(numberOf(text, 6));
  const decimalsOf = (name: string) => size(name).split(".")[1]?.length ?? 0;
  return {
    market: state.marketNames[market]!,
    status: given["status"],
    paused: {
      trade: isOn("pauseTrade"),
      liquidate: isOn("pauseLiquidate"),
      fund: isOn("pauseFund"),
      withdraw: isOn("pauseWithdraw"),
    },
    tickSize: size("tickSize"),
    lotSize: size("lotSize"),
    minSize: size("minSize"),
    maxSize: size("maxSize"),
    minNotional: amountOf(given["minNotional"]!),
    positionLimit: size("positionLimit"),
    openInterest: openInterestOf(state, market),
    openInterestLimit: size("openInterestLimit"),
    openOrdersMost: Number(given["openOrdersMax"]),
    priceBand: rate("priceBand"),
    slippageMost: rate("slippageMax"),
    leverageMost: Math.floor(1e6 / Number(numberOf(tiers[0]![1], 6))),
    fees: {
      taker: rate("takerFee"),
      maker: rate("makerFee"),
      tiers: feeTiers.map(([volume, taker, maker]) => ({
        volume: amountOf(volume),
        taker: rateOf(taker),
        maker: rateOf(maker),
      })),
    },
    marginTiers: tiers.map(([from, initial, maintenance]) => ({
      from: amountOf(from),
      initialRate: rateOf(initial),
      maintenanceRate: rateOf(maintenance),
      leverageMost: textOf(floorOf(100_000_000n, numberOf(initial, 6)), 2),
    })),
    funding: {
      method: given["fundingMethod"],
      intervalMs: Number(given["fundingInterval"]),
      interest: fine("fundingInterest"),
      cap: fine("fundingCap"),
      paymentMost: fine("fundingPaymentMax"),
    },
    oracle: {
      sources: (given["sources"] ?? "")
        .split(" ")
        .filter((text) => text !== "")
        .map((text) => ({ name: text.split(":")[0], weight: Number(text.split(":")[1] ?? 1) })),
      minSources: Number(given["minSources"]),
      staleMs: Number(given["oracleStale"]),
    },
    mark: { method: given["markMethod"], clamp: rate("markClamp"), band: rate("markBand") },
    liquidation: { policy: given["liquidationPolicy"], fee: rate("liquidationFee") },
    priceDecimals: decimalsOf("tickSize"),
    sizeDecimals: decimalsOf("lotSize"),
    parameters: { ...given },
  };
}

/** What is long, which is what is short. */
function openInterestOf(state: State, market: number): string {
  const { positions } = state;
  let lots = 0n;
  for (let row = 0; row < positions.rows.high; row++) {
    if (!positions.rows.isLive(row) || positions.market[row as never] !== market) continue;
    const size = positions.signedLots[row as never]! as number;
    if (size > 0) lots += BigInt(size);
  }
  return sizeText(state, market, lots);
}

/** Levels of a side from the best on, by going through all orders. */
export function twinOfSide(state: State, market: number, side: "bids" | "asks"): [string, string, number][] {
  const { orders, positions } = state;
  const levels = new Map<number, { lots: bigint; count: number }>();
  for (let at = 0; at < orders.rows.high; at++) {
    const row = at as OrderRow;
    if (!orders.rows.isLive(row) || positions.market[orders.position[row]!] !== market) continue;
    if (((orders.flags[row]! & FLAG_SELL) !== 0) !== (side === "asks")) continue;
    const level = levels.get(orders.price[row]!) ?? { lots: 0n, count: 0 };
    levels.set(orders.price[row]!, {
      lots: level.lots + BigInt(orders.remaining[row]!),
      count: level.count + 1,
    });
  }
  const sorted = [...levels].sort(([a], [b]) => (side === "bids" ? b - a : a - b));
  return sorted.map(([ticks, { lots, count }]) => [
    ticksText(state, market, ticks),
    sizeText(state, market, lots),
    count,
  ]);
}

export function twinOfPrices(state: State, market: number) {
  const { markets } = state;
  const row = market as MarketRow;
  const given = textsOf(state, market);
  const price = (value: number) => (value === 0 ? null : priceText(value));
  const [bid] = twinOfSide(state, market, "bids");
  const [ask] = twinOfSide(state, market, "asks");
  const oracle = markets.oracle[row]! as number;
  const isPriced = (markets.index[row]! as number) !== 0;
  const high = markets.bandHigh[row]! as number;
  const interval = Number(given["fundingInterval"]);
  const hasInterval = given["fundingMethod"] !== "reported" && given["fundingMethod"] !== "continuous";
  return {
    market: state.marketNames[market]!,
    mark: { value: price(markets.mark[row]!), usedForPnl: true },
    index: { value: price(markets.index[row]!) },
    oracle: {
      value: price(oracle),
      confidence: oracle === 0 ? null : priceText(markets.oracleConfidence[row]!),
      timeMs: oracle === 0 ? null : markets.oracleTime[row]!,
      validity: VALIDITIES[markets.validity[row]!]!,
      stale: VALIDITIES[markets.validity[row]!]! === "stale",
      restarting: markets.restarting[row]! === 1,
    },
    reported: { value: price(markets.reported[row]!) },
    last: (markets.last[row]! as number) === 0 ? null : ticksText(state, market, markets.last[row]!),
    bestBid: bid?.[0] ?? null,
    bestAsk: ask?.[0] ?? null,
    mid:
      bid === undefined || ask === undefined ? null : priceText(floorOf(numberOf(bid[0], 8) + numberOf(ask[0], 8), 2n)),
    bandLow: isPriced ? priceText(markets.bandLow[row]!) : null,
    bandHigh: isPriced && Number.isSafeInteger(high) ? priceText(high) : null,
    fundingRate: rateText(markets.fundingRate[row]!),
    predictedFundingRate: rateText(getPredictedRate(state, row)),
    nextFundingMs: hasInterval ? state.timeMs - (state.timeMs % interval) + interval : null,
    openInterest: openInterestOf(state, market),
  };
}
