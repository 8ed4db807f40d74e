import { NONE } from "../../ground/collections/table.ts";
import type { Receipts } from "../../protocol/receipt.ts";
import { REJECTION_PLACES } from "../../protocol/rejections.ts";
import type { Block, Transaction } from "../../protocol/transaction.ts";
import { HANDLERS } from "./actions/index.ts";
import { advanceNonce, checkAdmission, findActor, findGrant, invalidReceipt } from "./authorization/admission.ts";
import { checkReach } from "./authorization/checkReach.ts";
import { checkBlock } from "./checkBlock.ts";
import { type ActionContext, createResult, ORDERS_PER_TRANSACTION } from "./handler/defineHandler.ts";
import { settleEndedOrders } from "./intents/followOrders.ts";
import { openOutflowWindows } from "./margin/outflow.ts";
import type { Probe } from "./probe.ts";
import type { AccountRow } from "./state/schema.ts";
import type { State } from "./state/state.ts";
import { accrueFunding } from "./steps/accrueFunding.ts";
import { closeBlock, openBlock } from "./steps/blockEffects.ts";
import { expire } from "./steps/expire.ts";
import { expireIntents } from "./steps/expireIntents.ts";
import { fireTriggers, notePrices } from "./steps/fireTriggers.ts";
import { movePrices } from "./steps/movePrices.ts";
import { openFunding } from "./steps/openFunding.ts";
import { rollVolumes } from "./steps/rollVolumes.ts";
import { runRiskPass } from "./steps/runRiskPass.ts";

/** Result of a block. Receipts, events and texts belong to the venue and are valid until its next block. */
export interface BlockResult {
  readonly height: number;
  readonly timeMs: number;
  readonly receipts: Receipts;
  /** Event data of the venue; this block's events are between `from` and `to`. */
  readonly events: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly texts: readonly string[];
}

/**
 * Advances a venue by one block, in the order of BLK. The only way to change a venue.
 *
 * Inside a valid block nothing throws: every transaction gets a receipt. A rejected or inadmissible one changes only
 * what NON-3 lists.
 *
 * @param probe runs after every transaction and step; without a probe each costs one comparison
 * @throws EngineError INVALID_BLOCK for a block that breaks NET-2; nothing has changed then
 */
export function applyBlock(state: State, block: Block, probe?: Probe): BlockResult {
  const systemCount = checkBlock(state, block);
  const elapsedMs = block.timeMs - state.timeMs;
  const from = openBlock(state, block);
  const { transactions } = block;
  probe?.beforeBlock?.(state, block, from);

  notePrices(state);
  rollVolumes(state, elapsedMs);
  openOutflowWindows(state);
  openFunding(state, elapsedMs);
  probe?.afterStep?.(state, "opened");
  applyTransactions(state, transactions, 0, systemCount, probe);
  movePrices(state, elapsedMs);
  probe?.afterStep?.(state, "pricesMoved");
  accrueFunding(state);
  probe?.afterStep?.(state, "fundingAccrued");
  expire(state);
  expireIntents(state);
  endIntents(state);
  probe?.afterStep?.(state, "expired");
  runRiskPass(state);
  endIntents(state);
  probe?.afterStep?.(state, "riskPassed");
  applyTransactions(state, transactions, systemCount, transactions.length, probe);
  fireTriggers(state);
  probe?.afterStep?.(state, "triggersFired");

  const { events, receipts } = state;
  const to = events.length;
  closeBlock(state);
  return { height: block.height, timeMs: block.timeMs, receipts, events: events.data, from, to, texts: events.texts };
}

function applyTransactions(
  state: State,
  transactions: readonly Transaction[],
  from: number,
  to: number,
  probe: Probe | undefined,
): void {
  for (let index = from; index < to; index++) {
    applyTransaction(state, transactions[index]!, index);
    probe?.afterTransaction(state, index);
  }
}

function applyTransaction(state: State, transaction: Transaction, index: number): void {
  const { events, receipts } = state;
  const account = findActor(state, transaction);
  const eventsFrom = events.length;
  const invalid = checkAdmission(state, transaction, account);
  if (invalid !== undefined) {
    receipts.push(invalidReceipt(invalid), eventsFrom, eventsFrom);
    return;
  }
  const context = execute(state, transaction, account);
  const { refused } = context;
  if (refused !== undefined) {
    if (refused.numbers !== undefined) receipts.numbers.set(index, refused.numbers);
    receipts.push(1 + REJECTION_PLACES[refused.code], eventsFrom, events.length);
    return;
  }
  receipts.push(0, eventsFrom, events.length);
  if (context.cut !== undefined) receipts.results.set(index, [createResult(context)]);
  else if (context.outcome !== NONE) receipts.setOrder(context.orderId, context.outcome);
  else if (context.results !== undefined) receipts.results.set(index, context.results);
}

/** The effects of ended orders on intents belong to the action or step that ended them (INT-2). */
function endIntents(state: State): void {
  if (state.intentIndex.ended.length !== 0) settleEndedOrders(state);
}

/** Executes an admissible transaction, or the one that it carries, and returns the content of its receipt. */
function execute(state: State, transaction: Transaction, account: AccountRow): ActionContext {
  const grant = findGrant(state, transaction);
  const context: ActionContext = {
    account,
    grant,
    transaction,
    firstOrderId: state.consumed * ORDERS_PER_TRANSACTION,
    outcome: NONE,
    orderId: 0,
    stopped: NONE,
    cut: undefined,
    results: undefined,
    refused: undefined,
    carried: undefined,
  };
  const handler = HANDLERS[transaction.code]!;
  const outside = grant === NONE ? undefined : checkReach(state, grant, account, transaction.code, transaction.payload);
  const plan = outside ?? handler.check(state, context, transaction.payload);
  advanceNonce(state, transaction, account, grant);
  if (plan.rejected) context.refused = plan;
  else handler.apply(state, context, plan);
  endIntents(state);
  const { carried } = context;
  return carried === undefined ? context : execute(state, carried, findActor(state, carried));
}
