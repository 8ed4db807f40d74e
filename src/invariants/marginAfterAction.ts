import { NONE } from "../collections/table.ts";
import { findActor } from "../engine/admission.ts";
import type { AccountRow, PositionRow } from "../engine/state/schema.ts";
import { getPosition, type State } from "../engine/state/state.ts";
import { ROLE } from "../protocol/words.ts";
import { defineTransactionInvariant, type TransactionStep } from "./defineInvariant.ts";
import { type ExactHealth, exactHealth } from "./exact/health.ts";
import { bucketName, bucketsOf } from "./exact/walk.ts";

export const marginAfterAction = defineTransactionInvariant({
  id: "marginAfterAction",
  sentence:
    "After an accepted action each bucket of its account covers the initial requirement, or, below it before, is no nearer liquidation.",
  rules: ["MRG-4", "ACT-1"],
  when: "transaction",
  check(state, step) {
    const { before, block, result, index } = step;
    if (result.receipts.status(index) !== "applied") return undefined;
    const account = findActor(before, block.transactions[index]!) as AccountRow;
    if (account < 0 || state.accounts.role[account] === ROLE.house) return undefined;
    if (tradesAfterwards(step, account)) return undefined;
    const { action } = block.transactions[index]!;
    for (const isolated of bucketsOf(state, account)) {
      const now = exactHealth(state, account, isolated);
      if (now.equity >= now.initial && now.equity >= 0n) continue;
      const then = isolated === undefined ? exactHealth(before, account) : findThen(before, state, account, isolated);
      if (isNoWorse(then, now)) continue;
      return `${action} of ${bucketName(state, account, isolated)} took ${show(then)} to ${show(now)}`;
    }
    return undefined;
  },
});

/** Orders of intents are placed behind the block's transactions: a fill of theirs is not the action's doing. */
function tradesAfterwards({ result, index, events, places }: TransactionStep, account: AccountRow): boolean {
  const { eventsTo } = result.receipts.at(index);
  return events.some(
    (event, at) => places[at]! >= eventsTo && event.kind === "positionChanged" && event.account === account,
  );
}

/** An isolated bucket before the action; nothing where it was not one. */
function findThen(before: State, state: State, account: AccountRow, isolated: PositionRow): ExactHealth {
  const at = getPosition(before, account, state.positions.market[isolated]!);
  if (at !== NONE && before.positions.mode[at] !== 0) return exactHealth(before, account, at);
  return { equity: 0n, maintenance: 0n, positionInitial: 0n, initial: 0n, notional: 0n, losses: 0n };
}

/** The second half of MRG-4: below before, the ratio does not fall and the requirement does not rise. */
function isNoWorse(then: ExactHealth, now: ExactHealth): boolean {
  if (then.equity >= then.initial) return false;
  if (now.initial > then.initial) return false;
  if (now.maintenance === 0n) return now.equity >= 0n || (then.maintenance === 0n && now.equity >= then.equity);
  if (then.maintenance === 0n) return false;
  return now.equity * then.maintenance >= then.equity * now.maintenance;
}

function show({ equity, initial, maintenance }: ExactHealth): string {
  return `equity ${equity} of initial ${initial} and maintenance ${maintenance}`;
}
