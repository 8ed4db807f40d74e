import type { TimeMs } from "../../../ground/math/fixed.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";

/** Least time ahead of the block (as Hyperliquid has it). */
export const SCHEDULE_LEAST_MS = 5_000;

/** Sets, puts off or takes back the time at which every order of the subaccount is cancelled (ACT, BLK step 4). */
export const handleScheduleCancel = defineHandler<"scheduleCancel">("scheduleCancel")<Plan & { readonly time: TimeMs }>(
  {
    check(state, { account }, { time }) {
      if (time === state.accounts.cancelTime[account]) return reject("NOTHING_TO_DO", { time });
      const least = state.timeMs + SCHEDULE_LEAST_MS;
      if (time !== 0 && time < least) return reject("TIME_TOO_SOON", { time, least });
      return { rejected: false, time: time as TimeMs };
    },

    apply(state, { account }, { time }) {
      const { accounts } = state;
      const { cancels } = state.expiries;
      cancels.remove(account);
      if (time !== 0) cancels.insert(account, time);
      accounts.cancelTime[account] = time;
      state.events.cancelScheduled({ account, timeMs: time });
    },
  },
);
