/** Changes intents that the venue would reject so that it accepts them, as `repairOrder.ts` does with orders. */

import { LIMIT } from "../../../ground/math/fixed.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { INTENT_KIND, ORDER_TYPE, PRICE_SOURCE, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { refusalOf } from "./edges.ts";
import { getLeast } from "./repairOrder.ts";

type Intent = Payloads["placeIntent"];
type Draft = { -readonly [K in keyof Intent]: Intent[K] };
/** Fields that an intent and its legs share. */
interface Terms {
  kind: number;
  source: number;
  trigger: number;
  trail: number;
  trailRate: number;
  price: number;
  slippage: number;
  timeInForce: number;
  postOnly: number;
}

/** Maximum number of faults that are repaired, one after another. */
const TRIES = 6;

export function repairIntent(builder: BlockBuilder, account: AccountRow, market: MarketRow, drawn: Intent): Intent {
  const draft: Draft = { ...drawn, legs: drawn.legs.map((leg) => ({ ...leg })) };
  for (let tries = 0; tries < TRIES; tries++) {
    const code = refusalOf(builder.state, account, "placeIntent", draft);
    if (code === undefined || !repair(builder, market, draft, code)) break;
  }
  return draft;
}

/** Repairs one fault; false if that is impossible. */
function repair(builder: BlockBuilder, market: MarketRow, draft: Draft, code: RejectionCode): boolean {
  const rules = builder.state.parameters[market]!;
  const all = [draft, ...draft.legs] as unknown as Terms[];
  const { lotSize } = rules;
  switch (code) {
    case "MARKET_NOT_FOUND":
      draft.market = builder.state.marketNames[market]!;
      return true;
    case "TRIGGER_PASSED":
      for (const terms of all) flipTrigger(builder, market, terms, draft.side);
      return true;
    case "FIELD_REFUSED":
      for (const terms of all) terms.slippage = 0;
      return true;
    case "SLIPPAGE_TOO_LARGE":
      for (const terms of all) terms.slippage = Math.min(terms.slippage, rules.slippageMax * 1000);
      return true;
    case "PRICE_UNAVAILABLE":
      for (const terms of all) terms.source = PRICE_SOURCE.mark;
      return builder.state.markets.mark[market] !== 0;
    case "EXPIRY_PASSED":
    case "EXPIRY_MISMATCH":
      return repairExpiry(draft, all, code);
    case "POST_ONLY_WITH_TAKING":
    case "POST_ONLY_WOULD_TAKE":
      for (const terms of all) terms.postOnly = 0;
      return true;
    case "SIZE_NOT_POSITIVE":
    case "OFF_LOT":
    case "SIZE_TOO_SMALL":
    case "NOTIONAL_TOO_SMALL":
    case "INSUFFICIENT_MARGIN": {
      const slices = draft.interval === 0 ? 1 : Math.ceil(draft.duration / draft.interval);
      const size = Math.min(getLeast(builder, market, draft) * slices, Math.floor(LIMIT / lotSize)) * lotSize;
      if (draft.size === size) return false;
      Object.assign(draft, { size, fraction: 0 });
      return true;
    }
    case "SIZE_TOO_LARGE":
      Object.assign(draft, { size: rules.maxLots * lotSize });
      return true;
    case "OFF_TICK":
      for (const terms of all) terms.price -= terms.price % rules.tickSize;
      return true;
    case "PRICE_OUT_OF_BAND":
      if (draft.price === 0) return false;
      Object.assign(draft, {
        price: Math.max(1, Math.round(builder.state.markets.mark[market]! / rules.tickSize)) * rules.tickSize,
      });
      return true;
    case "REDUCE_ONLY_WOULD_INCREASE":
      draft.reduceOnly = false;
      return draft.fraction === 0;
    default:
      return false;
  }
}

/** An expiry makes an entry GTT (INT-5). Otherwise, and for an expiry that has passed, all expiries are removed. */
function repairExpiry(draft: Draft, all: readonly Terms[], code: RejectionCode): boolean {
  const waits = draft.kind === INTENT_KIND.oto || draft.kind === INTENT_KIND.otoco;
  const until = draft.goodTilHeight !== 0 || draft.goodTilTime !== 0;
  for (const terms of all) if (terms.timeInForce === TIME_IN_FORCE.GTT) terms.timeInForce = TIME_IN_FORCE.GTC;
  if (waits && until && draft.orderType === ORDER_TYPE.limit && code === "EXPIRY_MISMATCH") {
    Object.assign(draft, { timeInForce: TIME_IN_FORCE.GTT, postOnly: 0 });
  } else {
    Object.assign(draft, { goodTilHeight: 0, goodTilTime: 0 });
  }
  return true;
}

/**
 * Moves a trigger to the other side of its price, at the same distance. A trailing distance becomes smaller than the
 * price.
 */
function flipTrigger({ state }: BlockBuilder, market: MarketRow, terms: Terms, side: number): void {
  const { mark, index, last } = state.markets;
  const price = [mark[market]!, index[market]!, last[market]! * state.parameters[market]!.tickSize][terms.source] ?? 0;
  if (price === 0 || terms.kind === INTENT_KIND.twap) return;
  if (terms.kind === INTENT_KIND.trailingStop) {
    if (terms.trail >= price) terms.trail = Math.max(1, Math.floor(price / 50));
    return;
  }
  if (terms.trigger === 0) return;
  const below = (terms.kind === INTENT_KIND.takeProfit) === (side === SIDE.buy);
  const away = Math.max(1, Math.abs(terms.trigger - price));
  terms.trigger = Math.max(1, below ? price - away : price + away);
}
