import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES, type VenueEvent } from "../../../protocol/events.ts";
import { allowsTriggers } from "../../../protocol/lifecycle.ts";
import { REJECTION_PLACES } from "../../../protocol/rejections.ts";
import { OPERATION } from "../../../protocol/validity.ts";
import { INTENT_KIND, INTENT_STATE, PRICE_SOURCE, SIDE } from "../../../protocol/words.ts";
import { allows } from "../../../venue/engine/prices/validity.ts";
import type { AccountRow, IntentRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets } from "../../../venue/engine/state/walk.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";

export const intentTriggers = defineInvariant({
  id: "intentTriggers",
  sentence:
    "An intent fires exactly when a scan of all intents finds its trigger reached, and reports the price that reached it. Each intent is in its account's list.",
  rules: ["INT-1", "DET-1"],
  catalogue: ["T08"],
  when: "block",
  news: 1,
  sweep(state, step) {
    step.met += state.intents.rows.count;
    return findMislisted(state) ?? checkFired(state, step);
  },
});

/** The first intent that is missing in its list or in the index. */
export function findMislisted(state: State): string | undefined {
  const { intents, accounts, intentIndex } = state;
  if (intentIndex.ended.length > 0) return "orders that ended wait for the next block";
  let listed = 0;
  for (let account = 0 as AccountRow; account < accounts.rows.high; account++) {
    if (!accounts.rows.isLive(account)) continue;
    let newer = NONE as IntentRow;
    let count = 0;
    for (let at = accounts.intents[account]!; at !== NONE && count <= intents.rows.count; at = intents.older[at]!) {
      const id = intents.id[at]!;
      if (intents.account[at] !== account || intents.newer[at] !== newer) return `intent ${id} is listed wrongly`;
      if (intentIndex.find(id) !== at) return `intent ${id} is not found by its id`;
      newer = at;
      count++;
    }
    if (count !== accounts.intentCount[account])
      return `account ${account} has ${count} intents in its list, and a count of ${accounts.intentCount[account]}`;
    listed += count;
  }
  if (listed === intents.rows.count && listed === intentIndex.rowOf.size) return undefined;
  return `${intents.rows.count} intents, ${listed} listed, ${intentIndex.rowOf.size} in the index`;
}

/** Compares every intent that was armed before the block with the prices of the block, one by one. */
function checkFired(state: State, { before, events, kinds }: Step): string | undefined {
  if (before.intents.rows.count === 0 && !kinds.has(EVENT_CODES.intentTriggered)) return undefined;
  const fired = new Map(
    events.flatMap((event) => (event.kind === "intentTriggered" ? [[event.intent, event.value] as const] : [])),
  );
  const excused = new Set(events.flatMap((event) => (isEnd(event) ? [event.intent] : [])));
  const armed = new Map<number, IntentRow>();
  const { intents } = before;
  for (const [id, row] of before.intentIndex.rowOf) if (intents.state[row] === INTENT_STATE.armed) armed.set(id, row);
  if (armed.size === 0 && fired.size === 0) return undefined;
  const ranges = listMarkets(state).map((market) => findRanges(state, before, market, events, armed));
  for (const [id, row] of armed) {
    if (intents.kind[row] === INTENT_KIND.twap) continue;
    const market = intents.market[row]!;
    const acts = allowsTriggers(state.parameters[market]!) && allows(state, market, OPERATION.trigger);
    const range = acts ? ranges[market]![intents.source[row]!] : undefined;
    const end = range === undefined ? undefined : range[isFalling(before, row) ? 0 : 1];
    const reached = end !== undefined && state.markets.mark[market] !== 0 && isReached(before, row, end);
    if (reached && !fired.has(id) && !excused.has(id)) return `intent ${id} should have fired`;
    if (!reached && fired.has(id))
      return `intent ${id} fired although its trigger ${intents.trigger[row]} was not reached`;
    if (reached && fired.has(id) && fired.get(id) !== end)
      return `intent ${id} fired at ${end}, and reports ${fired.get(id)}`;
  }
  const early = [...fired.keys()].find((id) => !armed.has(id));
  return early === undefined ? undefined : `intent ${early} fired in the block that armed it`;
}

/** Intents that end before the block checks triggers. */
function isEnd(event: VenueEvent): event is Extract<VenueEvent, { intent: number }> {
  if (event.kind === "intentResized") return event.state === INTENT_STATE.waiting;
  if (event.kind === "intentFailed") return event.code === REJECTION_PLACES.AUTHORIZATION_REVOKED;
  return event.kind === "intentCancelled" || event.kind === "intentExpired";
}

type Range = readonly [low: number, high: number];

/** The prices of a market that triggers see in a block, by source. Fills of this block's fired intents do not count. */
function findRanges(
  state: State,
  before: State,
  market: MarketRow,
  events: readonly VenueEvent[],
  armed: ReadonlyMap<number, IntentRow>,
): Readonly<Record<number, Range | undefined>> {
  const span = (then: number, now: number): Range | undefined => {
    if (now === 0) return undefined;
    return then === 0 ? [now, now] : [Math.min(then, now), Math.max(then, now)];
  };
  const ticks: number[] = [];
  if (before.markets.tradeHigh[market]! > 0)
    ticks.push(before.markets.tradeLow[market]!, before.markets.tradeHigh[market]!);
  for (const event of events) {
    if (event.kind === "fill" && event.market === market && !armed.has(event.takerOrder)) ticks.push(event.price);
    else if (event.kind === "printed" && event.market === market) ticks.push(event.price);
  }
  const prices = ticks.map((price) => Math.min(price * state.parameters[market]!.tickSize, 9e15));
  return {
    [PRICE_SOURCE.mark]: span(before.markets.mark[market]!, state.markets.mark[market]!),
    [PRICE_SOURCE.index]: span(before.markets.index[market]!, state.markets.index[market]!),
    [PRICE_SOURCE.last]: prices.length === 0 ? undefined : [Math.min(...prices), Math.max(...prices)],
  };
}

/** Whether an intent waits for the price to fall: a stop that sells, a take-profit that buys. */
function isFalling({ intents }: State, row: IntentRow): boolean {
  const sells = intents.side[row] === SIDE.sell;
  return intents.kind[row] === INTENT_KIND.takeProfit ? !sells : sells;
}

/** @param end of the range, on the side of the trigger */
function isReached(before: State, row: IntentRow, end: number): boolean {
  const trigger: number = before.intents.trigger[row]!;
  return isFalling(before, row) ? end <= trigger : end >= trigger;
}
