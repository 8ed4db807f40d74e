import type { VenueEvent } from "../../../protocol/events.ts";
import { MARKET_STATUS } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets, listOrders, listPositions } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const settledIsOver = defineInvariant({
  id: "settledIsOver",
  sentence:
    "A settled market has no size, order, intent or claim, and its mark is the settlement price for ever. No account paid more of a loss than its profit from the settlement.",
  rules: ["MKT", "POS-4"],
  catalogue: [],
  when: "block",
  sweep(state, step) {
    const { before, events } = step;
    for (const market of listMarkets(state)) {
      if (state.parameters[market]!.status !== MARKET_STATUS.settled) continue;
      step.met++;
      const name = state.marketNames[market];
      const settled = events.find((event) => event.kind === "marketSettled" && event.market === market);
      const price = settled?.kind === "marketSettled" ? settled.price : before.markets.mark[market];
      if (state.markets.mark[market] !== price)
        return `${name}: mark ${state.markets.mark[market]}, settled at ${price}`;
      const left = findLeft(state, market);
      if (left !== undefined) return `${name} is settled and has ${left}`;
    }
    return findOverchargedPositions(events);
  },
});

function findLeft(state: State, market: number): string | undefined {
  const { positions, orders, intents, markets } = state;
  const open = listPositions(state).find((at) => positions.market[at] === market && positions.signedLots[at] !== 0);
  if (open !== undefined) return `a position of account ${positions.account[open]}`;
  const kept = listPositions(state).find((at) => positions.market[at] === market && positions.isolated[at] !== 0);
  if (kept !== undefined)
    return `${positions.isolated[kept]} with an isolated position of account ${positions.account[kept]}`;
  const order = listOrders(state).find((row) => positions.market[orders.position[row]!] === market);
  if (order !== undefined) return `order ${orders.id[order]}`;
  for (let row = 0 as never; row < intents.rows.high; row++) {
    if (intents.rows.isLive(row) && intents.market[row] === market) return `intent ${intents.id[row]}`;
  }
  const row = market as never;
  return markets.openInterest[row] === 0 ? undefined : `open interest of ${markets.openInterest[row]}`;
}

/** An account that paid more than its realised profit from the close at the settlement price. */
function findOverchargedPositions(events: readonly VenueEvent[]): string | undefined {
  const gains = new Map<string, number>();
  for (const event of events) {
    if (event.kind === "positionChanged") gains.set(`${event.account} ${event.market}`, event.realized);
    if (event.kind !== "settlementHaircut") continue;
    const gain = gains.get(`${event.account} ${event.market}`) ?? 0;
    if (event.amount > gain)
      return `account ${event.account} gained ${gain} by the settlement and paid ${event.amount} of a loss`;
  }
  return undefined;
}
