/** Legs of batches, one choice each, so that a gene has room for many: closes, resting orders, and failing orders. */

import type { Payloads } from "../../../protocol/actions/index.ts";
import { ORDER_TYPE, POST_ONLY, TIME_IN_FORCE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { keepStorable } from "./edges.ts";
import { drawLots, LOT_WAYS } from "./lots.ts";
import { NAMES } from "./references.ts";
import { getLeast } from "./repairOrder.ts";
import { drawTicks, TICK_WAYS } from "./ticks.ts";

type Order = Payloads["placeOrder"];

const PLACES = ["touch", "join", "mark", "near", "through", "improve", "other", "touch"] as const;
/** `beyond` exceeds any account's margin, `off` is not a whole number of lots. */
const SIZES = ["few", "position", "half", "touch", "beyond", "turn", "least", "off"] as const;
const LIVES = [0, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK, 0] as const;

/** Fields of a leg. */
interface Leg {
  readonly side: number;
  readonly reduceOnly?: boolean;
  readonly at?: (typeof PLACES)[number];
  readonly size?: (typeof SIZES)[number];
  /** 0 rests, 1 is IOC, 2 is FOK, 3 is post-only. */
  readonly life?: number;
  /** Client order id: none, or the first, second or third of them. */
  readonly name?: number;
  /** True for the next market. */
  readonly isNext?: boolean;
}

/** Encodes a leg as one choice. */
export function writeLeg(leg: Leg): number {
  const { side, reduceOnly = false, at = "touch", size = "few", life = 0, name = 0, isNext = false } = leg;
  const low = side + (reduceOnly ? 2 : 0) + (PLACES.indexOf(at) << 2) + (SIZES.indexOf(size) << 5);
  return low + (life << 8) + (name << 10) + (isNext ? 1 << 13 : 0);
}

/** Decodes a leg. */
export function drawLeg(builder: BlockBuilder, word: number, account: AccountRow, market: MarketRow): Order {
  const { marketNames, parameters } = builder.state;
  const row = ((market + ((word >> 13) & 1)) % marketNames.length) as MarketRow;
  const { lotSize, tickSize, maxLots } = parameters[row]!;
  const side = word & 1;
  const life = (word >> 8) & 3;
  const named = (word >> 10) & 7;
  const detail = word >> 11;
  const aimOf = (ways: readonly string[], way: string, more: number) => ({
    way: ways.indexOf(way),
    detail: more,
    side: 0,
  });
  const refuse = () => false;
  const ticks = drawTicks(builder, aimOf(TICK_WAYS, PLACES[(word >> 2) & 7]!, detail), row, side, refuse);
  const price = keepStorable(ticks * tickSize);
  const lotsOf = (way: string, more: number) =>
    drawLots(builder, aimOf(LOT_WAYS, way, more), account, row, side, ticks, refuse);
  const lots = {
    few: () => lotsOf("few", detail),
    position: () => lotsOf("position", 0),
    half: () => lotsOf("position", 1),
    turn: () => lotsOf("position", 2),
    touch: () => lotsOf("touch", 0),
    beyond: () => maxLots,
    least: () => getLeast(builder, row, { price, slippage: 0 }),
    off: () => getLeast(builder, row, { price, slippage: 0 }),
  }[SIZES[(word >> 5) & 7]!]();
  const off = SIZES[(word >> 5) & 7] === "off" ? 1 : 0;
  return {
    market: marketNames[row]!,
    side,
    // Every fourth IOC or FOK leg is a market order whose worst price is the drawn price.
    orderType: (life === 1 || life === 2) && detail % 4 === 3 ? ORDER_TYPE.market : ORDER_TYPE.limit,
    size: keepStorable(lots * lotSize + off),
    price,
    slippage: 0,
    timeInForce: LIVES[life]!,
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: life === 3 ? POST_ONLY.reject : POST_ONLY.no,
    reduceOnly: ((word >> 1) & 1) === 1,
    selfTrade: (word >> 14) & 3,
    selfTradeScope: 0,
    clientOrderId: named === 0 ? "" : NAMES[Math.min(NAMES.length - 1, FIRST_NAME + named - 1)]!,
  } as unknown as Order;
}

const FIRST_NAME = NAMES.findIndex((text) => text !== "");
