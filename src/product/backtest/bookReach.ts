import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import { POST_ONLY, SIDE } from "../../protocol/words.ts";
import type { BookReach } from "../replay/book/bookFlow.ts";
import type { MarketDefinition } from "../replay/marketDefinition.ts";

/** A transaction that a block carries. */
interface Sent {
  readonly action: ActionName;
  readonly payload: Payloads[ActionName];
}

/** Actions that no order book affects. */
const WITHOUT_BOOK: ReadonlySet<ActionName> = new Set([
  "cancelOrder",
  "cancelOrders",
  "cancelAll",
  "setLeverage",
  "setMarginMode",
]);

/**
 * The parts of the books that the transactions of a block can reach.
 *
 * @returns by market; undefined where that is not known, so that the venue needs every level
 */
export function findReaches(
  sent: readonly Sent[],
  definitions: readonly Pick<MarketDefinition, "name" | "tickSize">[],
): BookReach[] | undefined {
  const reaches = definitions.map((): BookReach => ({ buyTicks: 0, sellTicks: Number.POSITIVE_INFINITY, prices: [] }));
  for (const { action, payload } of sent) {
    if (WITHOUT_BOOK.has(action)) continue;
    if (action === "placeOrder") {
      const { market, side, price, postOnly } = payload as Payloads["placeOrder"];
      const place = definitions.findIndex(({ name }) => name === market);
      // An order that slides rests at a price that the book decides.
      if (place < 0 || postOnly === POST_ONLY.slide) return undefined;
      reachOne(reaches[place]!, side, price / definitions[place]!.tickSize);
    } else if (action === "amendOrder") {
      // Its market and side are not in the payload.
      const { price } = payload as Payloads["amendOrder"];
      if (price === 0) continue;
      for (const [place, { tickSize }] of definitions.entries()) {
        reachOne(reaches[place]!, SIDE.buy, price / tickSize);
        reachOne(reaches[place]!, SIDE.sell, price / tickSize);
      }
    } else return undefined;
  }
  return reaches;
}

/** @param ticks limit of an order; 0 for one that slippage alone bounds */
function reachOne(reach: BookReach, side: number, ticks: number): void {
  if (side === SIDE.buy) reach.buyTicks = ticks === 0 ? Number.POSITIVE_INFINITY : Math.max(reach.buyTicks, ticks);
  else reach.sellTicks = Math.min(reach.sellTicks, ticks);
  if (ticks > 0) reach.prices.push(ticks);
}
