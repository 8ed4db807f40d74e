import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { SIDE } from "../../../protocol/words.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import { FLAG_REDUCE_ONLY, FLAG_SELL, type MarketRow, type PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import type { Moment } from "../machinery/moment.ts";
import { type HouseFlowStep, readHouseFlow } from "./houseFlowSteps.ts";

/** Steps after which earlier levels are as they were: these name one price, and `last` names none of the book. */
const LOCAL: ReadonlySet<HouseFlowStep["kind"]> = new Set(["level", "ahead", "last"]);

/** Cost: for each level at the end of a flow, once per order of the house in the market. */
export const levelsAsNamed = defineInvariant({
  id: "levelsAsNamed",
  sentence: "After a level the house has its lots at the price, or fewer if the level met the other side.",
  rules: ["ACC-2"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    const steps = readHouseFlow(moment);
    if (steps === undefined) return undefined;
    const { market: name, account, subaccount } = moment.transaction!.payload as Payloads["houseFlow"];
    const { state } = moment;
    const market = state.marketRows.get(name)!;
    const position = getPosition(state, findAccount(state, new AccountKey(account, subaccount)), market);
    const hasMet = didMeet(moment);
    const seen = new Set<string>();
    for (let at = steps.length - 1; at >= 0 && LOCAL.has(steps[at]!.kind); at--) {
      const { kind, price, lots, side } = steps[at]!;
      const level = `${side} ${price}`;
      if (kind === "last" || seen.has(level)) continue;
      seen.add(level);
      if (kind !== "level") continue;
      moment.met++;
      const found = sumQuotes(state, position, side, price);
      if (found === lots || (found < lots && (hasMet || crosses(state, market, side, price)))) continue;
      return `${found} lots of the house rest at ${price} where a level of ${lots} was named`;
    }
    return undefined;
  },
});

/** Whether an order of the flow traded, or met one of its own account. */
function didMeet({ events }: Moment): boolean {
  return events.some(
    (event) =>
      event.kind === "fill" ||
      ((event.kind === "orderCancelled" || event.kind === "orderResized") && event.cause !== CANCEL_CAUSE.replaced),
  );
}

function sumQuotes({ positions, orders }: State, position: PositionRow, side: number, price: number): number {
  if (position === NONE) return 0;
  const flags = side === SIDE.sell ? FLAG_SELL : 0;
  let lots = 0;
  for (let row = positions.orders[position]; row !== NONE; row = orders.older[row]) {
    if (orders.price[row] === price && (orders.flags[row] & (FLAG_SELL | FLAG_REDUCE_ONLY)) === flags)
      lots += orders.remaining[row];
  }
  return lots;
}

/** Whether the other side is still at or beyond the price, since a rule stopped the level's order. */
function crosses({ books }: State, market: MarketRow, side: number, price: number): boolean {
  const { bestBid, bestAsk } = books[market]!;
  return side === SIDE.buy ? bestAsk !== 0 && bestAsk <= price : bestBid >= price;
}
