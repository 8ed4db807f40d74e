import type { Intent } from "../../../client/api/schemas/orders.ts";
import { INTENT_CAUSES } from "../../../protocol/events.ts";
import { REJECTION_NAMES } from "../../../protocol/rejections.ts";
import {
  INTENT_KIND,
  INTENT_KINDS,
  ORDER_TYPES,
  POST_ONLY_MODES,
  PRICE_SOURCES,
  SELF_TRADE_MODES,
  SELF_TRADE_SCOPES,
  SIDES,
  TIMES_IN_FORCE,
} from "../../../protocol/words.ts";
import { idOfGrant } from "../../../venue/engine/authorization/addGrant.ts";
import type { AccountRow, AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatLots, formatPrice, formatRate } from "../../../venue/formulas/text.ts";
import { subaccountOf } from "../../../venue/reads/rows.ts";
import type { IntentRecord } from "../../history/intents.ts";
import { positiveOrNull, priceOrNull, ticksOrNull } from "./text.ts";

export function viewIntent(state: State, intent: IntentRecord): Intent {
  const { values, cause, code } = intent;
  const rules = state.parameters[intent.market]!;
  return {
    intentId: String(intent.id),
    clientIntentId: intent.client === "" ? null : intent.client,
    subaccount: subaccountOf(state, intent.account as AccountRow),
    market: state.marketNames[intent.market]!,
    kind: INTENT_KINDS[values.kind]!,
    status: intent.trail.at(-1)!.status,
    cause: cause < 0 ? null : INTENT_CAUSES[cause]!,
    code: code < 0 ? null : REJECTION_NAMES[code]!,
    side: SIDES[values.side]!,
    reduceOnly: values.reduceOnly === 1,
    size: values.fraction === 0 ? formatLots(rules, values.size) : null,
    fraction: values.fraction === 0 ? null : formatRate(values.fraction),
    filled: formatLots(rules, values.filled),
    unfilled: intent.unfilled === undefined ? null : formatLots(rules, intent.unfilled),
    position: intent.position === undefined ? null : formatLots(rules, intent.position),
    source: PRICE_SOURCES[values.source]!,
    trigger: values.kind === INTENT_KIND.twap ? null : formatPrice(values.trigger),
    extreme: priceOrNull(values.extreme),
    trail: priceOrNull(values.trail),
    trailRate: values.trailRate === 0 ? null : formatRate(values.trailRate),
    orderType: ORDER_TYPES[values.orderType]!,
    price: ticksOrNull(rules, values.price),
    slippage: values.slippage === 0 ? null : formatRate(values.slippage),
    timeInForce: TIMES_IN_FORCE[values.timeInForce]!,
    postOnly: POST_ONLY_MODES[values.postOnly]!,
    selfTrade: SELF_TRADE_MODES[values.selfTrade]!,
    selfTradeScope: SELF_TRADE_SCOPES[values.selfTradeScope]!,
    schedule:
      values.kind === INTENT_KIND.twap
        ? { startMs: values.startMs, intervalMs: values.intervalMs, slices: values.slices, done: values.sliced }
        : null,
    groupId: values.group === 0 ? null : String(values.group),
    entryOrderId: values.entry === 0 ? null : String(values.entry),
    goodTilHeight: positiveOrNull(values.goodTilHeight),
    goodTilMs: positiveOrNull(values.goodTilTime),
    authorization: values.authorization < 0 ? null : idOfGrant(state, values.authorization as AuthorizationRow),
    armedHeight: positiveOrNull(values.armedHeight),
    endedHeight: intent.endedHeight ?? null,
  };
}
