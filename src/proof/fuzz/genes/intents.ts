/** Intents of genes: usual ones, triggers exact to the unit, and pairs close around the price. */
import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { INTENT_KIND, ORDER_TYPE, POST_ONLY, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { keepStorable, near } from "./edges.ts";
import { repairIntent } from "./repairIntent.ts";
import { drawUsualIntent } from "./usualIntent.ts";

type Intent = Payloads["placeIntent"];
type Leg = Intent["legs"][number];

/** Choice of an intent close to the price. With `REPAIRED` it is made valid. */
export const NEAR_PRICE = 6;
export const REPAIRED = 1 << 14;

/** Kinds of intents close to the price, the plainest first. */
export const NEAR_PRICE_KINDS = ["oco", "otoco", "oto", "stop", "takeProfit", "trailingStop"] as const;
const LEG_KINDS = ["takeProfit", "stop", "trailingStop", "stop"] as const;
/**
 * Distances of a trigger from its price, ppm; 0 is one unit. In most markets the index moves at most 10,000 ppm in a
 * block.
 */
const DISTANCES = [2_000, 0, 500, 5_000, 9_999, 10_000, 20_000, 50_000] as const;
/** Distances of trailing stops, 1e-9 of the best price; the last ones are the whole price and more. */
const TRAILS = [2e6, 1, 5e5, 5e6, 1e7, 999_999_999, 1e9, 2e9] as const;
/** Distances of a leg's order price from its trigger, ppm; 0 is the trigger. */
const REACHES = [2_000, 0, 20, 20_000] as const;
/** Times in force of a resting order, rarely another. */
const LIVES = [0, 0, 0, 0, 0, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK, TIME_IN_FORCE.GTT] as const;
/** Times in force of a market order: GTC, which means IOC (ORD-1), IOC, or FOK. */
const MARKET_LIVES = [0, 0, 0, 0, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK, TIME_IN_FORCE.FOK, 0] as const;
/** First of eight values of a detail that give an entry an expiry: four by height, four by time. */
export const FIRST_LIFE = 3;
const NAMES = ["", "x", "y", "z"] as const;
/** One more than the largest price in ticks. */
const TICKS_END = 2 ** 31;

/**
 * An intent, mostly repaired if the venue would reject it. Some triggers are exactly at a price, or one unit next to
 * it.
 */
export function drawIntent(builder: BlockBuilder, account: AccountRow, market: MarketRow, name: string): Intent {
  const { choices } = builder;
  const way = choices.next();
  const isRepaired = way >= REPAIRED;
  if (way % 8 === NEAR_PRICE) {
    const drawn = drawNearPrice(builder, account, market, name);
    return isRepaired ? repairIntent(builder, account, market, drawn) : drawn;
  }
  const isFaulty = way % 16 === 15;
  const drawn = drawUsualIntent(choices, builder.scene, account, market, name, isFaulty);
  const intent = isRepaired && !isFaulty ? repairIntent(builder, account, market, drawn) : drawn;
  if (way % 4 !== 3 || intent.trigger === 0) return intent;
  const price = getSources(builder, market)[intent.source] ?? 0;
  return { ...intent, trigger: Math.max(1, near(choices, price)) } as Intent;
}

/** Prices by source: mark, index, last. */
function getSources({ state: { markets, parameters } }: BlockBuilder, market: MarketRow): readonly number[] {
  const { mark, index, last } = markets;
  return [mark[market]!, index[market]!, last[market]! * parameters[market]!.tickSize];
}

/**
 * An intent so close to the price that some blocks fire it: a pair around it, an entry with one or two legs, or a
 * single leg. Zeros give a pair that closes the position, with a limit order on each side. Six choices: kind, details,
 * size, the entry's price, and one per leg.
 */
function drawNearPrice(builder: BlockBuilder, account: AccountRow, market: MarketRow, name: string): Intent {
  const { choices, scene, state } = builder;
  const { tickSize, lotSize, minLots, maxLots } = state.parameters[market]!;
  const kind = INTENT_KIND[choices.pick(NEAR_PRICE_KINDS)];
  const how = choices.next();
  const amount = choices.next();
  const away = choices.next();
  const open = scene.signedLotsOf(account, market);
  const waits = kind === INTENT_KIND.oto || kind === INTENT_KIND.otoco;
  const closes = !waits && open !== 0 && how % 8 !== 7;
  const side = closes ? (open > 0 ? SIDE.sell : SIDE.buy) : (how >> 3) & 1;
  const legSide = waits ? 1 - side : side;
  const held = Math.abs(open);
  const lots = [held || minLots, Math.ceil(held / 2), minLots * (1 + ((amount >> 3) % 20)), 2 * held, maxLots];
  const alone = kind === INTENT_KIND.oco || waits ? undefined : kind;
  const legs = [0, 1].map((place) => drawLeg(builder, market, legSide, place, choices.next(), alone));
  // An entry rests away from the price, or takes from the book.
  const middle = state.markets.mark[market]!;
  const entry = toPrice(middle, side === SIDE.buy ? -1 : 1, DISTANCES[away % DISTANCES.length]!, tickSize);
  const single = alone === undefined ? undefined : legs[0]!;
  const end = (how >> 11) % 32;
  const top = keepStorable((TICKS_END - (how & 1)) * tickSize);
  // A short-lived entry: valid for a few more blocks, by height or by time.
  const lives = waits && end >= FIRST_LIFE && end < FIRST_LIFE + 8;
  const blocks = (end - FIRST_LIFE) % 4;
  const byTime = legs.some(({ timeInForce }) => timeInForce === TIME_IN_FORCE.GTT) ? state.timeMs + 8_000 : 0;
  const drawn = {
    ...{ source: 0, trigger: 0, trail: 0, trailRate: 0, orderType: ORDER_TYPE.limit, price: 0, slippage: 0 },
    ...{ timeInForce: 0, postOnly: 0 },
    ...single,
    ...(waits ? { price: end === 31 ? top : entry, timeInForce: lives ? TIME_IN_FORCE.GTT : TIME_IN_FORCE.GTC } : {}),
    kind,
    market: name,
    side,
    size: keepStorable(Math.max(1, lots[amount % 8] ?? lots[0]!) * lotSize),
    fraction: 0,
    reduceOnly: waits ? (how >> 4) % 4 !== 3 : closes && (how >> 4) % 4 !== 3,
    selfTrade: (how >> 6) & 3,
    selfTradeScope: (how >> 8) & 1,
    duration: 0,
    interval: 0,
    legs: kind === INTENT_KIND.oto ? legs.slice(0, 1) : single === undefined ? legs : [],
    goodTilHeight: lives && end < FIRST_LIFE + 4 ? state.height + 1 + blocks : end === 2 ? state.height + 4 : 0,
    goodTilTime: lives && end >= FIRST_LIFE + 4 ? state.timeMs + 1_000 * (1 + blocks) : waits ? 0 : byTime,
    clientIntentId: NAMES[(how >> 9) & 3]!,
  };
  const beyond = end === 30 ? { trigger: top } : end === 29 ? { price: top } : {};
  const far = {
    ...drawn,
    ...(single === undefined ? {} : beyond),
    legs: drawn.legs.map((leg) => ({ ...leg, ...(waits && end !== 28 ? withoutEnd(leg) : leg), ...beyond })),
  };
  return far as unknown as Intent;
}

/** A leg of an entry has no expiry (INT-5). */
function withoutEnd(leg: Leg): Leg {
  return leg.timeInForce === TIME_IN_FORCE.GTT ? { ...leg, timeInForce: TIME_IN_FORCE.GTC as Leg["timeInForce"] } : leg;
}

/** A leg: its trigger and the order it sends, all from one choice. */
function drawLeg(
  builder: BlockBuilder,
  market: MarketRow,
  side: number,
  place: number,
  word: number,
  alone?: number,
): Leg {
  const { tickSize } = builder.state.parameters[market]!;
  const kind = alone ?? INTENT_KIND[LEG_KINDS[((word & 3) + place) % 4]!];
  const sources = [0, 0, 1, 2] as const;
  const watched = sources[(word >> 2) & 3]!;
  const price = getSources(builder, market)[watched]!;
  const source = price === 0 ? 0 : watched;
  const distance = (word >> 4) % DISTANCES.length;
  const trails = kind === INTENT_KIND.trailingStop;
  const rises = (kind === INTENT_KIND.takeProfit) === (side === SIDE.sell) ? 1 : -1;
  const around = price || builder.state.markets.mark[market]!;
  const trigger = toPrice(around, rises, DISTANCES[distance]!, 1);
  const atMarket = (word >> 7) % 4 === 3;
  // Its order rests beyond the trigger, or takes before it.
  const reach = REACHES[(word >> 9) % REACHES.length]!;
  const beyond = (word >> 8) % 2 === 0 ? (side === SIDE.sell ? 1 : -1) : side === SIDE.sell ? -1 : 1;
  const byRate = trails && (word >> 11) % 4 !== 3;
  const timeInForce = (atMarket ? MARKET_LIVES : LIVES)[(word >> 11) % LIVES.length]!;
  const takes = atMarket || timeInForce === TIME_IN_FORCE.IOC || timeInForce === TIME_IN_FORCE.FOK;
  return {
    kind,
    source,
    trigger: trails ? 0 : trigger,
    trail: trails && !byRate ? Math.max(1, Math.abs(trigger - around)) : 0,
    trailRate: byRate ? TRAILS[distance]! : 0,
    orderType: atMarket ? ORDER_TYPE.market : ORDER_TYPE.limit,
    price: atMarket ? 0 : toPrice(trigger, beyond, reach, tickSize),
    slippage: atMarket ? 50_000_000 : 0,
    timeInForce,
    postOnly: !takes && word >> 14 === 3 ? POST_ONLY.slide : POST_ONLY.no,
  } as unknown as Leg;
}

/** A price some ppm to one side of another, at least one unit away, on the grid and above zero. */
function toPrice(from: number, way: number, ppm: number, grid: number): number {
  const away = Math.max(ppm === 0 && grid > 1 ? 0 : 1, Math.floor((from / 1e6) * ppm));
  return keepStorable(Math.max(1, Math.round((from + way * away) / grid)) * grid);
}

/** Names an intent by its id or client id: an own one, another account's, or one that does not exist. */
export function nameIntent({ choices, state }: BlockBuilder, account: AccountRow): unknown {
  const { intents, accounts } = state;
  const way = choices.next();
  let at = accounts.intents[account]!;
  for (let skip = (way >> 4) % 4; skip > 0 && at !== NONE && intents.older[at] !== NONE; skip--)
    at = intents.older[at]!;
  if (way % 8 === 7) return { intent: 0, clientIntentId: ["x", "y", "z", ""][(way >> 3) % 4] };
  if (way % 8 === 6) {
    const { rows } = intents;
    for (let step = 0; step < rows.high; step++) {
      const row = (((way >> 3) + step) % rows.high) as never;
      if (rows.isLive(row)) return { intent: intents.id[row], clientIntentId: "" };
    }
  }
  const text = at === NONE ? "" : state.intentTexts[at]!;
  if (at === NONE || (way % 8 === 5 && text !== "")) return { intent: 0, clientIntentId: text || "x" };
  // By both ids, mostly of the same intent.
  if (way % 8 === 4) return { intent: intents.id[at], clientIntentId: (way >> 6) % 4 === 3 ? "x" : text };
  return { intent: intents.id[at], clientIntentId: "" };
}
