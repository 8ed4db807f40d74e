import type { Market, ModelState } from "../state.ts";
import type { ModelParameters } from "./parameters.ts";

/** A new market with the next ordinal, empty and without a price. */
export function createMarket(state: ModelState, name: string, parameters: ModelParameters): Market {
  const market: Market = {
    ordinal: state.markets.length,
    name,
    parameters,
    bids: [],
    asks: [],
    last: 0n,
    previousLast: 0n,
    low: 0n,
    high: 0n,
    oracle: 0n,
    confidence: 0n,
    oracleMs: 0,
    candidate: 0n,
    confirmations: 0,
    reports: parameters.sources.map(() => undefined),
    reported: 0n,
    reportedMs: 0,
    index: 0n,
    mark: 0n,
    previousIndex: 0n,
    previousMark: 0n,
    markBefore: 0n,
    basis: 0n,
    restarting: false,
    funding: {
      index: 0n,
      rate: 0n,
      settle: false,
      settledMs: 0,
      sampledMs: 0,
      sum: 0n,
      samples: 0n,
      minuteSum: 0n,
      minuteSamples: 0n,
      due: 0n,
      carry: 0n,
    },
    openInterestRate: 0n,
    fundingPool: 0n,
    dust: 0n,
    intentHigh: 0n,
    intentLow: 0n,
    frozen: false,
    fundedBefore: false,
  };
  state.markets.push(market);
  return market;
}

export function findMarket(state: ModelState, name: string): Market | undefined {
  return state.markets.find((market) => market.name === name);
}
