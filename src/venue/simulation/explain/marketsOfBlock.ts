import { events } from "../../../protocol/events.ts";
import type { BlockResult } from "../../engine/applyBlock.ts";
import { readEvents } from "../../engine/events/readEvents.ts";
import type { State } from "../../engine/state/state.ts";

/** Market of an order or intent, for events that do not name it; undefined if it is not known. */
export type MarketOf = (id: number) => number | undefined;

/**
 * Markets of the orders and intents of a block that was just applied. These are the existing ones, and those that ended
 * in the block and that an event with a market names.
 */
export function marketsOfBlock(state: State, result: Pick<BlockResult, "events" | "from" | "to">): MarketOf {
  let named: Map<number, number> | undefined;
  return (id) => {
    const market = findMarketOf(state, id);
    if (market !== undefined) return market;
    named ??= readNamed(result);
    return named.get(id);
  };
}

/** Market of an order or intent that still exists. */
function findMarketOf({ orderIndex, orders, positions, intentIndex, intents }: State, id: number): number | undefined {
  const order = orderIndex.find(orders, id);
  if (order >= 0) return positions.market[orders.position[order]!];
  const intent = intentIndex.rowOf.get(id);
  return intent === undefined ? undefined : intents.market[intent];
}

/** Markets of the orders and intents that events with a market name. */
function readNamed({ events: data, from, to }: Pick<BlockResult, "events" | "from" | "to">): Map<number, number> {
  const named = new Map<number, number>();
  for (const event of readEvents(data, from, to)) {
    const values = event as unknown as Readonly<Record<string, number>>;
    const market = values["market"] ?? -1;
    if (market < 0) continue;
    for (const [name, unit] of Object.entries(events[event.kind].fields)) {
      if (unit === "order" || unit === "intent") named.set(values[name]!, market);
    }
  }
  return named;
}
