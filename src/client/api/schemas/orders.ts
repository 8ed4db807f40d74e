import { type Static, Type } from "typebox";
import { CANCEL_CAUSES, INTENT_CAUSES } from "../../../protocol/events.ts";
import {
  INTENT_KINDS,
  ORDER_TYPES,
  POST_ONLY_MODES,
  PRICE_SOURCES,
  SELF_TRADE_MODES,
  SELF_TRADE_SCOPES,
  SIDES,
  TIMES_IN_FORCE,
} from "../../../protocol/words.ts";
import {
  count,
  flag,
  hash,
  height,
  id,
  nullable,
  price,
  rate,
  size,
  subaccount,
  text,
  timeMs,
  word,
} from "./common.ts";

/** States of an order (ORD-8). A rejected order never was one: the receipt of its transaction holds the rejection. */
export const ORDER_STATUSES = ["open", "partiallyFilled", "filled", "cancelled", "expired"] as const;
export const OPEN_ORDER_STATUSES: readonly OrderStatus[] = ["open", "partiallyFilled"];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const Order = Type.Object(
  {
    orderId: id("Id of the order."),
    clientOrderId: nullable(text("Own name, unique among the subaccount's open orders.")),
    txId: nullable(hash("The transaction that entered it; null for orders of the venue and where that is not kept.")),
    subaccount: subaccount(),
    market: text("Name of the market."),
    side: word(SIDES, "Side."),
    orderType: nullable(word(ORDER_TYPES, "Type; null where that is not kept.")),
    timeInForce: nullable(word(TIMES_IN_FORCE, "How long it may live; null where that is not kept.")),
    price: nullable(price("Limit price, or worst price; null for a market order with a slippage bound.")),
    size: size("filled + remaining + cancelled."),
    filled: size("Filled size."),
    remaining: size("Size that rests in the order book."),
    cancelled: size("Size that was cancelled without a fill."),
    status: word(ORDER_STATUSES, "State of the order (ORD-8)."),
    cause: nullable(word(CANCEL_CAUSES, "Why it was cancelled; null where it was not.")),
    reduceOnly: flag("It never increases or flips a position."),
    postOnly: word(POST_ONLY_MODES, "What happens to it where it would take."),
    selfTrade: nullable(
      word(SELF_TRADE_MODES, "What happens if it meets an own order (ORD-3); null where that is not kept."),
    ),
    selfTradeScope: nullable(
      word(SELF_TRADE_SCOPES, "Whose orders are own orders (ORD-3); null where that is not kept."),
    ),
    goodTilHeight: nullable(height("Last height at which it may trade; null for none.")),
    goodTilMs: nullable(timeMs("Last block time at which it may trade; null for none.")),
    authorization: nullable(hash("Authorization under which an agent entered it; null for none.")),
    openedHeight: nullable(height("Block in which it was entered; null where that is not kept.")),
    updatedHeight: nullable(height("Block of its last change; null where that is not kept.")),
    closedHeight: nullable(height("Block in which it ended; null while it is open.")),
  },
  { $id: "Order", description: "An order." },
);
export type Order = Static<typeof Order>;

/** States of an intent (INT): those of one that may still act, and those of one that is done. */
export const INTENT_STATUSES = ["waiting", "armed", "triggered", "executed", "failed", "cancelled", "expired"] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];
export const LIVE_INTENT_STATUSES: readonly IntentStatus[] = ["waiting", "armed", "triggered"];

export const Intent = Type.Object(
  {
    intentId: id("Id of the intent, and of the order that it places."),
    clientIntentId: nullable(text("Own name, shared by the legs of a group.")),
    subaccount: subaccount(),
    market: text("Name of the market."),
    kind: word(INTENT_KINDS, "Kind of its condition."),
    status: word(INTENT_STATUSES, "`waiting` for fills of its entry order; `triggered` with its order on the book."),
    cause: nullable(word(INTENT_CAUSES, "Why it was cancelled; null where it was not.")),
    code: nullable(text("Why its order was refused; null where it was not.")),
    side: word(SIDES, "Side of the order that it places."),
    reduceOnly: flag("It ends with the position that it reduces."),
    size: nullable(size("Left to trade; null where a fraction is given.")),
    fraction: nullable(rate("Share of the position when it fires; null where a size is given.")),
    filled: size("Filled by its own order."),
    unfilled: nullable(
      size(
        "Size that its order, or all slices of a schedule, had not filled when it ended; null unless it is executed.",
      ),
    ),
    position: nullable(size("Position that it no longer protects, signed: positive is long; null unless it failed.")),
    source: word(PRICE_SOURCES, "The price that it watches."),
    trigger: nullable(price("Price at which it fires; null for a schedule.")),
    extreme: nullable(price("Best price so far of a trailing stop.")),
    trail: nullable(price("Distance of a trailing stop, absolute.")),
    trailRate: nullable(rate("Distance of a trailing stop, as a share of the best price.")),
    orderType: word(ORDER_TYPES, "The order that it places."),
    price: nullable(price("Limit or worst price of that order.")),
    slippage: nullable(rate("Slippage bound of that order.")),
    timeInForce: word(TIMES_IN_FORCE, "Time in force of that order."),
    postOnly: word(POST_ONLY_MODES, "Post-only mode of that order."),
    selfTrade: word(SELF_TRADE_MODES, "Self-trade mode of that order (ORD-3)."),
    selfTradeScope: word(SELF_TRADE_SCOPES, "Self-trade scope of that order (ORD-3)."),
    schedule: nullable(
      Type.Object({
        startMs: timeMs("Time of the first slice."),
        intervalMs: count("Time between slices."),
        slices: count("Number of slices."),
        done: count("Number of slices that were due so far."),
      }),
      "Slices of a schedule (`twap`); null for other kinds.",
    ),
    groupId: nullable(id("First intent of its group; null for one alone.")),
    entryOrderId: nullable(id("Order whose fills arm it; null for none.")),
    goodTilHeight: nullable(height("Last height at which it may fire; null for none.")),
    goodTilMs: nullable(timeMs("Last block time at which it may fire; null for none.")),
    authorization: nullable(hash("Authorization under which it was placed; null for none.")),
    armedHeight: nullable(
      height("Block in which it was armed; its condition is checked from the next block on. null while it waits."),
    ),
    endedHeight: nullable(height("Block in which it ended; null while it lives.")),
  },
  { $id: "Intent", description: "A conditional intent: an order that waits for its condition." },
);
export type Intent = Static<typeof Intent>;
