import { marketParameters } from "../../../protocol/parameters.ts";
import { readDefinition } from "../../../protocol/readParameters.ts";
import { VALIDITIES } from "../../../protocol/validity.ts";
import { MARKET_STATUSES } from "../../../protocol/words.ts";
import { getPool } from "../../../venue/engine/funding/pool.ts";
import { getPredictedRate } from "../../../venue/engine/funding/predictedRate.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { MARKET_NAME } from "../compile/marketNames.ts";
import { entriesOf } from "../parse/cell.ts";
import { either, flag, type Key, key, map, mapOf, text, word } from "../shape/shape.ts";
import { compareValues, differs, numberShape } from "./compare.ts";
import { defineExpectation, type Moment } from "./expectation.ts";
import { lotsText, priceText, rateText, ticksText, usd } from "./units.ts";

const PRICE_DOCS: Readonly<Record<string, string>> = {
  oracle: "Last raw oracle price.",
  index: "Index.",
  mark: "Mark.",
  last: "Last traded price.",
  reported: "Last reported mark.",
};

/** Of the oracle's price: words and flags. */
const TRUST_SHAPES: Readonly<Record<string, Key>> = {
  validity: key(word(VALIDITIES), "How far the price may be trusted (PRC-1)."),
  restarting: key(flag, "Whether the market waits for a fresh price after a halt of the chain (PRC-4)."),
};

const anyValue = either(numberShape, text());
const keysOf = (docs: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(docs).map(([name, doc]) => [name, key(anyValue, doc)]));

export const prices = defineExpectation({
  shape: mapOf(
    "market names",
    MARKET_NAME,
    either(numberShape, map({ ...keysOf(PRICE_DOCS), ...TRUST_SHAPES })),
    "The mark, or prices by name.",
  ),
  doc: "Prices of markets: the mark as text, or oracle, index, mark, last, reported, with validity and restarting.",
  check(moment, cell) {
    for (const { key: name, value } of entriesOf(cell)) {
      const market = rowOf(moment, name, value.place);
      if (market === undefined) continue;
      const { state } = moment;
      const { markets: rows } = state;
      const isNamed =
        value.kind === "map" &&
        value.entries.some(({ key }) => Object.hasOwn(PRICE_DOCS, key) || Object.hasOwn(TRUST_SHAPES, key));
      if (isNamed) {
        compareValues(moment, name, value, {
          oracle: () => priceText(rows.oracle[market]!),
          index: () => priceText(rows.index[market]!),
          mark: () => priceText(rows.mark[market]!),
          last: () => ticksText(state, market, rows.last[market]!),
          reported: () => priceText(rows.reported[market]!),
          validity: () => VALIDITIES[rows.validity[market]!]!,
          restarting: () => String(rows.restarting[market] === 1),
        });
        continue;
      }
      const observed = priceText(rows.mark[market]!);
      const expected = differs(moment, value, observed);
      if (expected !== undefined) moment.fail({ place: value.place, what: `mark of ${name}`, expected, observed });
    }
  },
});

const MARKET_DOCS: Readonly<Record<string, string>> = {
  status: "Status of the market.",
  openInterest: "Sum of longs, in base units.",
  fundingRate: "Rate of the last settlement.",
  predictedFundingRate: "Rate that the running interval pays if later samples are as those so far (FND-3).",
  fundingDue: "Rate beyond the largest single payment, still due.",
  premiumSamples: "Premium samples of the running interval.",
  pool: "Funding pool, in USD.",
  dust: "Dust account, in USD.",
};

export const markets = defineExpectation({
  shape: mapOf(
    "market names",
    MARKET_NAME,
    map(
      {
        ...keysOf(Object.fromEntries(Object.entries(marketParameters).map(([name, { doc }]) => [name, doc]))),
        ...keysOf(MARKET_DOCS),
      },
      { pattern: /^(tier|feeTier)[1-9][0-9]?$/, called: "tier1, tier2, …", shape: text(), doc: "A tier." },
    ),
    "A market.",
  ),
  doc: "Values and parameters of markets; only those that are named.",
  check(moment, cell) {
    for (const { key: name, value } of entriesOf(cell)) {
      const market = rowOf(moment, name, value.place);
      if (market === undefined) continue;
      compareValues(moment, name, value, observeMarket(moment.state, market));
    }
  },
});

function observeMarket(state: State, market: MarketRow): Readonly<Record<string, () => string>> {
  const { markets: rows } = state;
  const parameters = readDefinition(state.parameters[market]!.definition);
  const texts = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, () => value]));
  return {
    ...texts,
    status: () => MARKET_STATUSES[state.parameters[market]!.status]!,
    openInterest: () => lotsText(state, market, rows.openInterest[market]!),
    fundingRate: () => rateText(rows.fundingRate[market]!),
    predictedFundingRate: () => rateText(getPredictedRate(state, market)),
    fundingDue: () => rateText(rows.fundingDue[market]!),
    premiumSamples: () => String(rows.premiumSamples[market]!),
    pool: () => usd(getPool(state, market)),
    dust: () => usd(rows.dust[market]!),
  };
}

function rowOf(
  { state, fail }: Moment,
  name: string,
  place: Parameters<Moment["fail"]>[0]["place"],
): MarketRow | undefined {
  const market = state.marketRows.get(name);
  if (market === undefined) fail({ place, what: name, expected: "a market", observed: "none" });
  return market;
}

const VENUE_DOCS: Readonly<Record<string, string>> = {
  insurance: "The insurance fund.",
  fees: "Fees collected, less rebates.",
  badDebt: "Bad debt on the books.",
  inflows: "Sum of all inflows.",
  withdrawals: "Sum of all outflows.",
};

export const venue = defineExpectation({
  shape: map({
    ...keysOf(VENUE_DOCS),
    height: key(numberShape, "Height of the chain."),
    timeMs: key(numberShape, "Time of the block."),
    withdrawalsPausedUntil: key(
      numberShape,
      "Last height at which withdrawals are paused after a deficit; 0 before any.",
    ),
  }),
  doc: "Totals of the venue, in USD.",
  check(moment, cell) {
    const { state } = moment;
    const totals = Object.entries(TOTAL).map(([name, place]) => [name, () => usd(state.totals.get(place))] as const);
    compareValues(moment, "venue", cell, {
      ...Object.fromEntries(totals),
      height: () => String(state.height),
      timeMs: () => String(state.timeMs),
      withdrawalsPausedUntil: () => String(state.outflow.pausedUntil),
    });
  },
});

export const insurance = defineExpectation({
  shape: numberShape,
  doc: "The insurance fund, in USD.",
  check(moment, cell) {
    const observed = usd(moment.state.totals.get(TOTAL.insurance));
    const expected = differs(moment, cell, observed);
    if (expected !== undefined) moment.fail({ place: cell.place, what: "insurance", expected, observed });
  },
});
