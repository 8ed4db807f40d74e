/** A synthetic market as rows of Binance Vision files. Every function returns lines without their ends. */
import { formatDecimal } from "../../ground/math/decimal.ts";
import { divFloor } from "../../ground/math/fixed.ts";
import type { Random } from "../../ground/math/random.ts";
import { MINUTE_MS, type Minute } from "./marketPath.ts";

export const KLINES_HEADER =
  "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore";
export const AGG_TRADES_HEADER =
  "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker";
export const FUNDING_HEADER = "calc_time,funding_interval_hours,last_funding_rate";
export const BOOK_HEADER = [
  "exchange,symbol,timestamp,local_timestamp",
  ...Array.from(
    { length: 5 },
    (_, level) => `asks[${level}].price,asks[${level}].amount,bids[${level}].price,bids[${level}].amount`,
  ),
].join(",");

const price = (ticks: number): string => formatDecimal(ticks, 1);
const lots = (count: number): string => formatDecimal(count, 3);
/** Ticks times lots are 1e-4 USD. */
const value = (ticksLots: number): string => formatDecimal(ticksLots, 4);
/** Reference prices are written to the cent. */
const reference = (e4: number): string => formatDecimal(divFloor(e4, 100), 2);

/** Groups minutes into bars of `length` minutes. */
function* group(minutes: Iterable<Minute>, length: number): Generator<Minute[]> {
  let bar: Minute[] = [];
  for (const minute of minutes) {
    bar.push(minute);
    if (bar.length < length) continue;
    yield bar;
    bar = [];
  }
}

const max = (bar: readonly Minute[], of: (minute: Minute) => number): number =>
  bar.reduce((most, minute) => Math.max(most, of(minute)), of(bar[0]!));
const min = (bar: readonly Minute[], of: (minute: Minute) => number): number =>
  bar.reduce((least, minute) => Math.min(least, of(minute)), of(bar[0]!));
const sum = (bar: readonly Minute[], of: (minute: Minute) => number): number =>
  bar.reduce((total, minute) => total + of(minute), 0);
const middle = ({ open, close }: Minute): number => divFloor(open + close, 2);

/** Klines of trades. */
export function* formatKlines(minutes: Iterable<Minute>, length: number): Generator<string> {
  yield KLINES_HEADER;
  for (const bar of group(minutes, length)) {
    const first = bar[0]!;
    yield [
      first.timeMs,
      price(first.open),
      price(max(bar, ({ high }) => high)),
      price(min(bar, ({ low }) => low)),
      price(bar.at(-1)!.close),
      lots(sum(bar, ({ buyLots, sellLots }) => buyLots + sellLots)),
      first.timeMs + length * MINUTE_MS - 1,
      value(sum(bar, (minute) => (minute.buyLots + minute.sellLots) * middle(minute))),
      sum(bar, ({ buys, sells }) => buys + sells),
      lots(sum(bar, ({ buyLots }) => buyLots)),
      value(sum(bar, (minute) => minute.buyLots * middle(minute))),
      0,
    ].join(",");
  }
}

/** Klines of the mark price: no volume, and the number of samples as count. */
export function* formatMarkKlines(minutes: Iterable<Minute>, length: number): Generator<string> {
  yield KLINES_HEADER;
  const mark = ({ markE4 }: Minute): number => markE4;
  for (const bar of group(minutes, length)) {
    const first = bar[0]!;
    const [open, high, low, close] = [mark(first), max(bar, mark), min(bar, mark), mark(bar.at(-1)!)].map(reference);
    yield [first.timeMs, open, high, low, close, 0, first.timeMs + length * MINUTE_MS - 1, 0, length, 0, 0, 0].join(
      ",",
    );
  }
}

const FUNDING_MINUTES = 480;
const INTEREST_PPM = 100;
const CLAMP_PPM = 500;

