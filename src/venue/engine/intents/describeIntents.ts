import type { Payloads } from "../../../protocol/actions/index.ts";
import { INTENT_KIND, INTENT_STATE } from "../../../protocol/words.ts";
import type { ActionContext } from "../handler/defineHandler.ts";
import { toSteps } from "../handler/grid.ts";
import type { State } from "../state/state.ts";
import { type IntentLeg, legsOf, sideOfLegs } from "./checkIntent.ts";
import type { IntentValues } from "./intents.ts";
import { computeTrailTrigger, getPrice } from "./trigger.ts";

/**
 * The rows that a checked intent becomes. Ids are those reserved for its transaction. The first is for the entry order,
 * if there is one, then one for each leg and its order.
 */
export function describeIntents(
  state: State,
  { account, firstOrderId, grant }: ActionContext,
  intent: Payloads["placeIntent"],
): IntentValues[] {
  const market = state.marketRows.get(intent.market)!;
  const { lotSize, tickSize } = state.parameters[market]!;
  const waits = intent.kind === INTENT_KIND.oto || intent.kind === INTENT_KIND.otoco;
  const firstId = firstOrderId + (waits ? 1 : 0);
  const legs = legsOf(intent);
  const twap = intent.kind === INTENT_KIND.twap;
  return legs.map((leg, place) => {
    const extreme = leg.kind === INTENT_KIND.trailingStop && !waits ? getPrice(state, market, leg.source) : 0;
    const side = sideOfLegs(intent);
    return {
      id: firstId + place,
      group: legs.length > 1 ? firstId : 0,
      entry: waits ? firstOrderId : 0,
      account,
      market,
      kind: leg.kind,
      state: waits ? INTENT_STATE.waiting : INTENT_STATE.armed,
      side,
      reduceOnly: intent.reduceOnly ? 1 : 0,
      size: waits ? 0 : toSteps(intent.size, lotSize),
      filled: 0,
      fraction: intent.fraction,
      source: leg.source,
      trigger: triggerOf(leg, side, extreme),
      extreme,
      trail: leg.trail,
      trailRate: leg.trailRate,
      orderType: leg.orderType,
      price: toSteps(leg.price, tickSize),
      slippage: leg.slippage,
      timeInForce: leg.timeInForce,
      postOnly: leg.postOnly,
      selfTrade: intent.selfTrade,
      selfTradeScope: intent.selfTradeScope,
      startMs: twap ? state.timeMs : 0,
      intervalMs: intent.interval,
      slices: twap ? intent.duration / intent.interval : 0,
      sliced: 0,
      // The good-til of a group with an entry is the entry's alone (INT-5).
      goodTilHeight: waits ? 0 : intent.goodTilHeight,
      goodTilTime: waits ? 0 : intent.goodTilTime,
      authorization: grant,
      armedHeight: waits ? 0 : state.height,
    };
  });
}

function triggerOf(leg: IntentLeg, side: number, extreme: number): number {
  return leg.kind === INTENT_KIND.trailingStop ? computeTrailTrigger({ ...leg, side, extreme }) : leg.trigger;
}
