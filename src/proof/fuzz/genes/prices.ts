/** Moves of world prices, and their oracle reports. */
import { NONE } from "../../../ground/collections/table.ts";
import { PPM } from "../../../ground/math/fixed.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import type { Source } from "../../../protocol/priceSources.ts";
import { FUNDING_METHOD, MARK_METHOD } from "../../../protocol/words.ts";
import { getLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";
import { clampMove } from "../../../venue/engine/prices/clamp.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition } from "../../../venue/engine/state/state.ts";
import type { BlockBuilder, WorldPrice } from "./blockBuilder.ts";
import { type Choices, weigh } from "./choices.ts";
import { keepStorable, near } from "./edges.ts";
import { findPosition, getMarket, UNKNOWN_MARKET } from "./references.ts";

type Update = Payloads["oracleUpdate"];

/** Ways to move a price; the plainest first. */
export const PRICE_WAYS = weigh({
  still: 4,
  step: 20,
  trigger: 8,
  clamp: 4,
  record: 4,
  jump: 2,
  sources: 3,
  volatile: 1,
  floor: 1,
  bad: 1,
  plain: 1,
  rate: 1,
});
const JUMPS = [20_000, -20_000, 50_000, -50_000, -150_000, 200_000, -400_000, 600_000, -900_000] as const;
const RATES = [0, 1_000, -1_000, 100_000, -100_000, 1_000_000, -1_000_000, 20_000_000, -20_000_000] as const;
/** World prices stay within this multiple of their first price, and its inverse. */
const FAR = 1_000;
/** Below this fraction of its first price, a world price rises instead of falling. */
const LOW = 30;

/** Moves the world price of a market and reports it. */
export function drawPrice(builder: BlockBuilder, account: AccountRow): Update {
  const { choices, state } = builder;
  const path = getPath(builder);
  const row = state.marketRows.get(path.market.name);
  const way = choices.pick(PRICE_WAYS);
  if (row === undefined) return report(path, [], {});
  const rules = state.parameters[row]!;
  switch (way) {
    case "still":
      break;
    case "step":
      stepPrice(builder, path, row, choices);
      break;
    case "trigger":
      setPrice(path, getTriggerPrice(builder, account, row, choices));
      break;
    case "clamp": {
      const from = state.markets.index[row]! || path.price;
      const edge = clampMove(from, choices.below(2) === 0 ? 0 : rules.priceMost, rules.markClamp);
      setPrice(path, near(choices, edge));
      break;
    }
    case "jump":
      movePpm(path, choices.pick(JUMPS));
      break;
    case "volatile": {
      const last = state.markets.oracle[row]! || path.price;
      const ratio = rules.oracleVolatile || 1_050_000;
      const edge = choices.below(2) === 0 ? (last / PPM) * ratio : (last / ratio) * PPM;
      setPrice(path, near(choices, Math.floor(edge)));
      break;
    }
    case "bad":
      return reportBad(path, rules, choices);
    case "floor":
      setPrice(path, near(choices, choices.pick([rules.tickSize, 1, 2 * rules.tickSize])));
      break;
    case "plain":
      // Report without sources, even if the market has some.
      return report(path, [], {});
    case "rate":
      return reportRate(builder, path, choices);
    case "record":
      return reportRecord(path, rules, choices);
    case "sources":
      return report(path, drawReports(builder, choices, rules.sources, path.price), {});
  }
  return reportPrice(builder, path);
}

/**
 * Market of the price: selected as for orders of the gene, so that the price moves where orders go; otherwise any
 * market.
 */
function getPath(builder: BlockBuilder): WorldPrice {
  const { prices, state } = builder;
  const plain = prices[builder.market % prices.length]!;
  if (builder.market % 8 > 3) return plain;
  const name = state.marketNames[getMarket(builder, NONE as AccountRow)];
  return prices.find((path) => path.market.name === name) ?? plain;
}

/** Reports the world price by all sources of a market. */
export function reportPrice(builder: BlockBuilder, path: WorldPrice): Update {
  const row = builder.state.marketRows.get(path.market.name);
  const sources = row === undefined ? [] : builder.state.parameters[row]!.sources;
  const reports = sources.map(({ name }) => ({ source: name, price: path.price, confidence: 0, time: 0 }));
  return report(
    path,
    reports,
    row !== undefined && builder.state.parameters[row]!.markMethod === MARK_METHOD.reported ? { mark: path.price } : {},
  );
}

function report(
  { market, price }: WorldPrice,
  sources: readonly object[],
  more: Partial<Record<keyof Update, unknown>>,
): Update {
  const plain = sources.length === 0 ? price : 0;
  return {
    market: market.name,
    price: plain,
    sources,
    mark: 0,
    fundingRate: 0,
    settleFunding: false,
    ...more,
  } as unknown as Update;
}

/**
 * Moves the world price one step by its process. Most steps stay within what the index may follow at once, so that
 * trading continues.
 */
export function stepPrice(builder: BlockBuilder, path: WorldPrice, market: MarketRow, choices: Choices): void {
  const { volatility, process, start } = path.market;
  const roll = choices.next();
  const ppm = (roll % (2 * volatility + 1)) - volatility;
  switch (process) {
    case "calm":
      movePpm(path, ppm);
      break;
    case "jumps":
      movePpm(path, roll < 0xf000 ? ppm : JUMPS[roll % JUMPS.length]!);
      if (roll >= 0xf000) return;
      break;
    case "crash":
      // Mostly down, with occasional rallies.
      movePpm(path, roll < 0x2000 ? 2 * volatility : -Math.abs(ppm) - volatility);
      break;
    case "floor":
      if (path.price < start / 50) movePpm(path, roll % 32 === 31 ? 50_000 : -50_000);
      else setPrice(path, roll % 32 === 31 ? 1 + ((roll >> 5) % 3) : path.price - Math.ceil(path.price / 20));
      break;
    case "haunts":
      setPrice(path, getTriggerPrice(builder, NONE as AccountRow, market, choices));
  }
  const index = builder.state.markets.index[market]!;
  const { markClamp, markMethod } = builder.state.parameters[market]!;
  if (index === 0 || markMethod === MARK_METHOD.reported || roll % 8 === 7) return;
  setPrice(path, clampMove(index, path.price, markClamp));
}

/**
 * The liquidation price of a position, or one unit next to it, as close as one block's clamp allows. The current world
 * price if there is no position.
 */
function getTriggerPrice(builder: BlockBuilder, account: AccountRow, market: MarketRow, choices: Choices): number {
  const { state } = builder;
  const from = choices.next();
  const own = account === NONE || from % 2 === 1 ? NONE : getPosition(state, account, market);
  const open = own !== NONE && state.positions.signedLots[own as never] !== 0;
  const position = open ? own : findPosition(state, from >> 1, (row) => state.positions.market[row] === market);
  const aim = position === NONE ? undefined : getLiquidationPrice(state, position as never);
  const now = builder.prices.find((path) => path.market.name === state.marketNames[market])!.price;
  if (aim === undefined) return now;
  const { markClamp, markMethod } = state.parameters[market]!;
  const index = state.markets.index[market]!;
  const price = near(choices, aim);
  return markMethod === MARK_METHOD.reported || index === 0 || from % 16 === 15
    ? price
    : clampMove(index, price, markClamp);
}

/** A report unrelated to the world price. */
function reportBad(path: WorldPrice, rules: MarketParameters, choices: Choices): Update {
  const price = choices.pick([
    1,
    0,
    rules.priceMost,
    rules.priceMost + 1,
    9e15,
    2 ** choices.below(53),
    rules.tickSize,
  ]);
  const settles = choices.chance(1, 4);
  const mark = choices.pick([0, 0, 0, rules.priceMost, rules.priceMost + 1, 1, 9e15]);
  const name = choices.below(6) === 5 ? UNKNOWN_MARKET : path.market.name;
  return report({ ...path, price: 0 }, [], {
    market: name,
    price: keepStorable(price),
    mark: keepStorable(mark),
    fundingRate: settles ? 9e15 : 0,
    settleFunding: settles,
  });
}

/** A funding rate without a price, for a market without a price if there is one. */
function reportRate({ state }: BlockBuilder, path: WorldPrice, choices: Choices): Update {
  const { index, oracle, reported } = state.markets;
  const isUnpriced = (row: MarketRow) => index[row] === 0 && oracle[row] === 0 && reported[row] === 0;
  const unpriced = state.marketNames.find((_, row) => isUnpriced(row as MarketRow));
  return report({ ...path, price: 0 }, [], {
    market: unpriced ?? path.market.name,
    fundingRate: choices.pick(RATES),
    settleFunding: choices.below(8) !== 7,
  });
}

/** A report as in recorded data: a mark, a funding rate, or both. */
function reportRecord(path: WorldPrice, rules: MarketParameters, choices: Choices): Update {
  const what = choices.next();
  const off = ((what >> 4) % 8_001) - 4_000;
  // Occasionally a mark that the market computes itself, or a rate without settlement.
  const odd = what >> 13 === 7;
  const takesMark = rules.markMethod === MARK_METHOD.median || rules.markMethod === MARK_METHOD.reported;
  const settles = rules.fundingMethod === FUNDING_METHOD.reported && (what >> 2) % 2 === 0;
  const mark = Math.max(1, path.price + Math.floor((path.price / PPM) * off));
  return report(
    path,
    rules.sources.map(({ name }) => ({ source: name, price: path.price, confidence: 0, time: 0 })),
    {
      ...(rules.sources.length === 0 && what % 4 === 3 ? { price: 0 } : {}),
      mark: what % 2 === 0 && (takesMark || odd) ? mark : 0,
      fundingRate: settles || odd ? RATES[(what >> 3) % RATES.length] : 0,
      settleFunding: settles || (odd && (what >> 2) % 2 === 0),
    },
  );
}

/**
 * Reports of some sources of a market: close or apart, certain or not, fresh, old, from the future, faulty or unknown.
 */
function drawReports(builder: BlockBuilder, choices: Choices, sources: readonly Source[], price: number): object[] {
  const { timeMs, parameters } = builder.state;
  const { oracleStale } = parameters[0]!;
  const wrong = choices.below(12) === 11;
  const reports = sources
    .filter(() => choices.below(4) !== 3)
    .map(({ name }) => {
      const roll = choices.next();
      const off = (roll % 6_001) - 3_000;
      return {
        source: wrong ? "unknown" : name,
        price: roll >= 0xff00 ? 0 : Math.max(1, price + Math.floor((price / PPM) * off)),
        confidence: [0, 0, 0, Math.floor(price / 1000), Math.floor(price / 50), Math.floor(price / 10)][roll % 6]!,
        time: Math.max(
          0,
          [0, 0, timeMs, timeMs - oracleStale, timeMs - oracleStale - 1, timeMs + 1e9][(roll >> 4) % 6]!,
        ),
      };
    });
  if (sources.length === 0 && wrong) return [{ source: "a", price, confidence: 0, time: 0 }];
  return reports;
}

/** A move in ppm. A price that has fallen far enough rises by the same amount instead. */
function movePpm(path: WorldPrice, ppm: number): void {
  const { price, market } = path;
  const rises = ppm < 0 && price < market.start / LOW;
  setPrice(path, rises ? Math.ceil((price / (PPM + ppm)) * PPM) : price + Math.floor((price / PPM) * ppm));
}

function setPrice(path: WorldPrice, price: number): void {
  const { start } = path.market;
  path.price = Math.min(Math.max(Math.floor(price), 1), start * FAR);
}