/** Settled funding every eight hours: mean premium, pulled toward the interest rate by at most 0.05 %. */
export function* formatFunding(minutes: Iterable<Minute>): Generator<string> {
  yield FUNDING_HEADER;
  for (const period of group(minutes, FUNDING_MINUTES)) {
    const mean = divFloor(
      sum(period, ({ premiumPpm }) => premiumPpm),
      FUNDING_MINUTES,
    );
    const pull = Math.min(CLAMP_PPM, Math.max(-CLAMP_PPM, INTEREST_PPM - mean));
    const settled = period[0]!.timeMs + FUNDING_MINUTES * MINUTE_MS;
    yield `${settled},8,${formatDecimal(mean + pull, 6)}`;
  }
}

/**
 * The trades of each minute. The first is at its open, the last at its close, one at its high and one at its low. Buys
 * and sells have exactly the minute's volumes: klines rebuilt from the trades equal the klines.
 */
export function* formatAggTrades(random: Random, minutes: Iterable<Minute>): Generator<string> {
  yield AGG_TRADES_HEADER;
  let id = 1;
  let tradeId = 1;
  for (const minute of minutes) {
    const count = minute.buys + minute.sells;
    const prices = walkPrices(random, minute, count);
    const times = Array.from({ length: count }, () => random.below(MINUTE_MS)).sort((a, b) => a - b);
    const buyParts = split(random, minute.buyLots, minute.buys);
    const sellParts = split(random, minute.sellLots, minute.sells);
    for (let trade = 0; trade < count; trade++) {
      const isBuy = random.below(buyParts.length + sellParts.length) < buyParts.length;
      const size = (isBuy ? buyParts : sellParts).pop()!;
      const fills = random.chance(1, 4) ? 2 : 1;
      const [first, last] = [tradeId, tradeId + fills - 1];
      yield `${id},${price(prices[trade]!)},${lots(size)},${first},${last},${minute.timeMs + times[trade]!},${!isBuy}`;
      id++;
      tradeId += fills;
    }
  }
}

/** Prices from open to close through high and low, in the order that the minute's direction suggests. */
function walkPrices(random: Random, { open, high, low, close }: Minute, count: number): number[] {
  const turns = close >= open ? [open, low, high, close] : [open, high, low, close];
  const prices: number[] = [];
  for (let trade = 0; trade < count; trade++) {
    const leg = Math.min(2, divFloor(trade * 3, count - 1));
    const legStart = Math.ceil((leg * (count - 1)) / 3);
    const legEnd = Math.ceil(((leg + 1) * (count - 1)) / 3);
    const from = turns[leg]!;
    const to = turns[leg + 1]!;
    const straight = from + divFloor((to - from) * (trade - legStart), Math.max(1, legEnd - legStart));
    const isTurn = trade === legStart || trade === count - 1;
    const noise = isTurn ? 0 : random.below(5) - 2;
    prices.push(Math.min(high, Math.max(low, straight + noise)));
  }
  prices[count - 1] = close;
  return prices;
}

/** Splits a total into parts of at least one. */
function split(random: Random, total: number, parts: number): number[] {
  const cuts = Array.from({ length: parts - 1 }, () => random.below(total - parts + 1)).sort((a, b) => a - b);
  const sizes: number[] = [];
  let last = 0;
  for (const cut of [...cuts, total - parts]) {
    sizes.push(cut - last + 1);
    last = cut;
  }
  return sizes;
}

/** Best five levels of each side at the end of each minute; times in microseconds. */
export function* formatBook(random: Random, minutes: Iterable<Minute>): Generator<string> {
  yield BOOK_HEADER;
  for (const { timeMs, close } of minutes) {
    const time = (timeMs + MINUTE_MS - 1) * 1000;
    const cells: (string | number)[] = ["perplab", "BTC-PERP", time, time + 1500 + random.below(2000)];
    let ask = close + 1;
    let bid = close - 1;
    for (let level = 0; level < 5; level++) {
      cells.push(price(ask), lots(1 + random.below(4000 * (level + 1))));
      cells.push(price(bid), lots(1 + random.below(4000 * (level + 1))));
      ask += 1 + random.below(3);
      bid -= 1 + random.below(3);
    }
    yield cells.join(",");
  }
}
