import { NONE } from "../../../ground/collections/table.ts";
import {
  INTENT_KINDS,
  INTENT_STATES,
  ORDER_TYPES,
  POST_ONLY_MODES,
  PRICE_SOURCES,
  SELF_TRADE_MODES,
  SELF_TRADE_SCOPES,
  SIDES,
  TIMES_IN_FORCE,
} from "../../../protocol/words.ts";
import type { IntentRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Intent, ModelState } from "../../model/state.ts";
import type { Comparison, Same } from "./comparison.ts";

/** Compares intents that have not ended, by id (INT). */
export function compareIntents(comparison: Comparison, venue: State, model: ModelState): void {
  const { intents } = venue;
  if (comparison.isFull || intents.rows.count + model.intents.size === 0) return;
  const rows = new Map<number, IntentRow>();
  for (let row = 0 as IntentRow; row < intents.rows.high; row++) {
    if (intents.rows.isLive(row)) rows.set(intents.id[row]!, row);
  }
  const ids = [...new Set([...rows.keys(), ...model.intents.keys()])].sort((a, b) => a - b);
  for (const id of ids) {
    const row = rows.get(id);
    const intent = model.intents.get(id);
    const same = comparison.of(() => `intent ${id}, `);
    const ours = row === undefined ? "none" : INTENT_STATES[intents.state[row]!];
    same("state", ours, intent?.state ?? "none");
    if (row === undefined || intent === undefined) continue;
    same("account", intents.account[row], intent.account.id);
    same("size", intents.size[row], intent.lots);
    same("filled", intents.filled[row], intent.filled);
    const isSchedule = intent.kind === "twap";
    same("slices so far (INT)", intents.sliced[row], isSchedule ? intent.slicesDone : 0);
    if (intent.kind === "trailingStop") same("best price (INT-1)", intents.extreme[row], intent.extreme);
    if (intent.state === "armed" && !isSchedule) same("trigger", intents.trigger[row], intent.trigger);
    compareTerms(same, venue, row, intent);
  }
}

/** Compares the terms that an intent was placed with. */
function compareTerms(same: Same, { intents, intentTexts }: State, row: IntentRow, intent: Intent): void {
  same("market", intents.market[row], intent.market.ordinal);
  // The venue gives a single intent no group.
  same("group (INT-2)", intents.group[row] || intent.id, intent.group);
  same("entry (INT-2)", intents.entry[row], intent.entry);
  same("kind", INTENT_KINDS[intents.kind[row]!], intent.kind);
  same("side", SIDES[intents.side[row]!], intent.side);
  same("reduce-only", intents.reduceOnly[row] === 1, intent.reduceOnly);
  same("fraction", intents.fraction[row], intent.fraction);
  same("source", PRICE_SOURCES[intents.source[row]!], intent.source);
  same("trail", intents.trail[row], intent.trail);
  same("trail rate", intents.trailRate[row], intent.trailRate);
  same("order type", ORDER_TYPES[intents.orderType[row]!], intent.orderType);
  same("price", intents.price[row], intent.price);
  same("slippage", intents.slippage[row], intent.slippage);
  same("time in force", TIMES_IN_FORCE[intents.timeInForce[row]!], intent.timeInForce);
  same("post-only", POST_ONLY_MODES[intents.postOnly[row]!], intent.postOnlyMode);
  same("self-trade prevention", SELF_TRADE_MODES[intents.selfTrade[row]!], intent.selfTrade);
  same("scope of self-trade prevention", SELF_TRADE_SCOPES[intents.selfTradeScope[row]!], intent.selfTradeScope);
  same("last height", intents.goodTilHeight[row], intent.goodTilHeight);
  same("last time", intents.goodTilTime[row], intent.goodTilTime);
  same("grant (AUT)", intents.authorization[row], intent.grant?.ordinal ?? NONE);
  same("client intent id", intentTexts[row], intent.clientIntentId);
  if (intent.state === "armed")
    same("height at which it was armed (INT-1)", intents.armedHeight[row], intent.armedHeight);
  if (intent.kind !== "twap") return;
  same("start of the schedule", intents.startMs[row], intent.startMs);
  same("interval of the schedule", intents.intervalMs[row], intent.intervalMs);
  same("slices of the schedule", intents.slices[row], intent.slices);
}
