import type { LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import { emit } from "../emitted.ts";
import { type MarginAccount, openPositionsOf } from "../margin/health.ts";
import type { ModelState } from "../state.ts";
import type { Pass } from "./liquidationStep.ts";

/** Numbers of records: the n-th new record of a height, from 0, is height * 65,536 + n (LIQ). */
export const RECORDS_PER_BLOCK = 65_536;

/** Number of a margin account's open record, 0 for none. */
export function recordOf({ account, isolated }: MarginAccount): number {
  return (isolated ?? account).record;
}

/** A margin account's first step opens a record, and its later steps continue it (LIQ). */
export function openRecord(pass: Pass, { account, isolated }: MarginAccount): void {
  const owner = isolated ?? account;
  if (owner.record === 0) owner.record = pass.nextRecord++;
}

/** A record ends when its margin account is healthy or without a position (LIQ). */
export function endRecord(state: ModelState, marginAccount: MarginAccount): void {
  const { account, isolated } = marginAccount;
  if (recordOf(marginAccount) === 0) return;
  emitStage(
    state,
    marginAccount,
    openPositionsOf(marginAccount).length === 0 ? "completed" : "recovered",
    undefined,
    0,
  );
  (isolated ?? account).record = 0;
}

/** @param market ordinal of the stage's market, undefined for none */
export function emitStage(
  state: ModelState,
  marginAccount: MarginAccount,
  stage: (typeof LIQUIDATION_STAGES)[number],
  market: number | undefined,
  cooldownMs: number,
): void {
  emit(state, "liquidationStage", {
    liquidation: recordOf(marginAccount),
    account: marginAccount.account.id,
    stage,
    market: market ?? -1,
    cooldownMs,
    marginAccount: placeOf(marginAccount),
  });
}

/** Market of an isolated margin account, -1 for cross. */
export function placeOf({ isolated }: MarginAccount): number {
  return isolated === undefined ? -1 : isolated.market.ordinal;
}
