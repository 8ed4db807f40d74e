/** Orders of genes, one or a batch of them. */

import type { Payloads } from "../../../protocol/actions/index.ts";
import { BATCH_MODE, ORDER_TYPE, POST_ONLY, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { drawLeg } from "./batchLegs.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { type Choices, weigh } from "./choices.ts";
import { type Aim, accepts, keepStorable, readAim } from "./edges.ts";
import { aimsAtVolume, drawLots, LOT_WAYS } from "./lots.ts";
import { getMarketName, NAMES, UNKNOWN_MARKET } from "./references.ts";
import { getLeast, isRepaired, repairOrder } from "./repairOrder.ts";
import { getMissingVolume, solveTicks } from "./solve.ts";
import { drawTicks, TICK_WAYS } from "./ticks.ts";
import { drawTime } from "./times.ts";

type Order = Payloads["placeOrder"];

const LIVES = [0, 0, 0, 0, 0, TIME_IN_FORCE.GTT, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK] as const;
const POSTS = [0, 0, 0, 0, 0, 0, 1, 2] as const;
export const SLIPPAGES = [
  ...[50_000_000, 5_000_000, 10_000_000, 100_000_000, 100_000_001],
  ...[999_999_999, 1_000_000_000, 2_000_000_000, 0, -1],
] as const;
const FAULTS = weigh({
  "": 152,
  offLot: 1,
  offTick: 1,
  noMarket: 1,
  noExpiry: 1,
  expiry: 1,
  noPrice: 1,
  slippage: 1,
  taking: 1,
  limitSlippage: 1,
});

/**
 * An order of an account. Zeros buy the least size at the mark, good till cancelled. Most orders that the venue would
 * reject are repaired, except deliberate faults and edges.
 *
 * @param few multiple of the least size that replaces the drawn size; 0 keeps the drawn size
 */
export function drawOrder(
  builder: BlockBuilder,
  choices: Choices,
  account: AccountRow,
  market: MarketRow,
  name: string,
  few = 0,
): Order {
  const { state, scene } = builder;
  const rules = state.parameters[market]!;
  const signedLots = scene.signedLotsOf(account, market);
  const turn = choices.next();
  const reduceOnly = signedLots === 0 ? turn % 64 === 63 : turn % 4 === 3;
  // A reduce-only order is mostly on the closing side; other orders are on either side.
  const side = reduceOnly && turn % 32 < 30 ? (signedLots > 0 ? SIDE.sell : SIDE.buy) : (turn >> 8) & 1;
  const type = choices.below(8) === 7 ? ORDER_TYPE.market : ORDER_TYPE.limit;
  const life = choices.pick(LIVES);
  const postOnly = choices.pick(POSTS);
  const fault = choices.pick(FAULTS);
  const timeInForce = fault === "taking" ? TIME_IN_FORCE.IOC : life;
  const trade = choices.next();
  const orderType = fault === "slippage" ? ORDER_TYPE.market : type;
  const isMarket = orderType === ORDER_TYPE.market;
  const noPrice = fault === "noPrice" || (isMarket && trade % 4 !== 3);
  const takes = isMarket || timeInForce === TIME_IN_FORCE.IOC || timeInForce === TIME_IN_FORCE.FOK;
  const gtt = timeInForce === TIME_IN_FORCE.GTT && !isMarket;
  const expires = fault === "expiry" ? !gtt : gtt && fault !== "noExpiry";
  const base = {
    market: fault === "noMarket" ? UNKNOWN_MARKET : name,
    side,
    orderType,
    slippage:
      fault === "limitSlippage" || (isMarket && (noPrice || (trade >> 3) % 2 === 0))
        ? SLIPPAGES[(trade >> 2) % (fault === "" ? 2 : SLIPPAGES.length)]!
        : 0,
    timeInForce,
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: fault === "taking" ? POST_ONLY.reject : takes ? 0 : postOnly,
    reduceOnly,
    selfTrade: (trade >> 4) & 3,
    selfTradeScope: (trade >> 6) & 1,
    clientOrderId: NAMES[(trade >> 7) % NAMES.length]!,
  };
  const plain = { clientOrderId: "", timeInForce: gtt ? TIME_IN_FORCE.GTC : timeInForce };
  const offer = (lots: number, ticks: number) => {
    const payload = { ...base, ...plain, size: lots * rules.lotSize, price: ticks * rules.tickSize };
    return accepts(state, account, "placeOrder", payload);
  };
  const middle = noPrice ? 0 : Math.max(1, Math.round(state.markets.mark[market]! / rules.tickSize));
  const [price, amount] = [readAim(choices), readAim(choices)];
  const asked = noPrice ? 0 : drawTicks(builder, price, market, side, (at) => offer(rules.minLots, at));
  const ticks = asked !== 0 && aimsAtVolume(amount) ? priceVolume(builder, account, market, asked) : asked;
  const lots =
    few > 0
      ? few * getLeast(builder, market, { price: ticks * rules.tickSize, slippage: base.slippage })
      : drawLots(builder, amount, account, market, side, ticks || middle, (count) => offer(count, ticks || middle));
  const order = {
    ...base,
    ...(expires ? drawExpiry(builder, choices, account) : {}),
    size: keepStorable(lots * rules.lotSize + (fault === "offLot" ? 1 : 0)),
    price: keepStorable(ticks * rules.tickSize + (fault === "offTick" ? 1 : 0)),
  };
  const isMeant = fault !== "" || isBeyond(amount) || (turn >> 13 < 4 && isNear(price, amount));
  if (!isMeant && isRepaired(turn >> 9)) repairOrder(builder, account, market, order, turn >> 13);
  return order as unknown as Order;
}

/** A price near another one at which a whole number of lots brings the owner's volume exactly to a fee tier. */
function priceVolume({ state }: BlockBuilder, account: AccountRow, market: MarketRow, ticks: number): number {
  const { tickLotValue, tickSize, feeTiers } = state.parameters[market]!;
  const { bandLow, bandHigh } = state.markets;
  const missing = getMissingVolume(state, account, feeTiers);
  return missing === 0
    ? ticks
    : solveTicks(missing, tickLotValue, ticks, bandLow[market]! / tickSize, bandHigh[market]! / tickSize);
}

/** True if an order is deliberately one unit next to an edge of its price or size. */
function isNear(price: Aim, amount: Aim): boolean {
  const [tick, lot] = [TICK_WAYS[price.way % TICK_WAYS.length]!, LOT_WAYS[amount.way % LOT_WAYS.length]!];
  return (price.side !== 0 && TICK_EDGES.has(tick)) || (amount.side !== 0 && LOT_EDGES.has(lot));
}

/**
 * True if an order is one unit larger than the largest size the venue should accept. It is never repaired: only such an
 * order finds a venue that accepts too much.
 */
function isBeyond({ way, side }: Aim): boolean {
  return side > 0 && LOT_WAYS[way % LOT_WAYS.length] === "margin";
}

const TICK_EDGES: ReadonlySet<string> = new Set(["bandHigh", "bandLow", "margin"]);
const LOT_EDGES: ReadonlySet<string> = new Set(["margin", "cap", "tier", "notional"]);

/** A last height, a last time or both. Some have already passed. */
export function drawExpiry(
  builder: BlockBuilder,
  choices: Choices,
  account: AccountRow,
): { goodTilHeight: number; goodTilTime: number } {
  const way = choices.below(3);
  const height = builder.state.height + choices.below(8);
  return {
    goodTilHeight: way === 2 ? 0 : height + (way === 0 ? 1 : 0),
    goodTilTime: way === 0 ? 0 : drawTime(builder, choices, account),
  };
}

/** Choice of a batch whose legs use one choice each. */
export const BRIEF = 0x300;

/** A batch of orders in and around a market; zeros give one order that must be accepted. */
export function drawBatch(
  builder: BlockBuilder,
  choices: Choices,
  account: AccountRow,
  market: MarketRow,
): Payloads["placeOrders"] {
  const way = choices.next();
  const mode = way % 2 === 0 ? BATCH_MODE.all : BATCH_MODE.each;
  const isBrief = (way & BRIEF) === BRIEF;
  const size = choices.next();
  const count = size >= 0xfe00 ? 50 : size >= 0xfc00 ? 0 : 1 + (size % 5);
  const { marketNames } = builder.state;
  const orders = Array.from({ length: count }, () => {
    if (isBrief) return drawLeg(builder, choices.next(), account, market);
    const turn = choices.next();
    const at = turn % 4 === 3 ? (((turn >> 2) % marketNames.length) as MarketRow) : market;
    // Small sizes, so that several orders are accepted.
    const few = turn % 3 === 2 ? 0 : 1 + ((turn >> 4) % 8);
    return drawOrder(builder, choices, account, at, getMarketName(builder, at), few);
  });
  return { mode, orders } as unknown as Payloads["placeOrders"];
}
