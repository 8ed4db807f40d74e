/**
 * Usual intents of users: triggers near the price, legs around it, schedules of seconds, and occasionally invalid ones.
 */
import type { Draw } from "../../../ground/math/draw.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { INTENT_KIND, ORDER_TYPE, PRICE_SOURCE, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { Scene } from "./scene.ts";

type Leg = Payloads["placeIntent"]["legs"][number];

const NAMES = ["", "", "x", "y"];
const SINGLE = [INTENT_KIND.stop, INTENT_KIND.stop, INTENT_KIND.takeProfit, INTENT_KIND.trailingStop] as const;
const KINDS = [...SINGLE, INTENT_KIND.twap, INTENT_KIND.oco, INTENT_KIND.oto, INTENT_KIND.otoco] as const;

export function drawUsualIntent(
  random: Draw,
  scene: Scene,
  account: AccountRow,
  market: MarketRow,
  name: string,
  faulty: boolean,
): Payloads["placeIntent"] {
  const { state } = scene;
  const rules = state.parameters[market]!;
  const kind = random.pick(KINDS);
  const waits = kind === INTENT_KIND.oto || kind === INTENT_KIND.otoco;
  const open = scene.signedLotsOf(account, market);
  const reduceOnly = waits ? random.chance(2, 3) : open !== 0 && random.chance(3, 4);
  const side = reduceOnly && !waits ? (open > 0 ? SIDE.sell : SIDE.buy) : random.below(2);
  const legSide = waits ? 1 - side : side;
  const fraction = !waits && kind !== INTENT_KIND.twap && reduceOnly && random.chance(1, 3);
  const twap = kind === INTENT_KIND.twap;
  const times = random.pick([1, 3, 8]);
  const lots = Math.max(
    rules.minLots,
    reduceOnly && !waits
      ? Math.ceil((Math.abs(open) * random.between(1, 4)) / 3)
      : Math.min(rules.maxLots, random.pick([1, 5, 20]) * rules.minLots) * (twap ? times : 1),
  );
  const legs =
    kind < INTENT_KIND.oco
      ? []
      : Array.from({ length: kind === INTENT_KIND.oto ? 1 : 2 }, (_, place) =>
          drawLeg(random, scene, market, legSide, place === 0 ? INTENT_KIND.takeProfit : random.pick(SINGLE)),
        );
  const own = kind < INTENT_KIND.twap ? drawLeg(random, scene, market, side, kind) : undefined;
  const entry = drawOrder(random, scene, market, side);
  const terms = own ?? (twap ? atMarket(random) : kind === INTENT_KIND.oco ? AT_NOTHING : entry);
  const lives = waits && "price" in terms && terms.price !== 0 && random.chance(1, 3);
  const mayEnd = !waits || lives || random.chance(1, 20);
  const payload = {
    ...NO_TRIGGER,
    ...terms,
    kind,
    market: name,
    side,
    size: fraction ? 0 : Math.min(lots * rules.lotSize, LIMIT),
    fraction: fraction ? random.pick([1_000_000_000, 500_000_000, 1]) : 0,
    reduceOnly,
    selfTrade: random.below(4),
    selfTradeScope: random.below(2),
    duration: twap ? times * 4_000 : 0,
    interval: twap ? 4_000 : 0,
    legs,
    ...(lives ? { timeInForce: TIME_IN_FORCE.GTT, postOnly: 0 } : {}),
    goodTilHeight: mayEnd && random.chance(1, lives ? 2 : 6) ? state.height + 1 + random.below(12) : 0,
    goodTilTime: mayEnd && random.chance(1, lives ? 2 : 6) ? state.timeMs + random.below(60_000) : 0,
    clientIntentId: random.pick(NAMES),
  };
  return (faulty ? spoil(random, payload) : payload) as unknown as Payloads["placeIntent"];
}

