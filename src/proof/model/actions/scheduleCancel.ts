import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler } from "./handler.ts";

/** How far ahead a scheduled cancel lies at least. */
const LEAST_MS = 5000;

/** A dead-man's switch: everything of the subaccount is cancelled at a block time, unless it is put off; 0 takes it back. */
export const applyScheduleCancel: Handler<"scheduleCancel"> = (state, context, { time }) => {
  const account = actingAccount(context);
  if (time === account.cancelTime) return rejected("NOTHING_TO_DO");
  if (time !== 0 && time < state.timeMs + LEAST_MS) return rejected("TIME_TOO_SOON");
  account.cancelTime = time;
  return APPLIED;
};
