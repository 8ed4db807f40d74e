import type { DemandOf } from "../authorization/demand.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

/** Least time ahead of a scheduled cancel. */
const LEAST_MS = 5000;

const demand: DemandOf<"scheduleCancel"> = () => ({ scope: "cancel", markets: "all" });

/** A dead-man's switch: cancels everything of the subaccount at a block time unless it is postponed; 0 clears it. */
const apply: Handler<"scheduleCancel"> = (state, context, { time }) => {
  const account = actingAccount(context);
  if (time === account.cancelTime) return rejected("NOTHING_TO_DO");
  if (time !== 0 && time < state.timeMs + LEAST_MS) return rejected("TIME_TOO_SOON");
  account.cancelTime = time;
  return APPLIED;
};

export const scheduleCancel: ModelAction<"scheduleCancel"> = { domain: "risk", demand, apply };