const NO_TRIGGER = { source: 0, trigger: 0, trail: 0, trailRate: 0 } as const;
const AT_MARKET = { orderType: ORDER_TYPE.market, price: 0, slippage: 50_000_000, postOnly: 0 } as const;
const AT_NOTHING = { orderType: ORDER_TYPE.limit, price: 0, slippage: 0, timeInForce: 0, postOnly: 0 } as const;

/** A market order: left at GTC, which means IOC, or with either time in force of its own (ORD-1). */
function atMarket(random: Draw): { readonly timeInForce: number } & typeof AT_MARKET {
  return { ...AT_MARKET, timeInForce: random.pick([0, 0, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK]) };
}

/** The order that a leg places, or an entry: at the market, or at a price around the mark. */
function drawOrder(random: Draw, scene: Scene, market: MarketRow, side: number): object {
  if (random.chance(1, 2)) return atMarket(random);
  const { tickSize } = scene.state.parameters[market]!;
  const middle = Math.floor(scene.state.markets.mark[market]! / tickSize);
  const away = (side === SIDE.buy ? -1 : 1) * random.between(-2, 6);
  const price = Math.max(1, middle + Math.floor((middle * away) / 200)) * tickSize;
  const timeInForce = random.pick([0, 0, 0, 1, 2]);
  const postOnly = random.pick([0, 0, 0, 1, 2]);
  return {
    orderType: ORDER_TYPE.limit,
    price: Math.min(price, 9e15),
    slippage: 0,
    timeInForce,
    // Occasionally an order that may never trade.
    postOnly: timeInForce === TIME_IN_FORCE.GTC || random.chance(1, 10) ? postOnly : 0,
  };
}

/** A trigger ahead of the price: some tenths of a percent to some percent, a little more for orders placed far away. */
function drawLeg(random: Draw, scene: Scene, market: MarketRow, side: number, kind: number): Leg {
  const { markets, parameters } = scene.state;
  const source = random.pick([PRICE_SOURCE.mark, PRICE_SOURCE.mark, PRICE_SOURCE.index, PRICE_SOURCE.last]);
  const last = markets.last[market]! * parameters[market]!.tickSize;
  const around = (source === PRICE_SOURCE.last && last > 0 ? last : markets.mark[market]!) || 100e8;
  const distance = Math.max(1, Math.floor((around / 1e6) * random.pick([500, 2_000, 10_000, 40_000])));
  const rises = (kind === INTENT_KIND.takeProfit) === (side === SIDE.sell);
  const trails = kind === INTENT_KIND.trailingStop;
  const byRate = trails && random.chance(1, 2);
  return {
    kind,
    source,
    trigger: trails ? 0 : Math.max(1, around + (rises ? distance : -distance)),
    trail: trails && !byRate ? Math.min(distance, 9e15) : 0,
    trailRate: byRate ? random.pick([1_000_000, 20_000_000, 999_999_999]) : 0,
    ...drawOrder(random, scene, market, side),
  } as Leg;
}

/** One fault or oddity in an intent. */
function spoil(random: Draw, payload: object): object {
  return {
    ...payload,
    ...random.pick([
      { size: 0 },
      { size: 1 },
      { size: 9e15 },
      { fraction: 2_000_000_000 },
      { trigger: 1 },
      { trigger: 9e15 },
      { trail: 1 },
      { price: 1 },
      { slippage: 900_000_000 },
      { slippage: -1 },
      { legs: [] },
      { interval: 1 },
      { duration: 7 },
      { goodTilHeight: 1 },
      { timeInForce: 3, goodTilHeight: 0, goodTilTime: 0 },
      { reduceOnly: true },
      { source: 1 },
      { source: 2 },
      { orderType: 1 },
      { timeInForce: 1 },
      { timeInForce: 2 },
      { timeInForce: 3, orderType: 1 },
      { postOnly: 1 },
      { postOnly: 2, timeInForce: 1 },
      { trailRate: 1 },
      { slippage: 5_000_000 },
    ]),
  };
}
