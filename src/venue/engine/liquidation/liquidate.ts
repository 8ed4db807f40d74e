import { NONE } from "../../../ground/collections/table.ts";
import { allowsLiquidation } from "../../../protocol/lifecycle.ts";
import { dropRiskyIntents } from "../intents/followOrders.ts";
import { returnIsolated } from "../margin/isolated.ts";
import type { MarginAccountName } from "../state/marginAccount.ts";
import { getCollateral, marginAccountMarket, marginAccountOf } from "../state/marginAccount.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import { cancelIncreasing } from "./cancelIncreasing.ts";
import { coverDeficit } from "./deficit.ts";
import { isDistressed, isLiquidatable } from "./distress.ts";
import { type MarginAccount, openMarginAccount, toAmount } from "./liquidatedAccount.ts";
import { isCooling } from "./pacing.ts";
import { getPolicy } from "./policies/index.ts";
import { endRecord, getRecord, isFlat, setRecord } from "./record.ts";

/**
 * The liquidation step of one margin account in the risk pass (LIQ). First the orders that add risk are cancelled. Then
 * each position is liquidated by the policy of its market, by larger maintenance, until the margin account is healthy.
 * Last comes the deficit of a flat margin account. One that is flat already goes directly to it (LIQ-7).
 *
 * @param next number of its record, if it has none from an earlier step
 * @returns false if there was nothing to do now (healthy again, or every position is cooling down)
 */
export function liquidate(state: State, name: MarginAccountName, next: number): boolean {
  const { account, isolated } = name;
  state.risk.markDirty(state.accounts, account);
  if (!isLiquidatable(state, name)) return false;
  // A flat backstop may have moved away collateral of its reserve: it owes nothing.
  if (name.reserve > 0 && isFlat(state, account, isolated) && getCollateral(state, account, isolated) >= 0) {
    endRecord(state, account, isolated);
    return false;
  }
  if (isWithheld(state, name) || isWaiting(state, name)) return false;
  cancelIncreasing(state, account, isolated);
  dropRiskyIntents(state, account, marginAccountMarket(state, isolated));
  const open = getRecord(state, account, isolated);
  const id = open === 0 ? next : open;
  setRecord(state, account, isolated, id);
  const marginAccount = openMarginAccount(state, name, id);
  const step = {
    liquidation: id,
    account,
    marginAccount: marginAccountMarket(state, isolated),
    equity: toAmount(marginAccount.equity),
    maintenance: toAmount(marginAccount.maintenance),
  };
  if (open === 0) state.events.liquidationStarted(step);
  else state.events.liquidationContinued(step);
  for (const part of marginAccount.positions) {
    if (!isLiquidatable(state, marginAccount)) break;
    if (!allowsLiquidation(state.parameters[part.market]!)) continue;
    getPolicy(state, part.market).close(state, marginAccount, part);
  }
  finish(state, marginAccount);
  return true;
}

/** Whether no position of a margin account may be liquidated now, by status or pause of their markets (MKT). */
function isWithheld(state: State, name: MarginAccountName): boolean {
  const { accounts, positions, parameters } = state;
  let open = false;
  for (let at = accounts.position[name.account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 || marginAccountOf(state, at) !== name.isolated) continue;
    if (allowsLiquidation(parameters[positions.market[at]]!)) return false;
    open = true;
  }
  return open;
}

/**
 * Whether every position of a margin account whose market allows liquidations waits out its cooldown (LIQ-2). False if
 * the margin account is in such distress that waiting ends.
 */
function isWaiting(state: State, name: MarginAccountName): boolean {
  const { positions, parameters } = state;
  let open = false;
  for (let at = state.accounts.position[name.account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 || marginAccountOf(state, at) !== name.isolated) continue;
    if (!allowsLiquidation(parameters[positions.market[at]]!)) continue;
    if (!getPolicy(state, positions.market[at]).waits || !isCooling(state, at)) return false;
    open = true;
  }
  return open && !isDistressed(state, name);
}

function finish(state: State, marginAccount: MarginAccount): void {
  const { account, isolated } = marginAccount;
  const flat = isFlat(state, account, isolated);
  if (flat) coverDeficit(state, account, isolated, marginAccount.id);
  if (isolated !== NONE) returnIsolated(state, isolated);
  if (flat || !isLiquidatable(state, marginAccount)) endRecord(state, account, isolated);
  for (const { position } of marginAccount.positions) releaseIfEmpty(state, position);
}
