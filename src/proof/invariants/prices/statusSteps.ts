import { MARKET_STATUS, MARKET_STATUSES } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

/** The allowed next statuses of each status (MKT), written a second time. */
const STEPS: Readonly<Record<(typeof MARKET_STATUSES)[number], readonly string[]>> = {
  initializing: ["postOnly"],
  postOnly: ["active"],
  active: ["cancelOnly", "reduceOnly", "halted", "settling"],
  cancelOnly: ["active", "settling"],
  reduceOnly: ["active", "settling"],
  halted: ["active", "settling"],
  settling: ["settled"],
  settled: [],
};

export const statusSteps = defineInvariant<number[]>({
  id: "statusSteps",
  sentence: "A market changes status only as its lifecycle allows, and a settled market stays settled.",
  rules: ["MKT"],
  when: "events",
  kinds: ["marketCreated", "marketChanged"],
  start: (state: State) => state.parameters.map(({ status }) => status),
  event(moment, at, statuses) {
    const { data, state } = moment;
    const market = data[at + AT.marketChanged.market]!;
    const now = state.parameters[market]!.status;
    const before = statuses[market];
    statuses[market] = now;
    if (before === undefined || before === now) return undefined;
    moment.met++;
    // Settling ends within the transaction that sets the price.
    if (moment.transaction?.action === "settleMarket" && before !== MARKET_STATUS.settled) return undefined;
    const names = [MARKET_STATUSES[before]!, MARKET_STATUSES[now]!] as const;
    return STEPS[names[0]].includes(names[1]) ? undefined : `market ${market} went from ${names.join(" to ")}`;
  },
});
