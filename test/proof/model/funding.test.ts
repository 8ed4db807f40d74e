import { expect, test } from "vitest";
import { createModel } from "../../../src/proof/model/createModel.ts";
import { computePremium } from "../../../src/proof/model/funding/premium.ts";
import { computeIntervalRate, computePeriodRate } from "../../../src/proof/model/funding/rate.ts";
import { computeMeanPremium, endMinute, takeSample } from "../../../src/proof/model/funding/sample.ts";
import { computeOwed } from "../../../src/proof/model/funding/settle.ts";
import { changeFunding, sampleAndSettleFunding } from "../../../src/proof/model/funding/stepFunding.ts";
import { createMarket } from "../../../src/proof/model/market/createMarket.ts";
import { readParameters } from "../../../src/proof/model/market/parameters.ts";
import type { Market, Order } from "../../../src/proof/model/state.ts";
import { createGenesis } from "../../../src/protocol/genesis.ts";
import type { ParameterTexts } from "../../../src/protocol/parameters.ts";

const usd = (value: number) => BigInt(Math.round(value * 1e8));
const ppb = (value: number) => BigInt(Math.round(value * 1e9));

function marketWith(texts: ParameterTexts = {}): Market {
  const parameters = readParameters("linear", texts);
  if (parameters === undefined) throw new Error("refused");
  return createMarket(createModel(createGenesis()).state, "TEST", parameters);
}

const account = { positions: new Map() };
const order = (price: number, lots: number) => ({ account, price: BigInt(price), remaining: BigInt(lots) }) as Order;

// The worked examples of docs/spec/funding.md.
test.each([
  { index: 90, bids: [[99, 90_000]], asks: [[101, 90_000]], premium: 0.1 },
  { index: 100, bids: [[99, 90_000]], asks: [[101, 90_000]], premium: 0 },
  { index: 90, bids: [[99, 10_000]], asks: [], premium: 0 },
] as const)("the premium at $index of $bids and $asks is $premium", ({ index, bids, asks, premium }) => {
  const market = marketWith({ impactNotional: "280" });
  Object.assign(market, {
    index: usd(index),
    bids: bids.map(([price, lots]) => order(price, lots)),
    asks: asks.map(([price, lots]) => order(price, lots)),
  });
  expect(computePremium(market)).toBe(ppb(premium));
});

/** The payment of an interval with these premiums, one sample every `stepMs`; a tick is 0.0001 of the index. */
function rateOf(texts: ParameterTexts, premiums: readonly number[], stepMs = 60_000): bigint {
  const market = marketWith({ tickSize: "0.01", impactNotional: "0.000001", ...texts });
  market.index = usd(100);
  for (const [place, premium] of premiums.entries()) {
    market.bids = [order(Math.round(10_000 * (1 + premium)), 1)];
    takeSample(market, 1_700_000_040_000 + place * stepMs);
  }
  endMinute(market);
  const mean = computeMeanPremium(market, market.parameters, market.parameters.fundingInterval);
  if (mean === undefined) throw new Error("no samples");
  const period = computePeriodRate(market.parameters, mean);
  return computeIntervalRate(market.parameters, period, BigInt(market.parameters.fundingInterval), 0n).rate;
}

test.each([
  { texts: {}, premiums: [0], rate: 0.0000125 },
  { texts: {}, premiums: [0.001, 0.0012], rate: 0.000075 },
  { texts: {}, premiums: [5], rate: 0.009375 },
  { texts: { fundingMethod: "dydx" }, premiums: Array<number>(30).fill(0.01), rate: 0.0006375 },
  {
    texts: { fundingMethod: "binance8h", fundingInterval: "28800000" },
    premiums: [0.001, 0.004],
    rate: 0.0025,
  },
  { texts: { fundingMethod: "binance8h", fundingInterval: "28800000" }, premiums: [0.5], rate: 0.009375 },
])("the rate of $texts with premiums $premiums is $rate", ({ texts, premiums, rate }) => {
  expect(rateOf(texts as ParameterTexts, premiums)).toBe(ppb(rate));
});

test("continuous funding moves half way to a sample after its time constant", () => {
  const texts = { fundingMethod: "continuous", fundingTau: "5000" };
  expect(rateOf(texts, [0.01, 0], 5_000)).toBe(ppb(0.0005625));
});

// The worked example of FND-2: the first price is reported at 0:55, at 0:58 or at 1:00; samples of 0.
test.each([
  { firstPrice: 55, blocks: [55, 58, 60, 120], paid: [0, 0, 1_041, 12_500], carry: 19_200_000n },
  { firstPrice: 58, blocks: [55, 58, 60, 120], paid: [0, 0, 416, 12_500], carry: 19_200_000n },
  { firstPrice: 60, blocks: [60, 120], paid: [0, 12_500], carry: 0n },
])("the first interval of a market starts at its first price, at minute $firstPrice", (example) => {
  const { state } = createModel(createGenesis());
  const parameters = readParameters("linear", { fundingMethod: "hyperliquid" });
  if (parameters === undefined) throw new Error("refused");
  const market = createMarket(state, "TEST", parameters);
  const paid = example.blocks.map((minute) => {
    state.timeMs = 1_700_002_800_000 + minute * 60_000;
    if (minute >= example.firstPrice) {
      Object.assign(market, { index: usd(1000), mark: usd(1000), oracle: usd(1000), oracleMs: state.timeMs });
    }
    const before = market.funding.index;
    sampleAndSettleFunding(state);
    return Number(((market.funding.index - before) * 10_000_000_000n) / (usd(1000) * parameters.lotSize));
  });
  expect(paid).toEqual(example.paid);
  expect(market.funding.carry).toBe(example.carry);
});

test("before its clock runs a market has no interval to end or to start", () => {
  const market = marketWith();
  const before = market.parameters;
  market.parameters = { ...before, pauseFund: "on" };
  changeFunding(market, before, 1_000);
  const paused = market.parameters;
  market.parameters = before;
  changeFunding(market, paused, 2_000);
  expect(market.funding).toMatchObject({ settledMs: 0, sampledMs: 0, samples: 0n, due: 0n });
});

test("a payment rounds up and the remainder is carried", () => {
  const market = marketWith();
  market.funding.index = 300n; // 3e-13 USD a lot
  const position = { market, signedLots: 1n, fundingIndex: 0n, fundingRemainder: 0n } as Parameters<
    typeof computeOwed
  >[0];
  const first = computeOwed(position);
  expect(first).toEqual({ payment: 1n, remainder: 999_999_700n });
  market.funding.index = 600n;
  const second = computeOwed({ ...position, fundingIndex: 300n, fundingRemainder: first.remainder });
  expect(second.payment).toBe(0n);
});
